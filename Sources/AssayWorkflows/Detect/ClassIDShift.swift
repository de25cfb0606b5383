import AssayCore

/// A known mistake in the ids of classes.
package enum ClassIDShift: String, Sendable, Codable, Hashable, CaseIterable {
  /// 0–79 where COCO's 80 classes have ids from 1 to 90.
  case zeroTo79 = "0-79 for 1-90"
  /// 1–80 where COCO's 80 classes have ids from 1 to 90.
  case oneTo80 = "1-80 for 1-90"
  /// From 0 on where the truth's ids are from 1 on.
  case fromZero = "from 0 for from 1"
  /// From 1 on where the truth's ids are from 0 on.
  case fromOne = "from 1 for from 0"

  /// The ids of COCO's 80 classes are the numbers from 1 to 90 without these.
  private static let gaps: Set<Int64> = [12, 26, 29, 30, 45, 66, 68, 69, 71, 83]

  /// The mistake that explains ids the truth has not; `nil` where none does.
  init?(results: [SourceID], truth: [SourceID]) {
    let found = Set(results.compactMap(Self.whole))
    let known = Set(truth.compactMap(Self.whole))
    guard found.count == results.count, known.count == truth.count, !known.isEmpty,
      !found.isSubset(of: known), let least = found.min(), let greatest = found.max(),
      let first = known.min(), let last = known.max()
    else { return nil }
    let isContiguous = Int(last - first) + 1 == known.count
    if known == Set(1...90).subtracting(Self.gaps), least >= 0, greatest <= 80 {
      self = found.contains(0) ? .zeroTo79 : .oneTo80
      // 0 to 80 is neither.
      if found.contains(0), greatest == 80 { return nil }
    } else if isContiguous, first == 1, least == 0, greatest < last {
      self = .fromZero
    } else if isContiguous, first == 0, least >= 1, greatest == last + 1 {
      self = .fromOne
    } else {
      return nil
    }
  }

  private static func whole(_ id: SourceID) -> Int64? {
    switch id {
    case .integer(let value): abs(value) < 1 << 40 ? value : nil
    case .text(let text): Int64(text).flatMap { abs($0) < 1 << 40 ? $0 : nil }
    }
  }

  /// What to do, one clause.
  package var advice: String {
    switch self {
    case .zeroTo79:
      "the results number COCO's 80 classes from 0 to 79; the truth has their ids, 1 to 90 with gaps: "
        + "write sorted(ids)[k] for class k into the results first"
    case .oneTo80:
      "the results number COCO's 80 classes from 1 to 80; the truth has their ids, 1 to 90 with gaps: "
        + "write sorted(ids)[k − 1] for class k into the results first"
    case .fromZero:
      "the results number the classes from 0, the truth from 1: add 1 before they are judged"
    case .fromOne:
      "the results number the classes from 1, the truth from 0: take 1 off before they are judged"
    }
  }
}
