package import AssayCore

/// Why the masks of a run were not judged.
package enum SegmentationError: Error, Hashable {
  /// An option about another task than the run's.
  case otherTask(option: String, run: String, task: ModelTask)
  /// `--ignore` with a class that the dataset has not.
  case unknownIgnored(String, known: [String])
  /// `--ignore` leaves no class to judge.
  case allIgnored([String])
  /// A dataset without a single region.
  case noRegions(dataset: String)
  /// A threshold for a run that takes the likeliest class.
  case noThreshold(run: String)
  /// Post-processing of a run without a background to give pixels to.
  case noBackground(run: String, options: String)
  /// Another threshold for a run without maps than its own.
  case noMaps(run: String, own: Double?)
  /// Other masks of an evaluation whose masks are kept as they were.
  case kept(String, options: String)
  /// An evaluation over other classes than run and dataset have in common now.
  case otherClasses(String, kept: [String], now: [String])
  /// A stored shape or map that cannot be read; the sample's key.
  case damaged(sample: String, reason: String)
  /// Two runs that are about different tasks.
  case tasksDiffer(String, ModelTask, String, ModelTask)
  /// Two runs that judge no class in common.
  case noSharedClass(String, [String], String, [String])
}

extension SegmentationError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .otherTask(let option, let run, let task):
      switch task {
      case .classification:
        "--\(option) does not go with \(run), which gives one label an image (task classification)"
      case .segmentation:
        "--\(option) does not go with \(run), which gives masks (task segmentation)"
      case .detection:
        "--\(option) does not go with \(run), which gives objects (task detection)"
      }
    case .unknownIgnored(let name, let known):
      "--ignore \(name): the dataset has no such class"
        + (NearMiss.suggestion(for: name, among: known).map { "; did you mean “\($0)”?" }
          ?? "; it has " + Self.list(known))
    case .allIgnored(let names):
      "--ignore leaves no class to judge; the model and the dataset share \(Self.list(names))"
    case .noRegions(let dataset):
      "\(dataset) has no masks, polygons or boxes, so there is no ground truth to evaluate masks "
        + "against; `assay report RUN` shows a run's predictions"
    case .noThreshold(let run):
      "\(run) takes the likeliest class of each pixel; it has no --threshold"
    case .noBackground(let run, let options):
      """
      \(options): the model of \(run) has no class background that pixels could be given to or taken \
      from; its masks can be judged only as they are
      """
    case .noMaps(let run, let own):
      """
      \(run) was made with --no-maps, so only its masks at \
      \(own.map { "threshold \($0)" } ?? "its own threshold") are there; predict again without \
      --no-maps
      """
    case .kept(let name, let options):
      """
      \(name) keeps its masks as they were judged; for \(options) evaluate the run itself
      """
    case .otherClasses(let name, let kept, let now):
      """
      \(name) was judged by other classes than the dataset has now; evaluate the run again
        then: \(Self.list(kept))
        now:  \(Self.list(now))
      """
    case .damaged(let sample, let reason):
      "sample \(sample): \(reason); import or predict it again"
    case .tasksDiffer(let first, let task, let second, let other):
      "\(first) is about \(task.rawValue) and \(second) about \(other.rawValue); they do not pair"
    case .noSharedClass(let first, let classes, let second, let others):
      """
      \(first) and \(second) have no judged class in common
        \(first): \(Self.list(classes))
        \(second): \(Self.list(others))
      """
    }
  }

  private static func list(_ names: [String]) -> String {
    names.prefix(20).joined(separator: ", ")
      + (names.count > 20 ? " and \(names.count - 20) more" : "")
  }
}
