package import AssayCore
import AssayStore

/// The reasons why runs were not combined.
package enum CombineError: Error, Hashable {
  case oneRun
  case repeatedRun(String)
  case weightCount(weights: Int, runs: Int)
  case badWeight(String)
  case otherTask(String, ModelTask, first: String, ModelTask)
  case otherDataset(String, String, first: String, String)
  case otherVersion(String, dataset: String)
  /// A run of classes that differ from those of the first one.
  case otherClasses(String, missing: [String], extra: [String], first: String)
  case noSharedSample([String])
  case unfinished(String, done: Int, total: Int)
  /// An option that does not apply to the task.
  case unusedOption(String, ModelTask)
  case noMaps(String)
  /// Maps that cannot be averaged cell by cell, with what differs.
  case otherMaps(String, first: String, what: String)
  case noImageSize(String)
  case regions(String)
  case keypoints(String)
}

extension RunRecord {
  /// Refuses a run from which no other one can be made: one of an earlier import, or one that is not finished.
  ///
  /// - Throws: ``CombineError/otherVersion(_:dataset:)``, ``CombineError/unfinished(_:done:total:)``.
  func checkComplete() throws(CombineError) {
    guard datasetVersion == dataset.importVersion else {
      throw .otherVersion(name, dataset: dataset.name)
    }
    guard done + failed == total else { throw .unfinished(name, done: done, total: total) }
  }
}

extension CombineError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .oneRun: "expected at least two runs to combine"
    case .repeatedRun(let run): "the run “\(run)” is named twice; give it a weight instead"
    case .weightCount(let weights, let runs):
      "--weights: expected \(runs) numbers, one per run, found \(weights)"
    case .badWeight(let text): "--weights: “\(text)” must be a number above 0"
    case .otherTask(let run, let task, let first, let other):
      "“\(run)” is a \(task.rawValue) run and “\(first)” a \(other.rawValue) run; combine runs of one task"
    case .otherDataset(let run, let dataset, let first, let other):
      "“\(run)” is on “\(dataset)” and “\(first)” on “\(other)”; combine runs on one dataset"
    case .otherVersion(let run, let dataset):
      "“\(dataset)” was imported again between the runs, the last time after “\(run)”; predict again"
    case .otherClasses(let run, let missing, let extra, let first):
      "“\(run)” and “\(first)” do not have the same classes: "
        + [
          missing.isEmpty ? nil : "\(Self.list(missing)) only in “\(first)”",
          extra.isEmpty ? nil : "\(Self.list(extra)) only in “\(run)”",
        ].compactMap(\.self).joined(separator: ", ")
        + "; a mean needs a probability of each class from each run"
    case .noSharedSample(let runs):
      "no sample is in all of the runs \(runs.joined(separator: ", "))"
    case .unfinished(let run, let done, let total):
      "the run “\(run)” has \(done) of \(total) predictions; run the same `assay predict` again to finish it"
    case .unusedOption(let option, let task):
      "\(option) does not apply to \(task.rawValue) runs; omit it"
    case .noMaps(let run):
      "the run “\(run)” has no probability maps, only masks; predict again without --no-maps"
    case .otherMaps(let run, let first, let what):
      "the maps of “\(run)” and “\(first)” cannot be averaged cell by cell: \(what); combine models with the "
        + "same input and the same output size"
    case .noImageSize(let sample):
      "the size of the image “\(sample)” is unknown; import the dataset again with its images (--replace)"
    case .keypoints(let run):
      "the run “\(run)” has keypoints; box fusion is for boxes alone, and would lose them"
    case .regions(let run):
      "the run “\(run)” has regions; box fusion is for boxes alone, and would lose them"
    }
  }

  private static func list(_ names: [String]) -> String {
    names.prefix(5).map { "“\($0)”" }.joined(separator: ", ")
      + (names.count > 5 ? ", … (\(names.count))" : "")
  }
}
