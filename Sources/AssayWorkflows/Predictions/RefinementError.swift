package import AssayCore

/// The reasons why the masks of a run were not refined, or not made objects.
package enum RefinementError: Error, Hashable {
  case otherTask(String, ModelTask)
  case severalClasses(String, [String])
  case noRegions(String)
  case noResult(String)
  case noMasks(String, ModelTask)
  /// An image of another size than that of the masks.
  case image(sample: String, reason: String)
  case damaged(sample: String)
}

extension RefinementError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .otherTask(let run, let task):
      "“\(run)” is a run of \(task.rawValue) and has no masks to refine"
    case .severalClasses(let run, let classes):
      "“\(run)” has \(classes.count) classes (\(classes.prefix(5).joined(separator: ", "))\(classes.count > 5 ? ", …" : "")): "
        + "refined alone, the masks of two classes could overlap. Runs of one class, and regions of objects, can be refined"
    case .noRegions(let run): "the detections of “\(run)” are boxes and have no regions to refine"
    case .noResult(let run): "“\(run)” has no result for any sample"
    case .noMasks(let run, let task):
      "“\(run)” is a run of \(task.rawValue); objects are made of the masks of a segmentation run"
    case .image(let sample, let reason): "sample \(sample): \(reason)"
    case .damaged(let sample): "the stored mask of sample \(sample) is damaged; predict it again"
    }
  }
}
