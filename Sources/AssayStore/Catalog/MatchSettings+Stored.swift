import AssayCore
import GRDB

extension MatchSettings {
  /// How near two IoU thresholds are that are meant to be one: `linspace` gives 0.8999999999999999.
  static let tolerance = 1e-9

  /// The bits that matches can have.
  var bits: UInt64 { (1 << UInt64(min(thresholds.count, Self.thresholdLimit))) - 1 }

  /// The bit of ``iou``.
  var workingBit: UInt64 { place(of: iou).map { 1 << UInt64($0) } ?? 0 }

  /// The place of an IoU threshold; `nil` where it is none.
  func place(of iou: Double) -> Int? {
    thresholds.firstIndex { abs($0 - iou) <= Self.tolerance }
  }

  /// What is wrong with them; `nil` for nothing.
  var fault: String? {
    guard !thresholds.isEmpty, thresholds.count <= Self.thresholdLimit else {
      return "\(thresholds.count) IoU thresholds; 1 to \(Self.thresholdLimit) can be kept"
    }
    guard thresholds.allSatisfy({ (0...1).contains($0) }), score.isFinite else {
      return "a number that cannot be"
    }
    guard zip(thresholds, thresholds.dropFirst()).allSatisfy({ $0 < $1 }) else {
      return "IoU thresholds that do not ascend"
    }
    guard place(of: iou) != nil else {
      return "IoU \(iou), which is none of the thresholds"
    }
    return nil
  }

  /// The thresholds as JSON.
  var thresholdsText: String { JSONValue.array(thresholds.map { .number($0) }).text() }

  /// Reads an evaluation's columns; `nil` where it has none.
  ///
  /// - Throws: ``StoreError/damaged(table:_:)``.
  init?(row: Row) throws {
    guard let text: String = row["iouThresholds"] else { return nil }
    let elements = (try? JSONValue(parsing: text))?.elements
    guard let iou: Double = row["workingIoU"], let score: Double = row["workingScore"], let elements
    else {
      throw StoreError.damaged(table: "evaluation", "its IoU thresholds cannot be read")
    }
    self.init(thresholds: elements.compactMap(\.double), iou: iou, score: score)
    guard thresholds.count == elements.count, fault == nil else {
      throw StoreError.damaged(table: "evaluation", "its IoU thresholds are none")
    }
  }
}

extension MatchRecord {
  /// What of it does not fit an evaluation of so many classes; `nil` for nothing.
  func fault(classes: Int, bits: UInt64) -> String? {
    guard (0..<classes).contains(self.class) else {
      return "a class that the evaluation does not have"
    }
    guard prediction ?? 0 >= 0, annotation ?? 0 >= 0, confidence?.isFinite ?? true,
      iou?.isFinite ?? true
    else { return "a number that cannot be" }
    guard (prediction == nil) == (confidence == nil) else {
      return "a detection without its confidence, or a confidence without its detection"
    }
    guard prediction != nil || annotation != nil else { return "a match of nothing" }
    guard (matched | ignored) & ~bits == 0 else { return "more bits than IoU thresholds" }
    return nil
  }
}
