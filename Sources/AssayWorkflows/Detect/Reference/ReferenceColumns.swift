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
  /// The positions in the files of the annotation and of the result of each row.
  var truthPlaces: [Int32] = []
  var foundPlaces: [Int32] = []
  /// Rows of the ground truth whose id cannot be converted to a number: pycocotools fails if one of
  /// them is matched.
  var unusableIDs: Set<Int> = []

  /// Matches the results to the ground truth.
  ///
  /// - Parameter keepsPairs: whether a `MatchTable` is to be made of the tally.
  /// - Throws: ``ReferenceStop`` if a match needs an id that is not a number; `MetricError`.
  func tally(
    _ settings: DetectionSettings, keepsPairs: Bool = false, workers: Int
  ) throws -> DetectionTally {
    let tally = try matched(truth, settings, keepsPairs: keepsPairs, workers: workers)
    guard !unusableIDs.isEmpty else { return tally }
    // If none of these rows is matched, counting them as unmatched makes no difference.
    var without = truth
    without.unmatched.formUnion(unusableIDs)
    guard try matched(without, settings, keepsPairs: keepsPairs, workers: workers) == tally else {
      throw ReferenceStop(
        error: "ValueError: could not convert string to float", side: .truth, pointer: nil)
    }
    return tally
  }

  private func matched(
    _ truth: TruthColumns, _ settings: DetectionSettings, keepsPairs: Bool, workers: Int
  ) throws -> DetectionTally {
    let isMask = settings.overlap == .mask
    return try DetectionTally.matching(
      classCount: classes.count, images: images, truth: truth, found: found,
      masks: isMask
        ? MaskColumns(
          truth: { [truthMasks] in truthMasks[$0] }, found: { [foundMasks] in foundMasks[$0] })
        : nil,
      settings, keepsPairs: keepsPairs, workers: workers)
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
