import AssayCore

/// A known error in class ids.
package enum ClassIDShift: String, Sendable, Codable, Hashable, CaseIterable {
  /// 0–79 instead of the ids 1–90 of COCO's 80 classes.
  case zeroTo79 = "0-79 for 1-90"
  /// 1–80 instead of the ids 1–90 of COCO's 80 classes.
  case oneTo80 = "1-80 for 1-90"
  /// 0–89, each one less than COCO's id.
  case zeroTo89 = "0-89 for 1-90"
  /// Ids starting at 0 where the ground truth's start at 1.
  case fromZero = "from 0 for from 1"
  /// Ids starting at 1 where the ground truth's start at 0.
  case fromOne = "from 1 for from 0"

  /// The unused ids: COCO's 80 classes have the ids 1–90 without these.
  private static let gaps: Set<Int64> = [12, 26, 29, 30, 45, 66, 68, 69, 71, 83]

  /// The number of classes in a file from which on one of them almost certainly hits a gap.
  private static let manyClasses = 30

  /// The error that explains ids that are not in the ground truth; `nil` if there is none.
  init?(results: [SourceID], truth: [SourceID]) {
    let found = Set(results.compactMap(Self.whole))
    let known = Set(truth.compactMap(Self.whole))
    guard found.count == results.count, known.count == truth.count, !known.isEmpty,
      !found.isSubset(of: known), let least = found.min(), let greatest = found.max(),
      let first = known.min()
    else { return nil }
    let isCOCO = known == Set(1...90).subtracting(Self.gaps)
    let isOneLess = first == 1 && least == 0 && known.isSuperset(of: found.map { $0 + 1 })
    let isOneMore = first == 0 && least >= 1 && known.isSuperset(of: found.map { $0 - 1 })
    // A few ids fit both: of the ids 0–79, one in nine is a gap of 1–90 shifted by one.
    if isCOCO, isOneLess, greatest > 79 || found.count >= Self.manyClasses {
      self = .zeroTo89
    } else if isCOCO, least >= 0, greatest <= 80 {
      self = found.contains(0) ? .zeroTo79 : .oneTo80
      // 0–80 is neither.
      if found.contains(0), greatest == 80 { return nil }
    } else if isOneLess {
      self = .fromZero
    } else if isOneMore {
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

  /// The suggested fix, one clause.
  package var advice: String {
    switch self {
    case .zeroTo79:
      "the results number COCO's 80 classes from 0 to 79; the ground truth has their ids, 1 to 90 with gaps: "
        + "write sorted(ids)[k] for class k into the results first"
    case .zeroTo89:
      "the results number COCO's classes from 0 to 89, one less than their ids in the ground truth, 1 to 90: "
        + "add 1 to every category_id first"
    case .oneTo80:
      "the results number COCO's 80 classes from 1 to 80; the ground truth has their ids, 1 to 90 with gaps: "
        + "write sorted(ids)[k − 1] for class k into the results first"
    case .fromZero:
      "the results number the classes from 0, the ground truth from 1: add 1 to every category_id first"
    case .fromOne:
      "the results number the classes from 1, the ground truth from 0: subtract 1 from every category_id first"
    }
  }
}
