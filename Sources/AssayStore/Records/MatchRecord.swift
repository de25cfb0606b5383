package import AssayCore
import GRDB

/// The settings of an evaluation's matches.
package struct MatchSettings: Hashable, Sendable {
  /// The maximum number of thresholds for which matches are stored.
  package static let thresholdLimit = 63

  /// The IoU thresholds, ascending: bit k of ``MatchRecord/matched`` belongs to the k-th.
  package var thresholds: [Double]
  /// The IoU, one of the thresholds, at which queries and error types count a detection as correct.
  package var iou: Double
  /// The default minimum score of queries.
  package var score: Double

  package init(thresholds: [Double], iou: Double, score: Double) {
    self.thresholds = thresholds
    self.iou = iou
    self.score = score
  }
}

/// The match of one detection, or of one object without a detection.
package struct MatchRecord: Hashable, Sendable {
  /// The detection's index in its sample, in the order of ``Catalog/detections(of:where:)``; `nil`
  /// for an object that was not found at the working IoU.
  package var prediction: Int?
  /// The annotation's ordinal in its sample: the object that was matched at the working IoU, or the
  /// one that the error concerns.
  package var annotation: Int?
  /// An index into the evaluation's classes: the detection's class, else the object's.
  package var `class`: Int
  /// The detection's confidence.
  package var confidence: Double?
  /// The IoU of the detection and the annotation.
  package var iou: Double?
  /// The error type at the working IoU; `nil` if the row is correct or ignored, and for a missed
  /// object that another error explains.
  package var error: DetectionErrorKind?
  /// Bit k is set if it is matched at the k-th IoU threshold.
  package var matched: UInt64
  /// Bit k is set if it is neither correct nor wrong at the k-th IoU threshold.
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
  /// In storage order.
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
  /// The packed form of the sample's matches and errors, defined by the metrics.
  package var matches: [UInt8]
  package var errors: [UInt8]
  /// One row per detection, and one per object not matched at the working IoU; empty when the
  /// tallies are read, because ``Catalog/matches(of:samples:)`` returns the rows.
  package var rows: [MatchRecord]
  /// The number of objects that count, without crowds and other ignored objects.
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

/// The IoU and the minimum score that an expression used for a run's numbers.
package struct MatchBasis: Hashable, Sendable {
  /// The run as the expression spells it: `r1`, `r1@strict`.
  package var run: String
  /// `nil` if none of the numbers depends on it.
  package var iou: Double?
  /// `nil` if none of the numbers depends on it.
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

  /// The bits that matches can use.
  var bits: UInt64 { (1 << UInt64(min(thresholds.count, Self.thresholdLimit))) - 1 }

  /// The bit of ``iou``; 0 if it is not one of the thresholds.
  package var workingBit: UInt64 { place(of: iou).map { 1 << UInt64($0) } ?? 0 }

  /// The index of an IoU threshold; `nil` if it is not one of the thresholds.
  func place(of iou: Double) -> Int? {
    thresholds.firstIndex { abs($0 - iou) <= Self.tolerance }
  }

  /// The error in the settings; `nil` if there is none.
  var fault: String? {
    guard !thresholds.isEmpty, thresholds.count <= Self.thresholdLimit else {
      return "\(thresholds.count) IoU thresholds; 1 to \(Self.thresholdLimit) can be kept"
    }
    guard thresholds.allSatisfy({ (0...1).contains($0) }), score.isFinite else {
      return "an IoU threshold outside 0 to 1, or a score that is NaN or infinite"
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

  /// Reads an evaluation's columns; `nil` if it has none.
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
      throw StoreError.damaged(table: "evaluation", "its IoU thresholds are invalid")
    }
  }
}

extension MatchRecord {
  /// The part of it that does not fit an evaluation with this many classes; `nil` if there is none.
  func fault(classes: Int, bits: UInt64) -> String? {
    guard (0..<classes).contains(self.class) else {
      return "a class that the evaluation does not have"
    }
    guard prediction ?? 0 >= 0, annotation ?? 0 >= 0, confidence?.isFinite ?? true,
      iou?.isFinite ?? true
    else { return "a negative index, or a confidence or IoU that is NaN or infinite" }
    guard (prediction == nil) == (confidence == nil) else {
      return "a detection without its confidence, or a confidence without its detection"
    }
    guard prediction != nil || annotation != nil else {
      return "a match with neither a detection nor an annotation"
    }
    guard (matched | ignored) & ~bits == 0 else { return "more bits than IoU thresholds" }
    return nil
  }
}
