import AssayCore
import AssayStore

/// The outcome of a detector for one object of the ground truth, at a given IoU and minimum score.
package struct ObjectAnswer: Hashable, Sendable {
  /// The reason why the object was not found, or `found`. The raw value is its name in JSON.
  package enum Outcome: String, CaseIterable, Hashable, Sendable {
    case found
    /// A detection would match with a higher score.
    case unsure = "low_score"
    /// A detection at the object's location has another class.
    case otherClass = "class"
    /// A detection of the object's class overlaps it too little.
    case place
    /// A detection of another class overlaps the object too little.
    case both
    /// No detection is assigned to the object.
    case nothing
  }

  package var outcome: Outcome
  /// The detection's rank in its sample, highest score first; `nil` if there is no detection.
  package var prediction: Int?
  /// The detection's class, an index into the evaluation's classes.
  package var category: Int?
  /// The detection's score.
  package var confidence: Double?
  /// The IoU of the detection and the object, in 0...1.
  package var iou: Double?

  package init(
    _ outcome: Outcome, prediction: Int? = nil, category: Int? = nil, confidence: Double? = nil,
    iou: Double? = nil
  ) {
    self.outcome = outcome
    self.prediction = prediction
    self.category = category
    self.confidence = confidence
    self.iou = iou
  }

  package var isFound: Bool { outcome == .found }
}

/// The rule by which an object counts as found: the IoU and the minimum score that a match needs.
struct MatchRule: Hashable, Sendable {
  /// The bit of the working IoU in ``MatchRecord/matched``.
  var bit: UInt64
  /// The minimum score.
  var score: Double

  /// Returns the outcomes for the annotations of a sample by ordinal, from its matches; annotations without an outcome
  /// are left out.
  func answers(_ rows: [MatchRecord]) -> [Int: ObjectAnswer] {
    var answers: [Int: ObjectAnswer] = [:]
    for row in rows {
      guard let annotation = row.annotation, let prediction = row.prediction,
        let outcome = outcome(of: row)
      else { continue }
      let answer = ObjectAnswer(
        outcome, prediction: prediction, category: row.class, confidence: row.confidence,
        iou: row.iou)
      if answers[annotation].map({ Self.explains(answer, better: $0) }) ?? true {
        answers[annotation] = answer
      }
    }
    return answers
  }

  /// Returns the outcome of a match for its object; `nil` if the match says nothing about it.
  private func outcome(of row: MatchRecord) -> ObjectAnswer.Outcome? {
    guard row.ignored & bit == 0 else { return nil }
    let isSure = (row.confidence ?? 0) >= score
    if row.matched & bit != 0 { return isSure ? .found : .unsure }
    guard isSure else { return nil }
    return switch row.error {
    case .class: .otherClass
    case .place: .place
    case .both: .both
    case .duplicate, .background, .missed, nil: nil
    }
  }

  /// Ranks answers: a match explains more than an error; among errors, the one with the highest
  /// score wins.
  private static func explains(_ answer: ObjectAnswer, better known: ObjectAnswer) -> Bool {
    func rank(_ answer: ObjectAnswer) -> Int {
      switch answer.outcome {
      case .found: 0
      case .unsure: 1
      default: 2
      }
    }
    let (new, old) = (rank(answer), rank(known))
    return new != old ? new < old : (answer.confidence ?? 0) > (known.confidence ?? 0)
  }
}
