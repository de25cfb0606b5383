package import AssayCore
import GRDB

/// The settings of an evaluation's matches.
package struct MatchSettings: Hashable, Sendable {
  /// The most thresholds that matches are kept for.
  package static let thresholdLimit = 63

  /// The IoU thresholds, ascending: bit k of ``MatchRecord/matched`` is of the k-th.
  package var thresholds: [Double]
  /// The IoU, one of the thresholds, at which queries and the types of error call a detection right.
  package var iou: Double
  /// The least score that queries look at unless told.
  package var score: Double

  package init(thresholds: [Double], iou: Double, score: Double) {
    self.thresholds = thresholds
    self.iou = iou
    self.score = score
  }
}

/// The match of one detection, or of one object without a detection.
package struct MatchRecord: Hashable, Sendable {
  /// The detection's place in its sample, as ``Catalog/detections(of:where:)`` gives them; `nil` for an
  /// object that was not found at the working IoU.
  package var prediction: Int?
  /// The annotation's ordinal in its sample: the object that was matched at the working IoU, or the one
  /// that the error is about.
  package var annotation: Int?
  /// An index into the evaluation's classes: the detection's, else the object's.
  package var `class`: Int
  /// The detection's.
  package var confidence: Double?
  /// Of the detection and the annotation.
  package var iou: Double?
  /// The error type at the working IoU; `nil` for what is right or ignored, and for a missed object
  /// that another error explains.
  package var error: DetectionErrorKind?
  /// Bit k: whether it was matched at the k-th IoU threshold.
  package var matched: UInt64
  /// Bit k: whether it is neither right nor wrong at the k-th IoU threshold.
  package var ignored: UInt64

  package init(
    prediction: Int?, annotation: Int?, class: Int, confidence: Double? = nil, iou: Double? = nil,
    error: DetectionErrorKind? = nil, matched: UInt64 = 0, ignored: UInt64 = 0
  ) {
    self.prediction = prediction
    self.annotation = annotation
    self.class = `class`
    self.confidence = confidence
    self.iou = iou
    self.error = error
    self.matched = matched
    self.ignored = ignored
  }
}

/// The matches of one sample.
package struct SampleMatches: Hashable, Sendable {
  package var sample: Int64
  /// In the order in which they were stored.
  package var rows: [MatchRecord]
}

/// A match with its sample.
package struct SampleMatch: Hashable, Sendable {
  package var sample: Int64
  package var match: MatchRecord
}

/// The contribution of one sample to every detection score.
package struct DetectionTallyRecord: Hashable, Sendable {
  package var sample: Int64
  /// The metrics' own packing of the sample's matches and errors.
  package var matches: [UInt8]
  package var errors: [UInt8]
  /// A row for each detection, and one for each object not matched at the working IoU; empty where the
  /// tallies were read, as ``Catalog/matches(of:samples:)`` gives these.
  package var rows: [MatchRecord]
  /// The objects that count, crowds and others that are ignored left out.
  package var truths: Int

  package init(
    sample: Int64, matches: [UInt8], errors: [UInt8], rows: [MatchRecord] = [], truths: Int
  ) {
    self.sample = sample
    self.matches = matches
    self.errors = errors
    self.rows = rows
    self.truths = truths
  }
}

/// The IoU and the least score that an expression's numbers of a run went by.
package struct MatchBasis: Hashable, Sendable {
  /// The run as the expression spells it: `r1`, `r1@strict`.
  package var run: String
  /// `nil` where none of the numbers depends on it.
  package var iou: Double?
  /// `nil` where none of the numbers depends on it.
  package var score: Double?

  package init(run: String, iou: Double?, score: Double?) {
    self.run = run
    self.iou = iou
    self.score = score
  }
}

extension MatchSettings {
  /// The maximum difference between two IoU thresholds that are treated as one: `linspace` gives
  /// 0.8999999999999999.
  static let tolerance = 1e-9

  /// The bits that matches can have.
  var bits: UInt64 { (1 << UInt64(min(thresholds.count, Self.thresholdLimit))) - 1 }

  /// The bit of ``iou``.
  var workingBit: UInt64 { place(of: iou).map { 1 << UInt64($0) } ?? 0 }

  /// The place of an IoU threshold; `nil` where it is none.
  func place(of iou: Double) -> Int? {
    thresholds.firstIndex { abs($0 - iou) <= Self.tolerance }
  }

  /// The error in them; `nil` for none.
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
  /// The part of it that does not fit an evaluation of so many classes; `nil` for none.
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
