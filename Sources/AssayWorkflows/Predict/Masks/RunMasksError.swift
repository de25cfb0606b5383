package import AssayCore

/// The reasons why a run has no masks.
package enum RunMasksError: Error, Hashable {
  /// A run of a different task.
  case otherTask(run: String, task: ModelTask)
  /// Settings that are not those of a segmentation run.
  case settings(run: String)
  /// A threshold other than the run's own, the only one for which masks are stored.
  case noMaps(run: String, own: Double?)
  /// A threshold for a run of label maps.
  case noProbabilities(run: String)
  /// A sample of unknown size.
  case noSize(sample: String)
  /// The stored result of a sample is damaged.
  case damaged(sample: String, reason: String)
}

extension RunMasksError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .otherTask(let run, let task):
      "“\(run)” is a run of \(task.rawValue) and has no masks"
    case .settings(let run):
      "the settings of the run “\(run)” are not those of a segmentation run; predict again"
    case .noMaps(let run, let own):
      "the run “\(run)” has no probability maps (predict --no-maps, predictions refine): only its masks"
        + (own.map { " at the threshold \($0)" } ?? "") + " are stored. Predict again"
        + " without --no-maps for others"
    case .noProbabilities(let run):
      "the model of the run “\(run)” gives the number of each pixel's class and no probabilities: there is no"
        + " threshold to set"
    case .noSize(let sample):
      "the image size of sample \(sample) is unknown; import the dataset again with"
        + " --check-images"
    case .damaged(let sample, let reason): "sample \(sample): \(reason); predict it again"
    }
  }
}
