import AssayCore
package import AssayFormats
import AssayMetrics

/// Ground truth and results as pycocotools holds them before it matches.
struct ReferenceColumns: Sendable {
  /// The classes' names, in the order of their ids.
  var classes: [String] = []
  var images = 0
  var truth = TruthColumns()
  var found = FoundColumns()
  /// By row; `nil` where nothing overlaps it, and everywhere where boxes are compared.
  var truthMasks: [Mask?] = []
  var foundMasks: [Mask?] = []
  /// Rows of the ground truth whose id becomes no number: pycocotools stops where one of them is matched.
  var unusableIDs: Set<Int> = []

  /// Matches the results to the ground truth.
  ///
  /// - Throws: ``ReferenceStop`` where a match needs an id that is no number; `MetricError`.
  func tally(_ settings: DetectionSettings, workers: Int) throws -> DetectionTally {
    let tally = try matched(truth, settings, workers: workers)
    guard !unusableIDs.isEmpty else { return tally }
    // If none of these rows is matched, counting them as unmatched makes no difference.
    var without = truth
    without.unmatched.formUnion(unusableIDs)
    guard try matched(without, settings, workers: workers) == tally else {
      throw ReferenceStop(
        error: "ValueError: could not convert string to float", side: .truth, pointer: nil)
    }
    return tally
  }

  private func matched(
    _ truth: TruthColumns, _ settings: DetectionSettings, workers: Int
  ) throws -> DetectionTally {
    let isMask = settings.overlap == .mask
    return try DetectionTally.matching(
      classCount: classes.count, images: images, truth: truth, found: found,
      masks: isMask
        ? MaskColumns(
          truth: { [truthMasks] in truthMasks[$0] }, found: { [foundMasks] in foundMasks[$0] })
        : nil,
      settings, workers: workers)
  }
}

/// The error with which pycocotools stops, and its place in the files.
package struct ReferenceStop: Error, Hashable, Sendable {
  /// The type of Python's error, and its text.
  package var error: String
  package var side: COCOSide
  /// The JSON pointer of what it stops at; `nil` where it is no one element.
  package var pointer: String?

  /// `ground truth /annotations/3/area`; `nil` where it is no one element.
  package var place: String? {
    pointer.map { "\(side == .truth ? "ground truth" : "results") \($0)" }
  }
}

/// The outcome of pycocotools for files with oddities.
enum ReferenceOutcome: Sendable {
  case columns(ReferenceColumns)
  case stops(ReferenceStop)
  /// Something whose outcome is not reproduced, one clause.
  case unknown(String)
}
