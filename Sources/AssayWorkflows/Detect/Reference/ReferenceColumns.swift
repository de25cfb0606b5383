import AssayCore
package import AssayFormats
import AssayMetrics

/// The ground truth and the results as pycocotools has them before matching.
struct ReferenceColumns: Sendable {
  /// The class names, in the order of their ids.
  var classes: [String] = []
  var images = 0
  var truth = TruthColumns()
  var found = FoundColumns()
  /// The masks by row; `nil` if nothing overlaps the row, and for all rows if boxes are compared.
  var truthMasks: [Mask?] = []
  var foundMasks: [Mask?] = []
  /// Rows of the ground truth whose id cannot be converted to a number: pycocotools fails if one of
  /// them is matched.
  var unusableIDs: Set<Int> = []

  /// Matches the results to the ground truth.
  ///
  /// - Throws: ``ReferenceStop`` if a match needs an id that is not a number; `MetricError`.
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

/// The error with which pycocotools fails, and its location in the files.
package struct ReferenceStop: Error, Hashable, Sendable {
  /// The type and message of Python's error.
  package var error: String
  package var side: COCOSide
  /// The JSON pointer to the element that causes the error; `nil` if there is no single element.
  package var pointer: String?

  /// `ground truth /annotations/3/area`; `nil` if there is no single element.
  package var place: String? {
    pointer.map { "\(side == .truth ? "ground truth" : "results") \($0)" }
  }
}

/// The outcome of pycocotools for files with oddities.
enum ReferenceOutcome: Sendable {
  case columns(ReferenceColumns)
  case stops(ReferenceStop)
  /// The result is not reproduced; the reason, one clause.
  case unknown(String)
}
