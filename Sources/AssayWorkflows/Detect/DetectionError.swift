/// Why the detections of a run were not judged.
package enum DetectionError: Error, Hashable {
  /// A dataset without a single region.
  case noObjects(dataset: String)
  /// More IoU thresholds than matches are kept for.
  case tooManyThresholds(Int, limit: Int)
  /// Other matches of an evaluation whose matches are kept as they were.
  case kept(String, options: String)
  /// An evaluation over other classes than run and dataset have in common now.
  case otherClasses(String, kept: [String], now: [String])
  /// A run whose stored settings cannot be read.
  case runSettings(run: String)
  /// A stored region that cannot be read; the sample's key.
  case damaged(sample: String, reason: String)
  /// Stored matches that cannot be read.
  case unreadable(String, sample: String, reason: String)
}

extension DetectionError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .noObjects(let dataset):
      "\(dataset) has no boxes, polygons or masks, so there is no ground truth to evaluate detections "
        + "against; `assay report RUN` shows a run's predictions"
    case .tooManyThresholds(let count, let limit):
      "\(count) IoU thresholds are too many to be kept with a run; give at most \(limit)"
    case .kept(let name, let options):
      "\(name) keeps its matches as they were judged; for \(options) evaluate the run itself"
    case .otherClasses(let name, let kept, let now):
      """
      \(name) was judged by other classes than the dataset and the run share now; evaluate the run again
        then: \(Self.list(kept))
        now:  \(Self.list(now))
      """
    case .runSettings(let run):
      """
      the stored settings of the run “\(run)” are damaged; remove it (assay rm run \(run)) and import or \
      predict its detections again
      """
    case .damaged(let sample, let reason):
      "sample \(sample): \(reason); import or predict it again"
    case .unreadable(let name, let sample, let reason):
      "\(name), sample \(sample): \(reason)"
    }
  }

  private static func list(_ names: [String]) -> String {
    names.prefix(20).joined(separator: ", ")
      + (names.count > 20 ? " and \(names.count - 20) more" : "")
  }
}
