import AssayCore

/// The scores and classes of boxes that a model chose itself.
///
/// Rows that the model did not use have the score 0 or −1.
struct FinalScores: BoxScoring {
  private let layout: BoxTensorLayout
  private let scores: BoxTensorLayout.Columns
  /// The numbers of the classes; `nil` if all boxes are of the only one.
  private let labels: BoxTensorLayout.Columns?
  private let classBase: Int
  private let order: DetectorRule.Row
  private let isForeground: [Bool]

  /// The score of an unused row in the exports that fill them with −1.
  private static let padding: Float = -1

  init?(_ layout: BoxTensorLayout, _ rule: DetectorRule, isForeground: [Bool]) {
    guard rule.head.isFinal || layout.labels != nil else { return nil }
    order = rule.row
    self.layout = layout
    classBase = rule.head.classBase ?? 0
    labels = layout.labels
    self.isForeground = isForeground
    scores = layout.scores
  }

  func check(
    _ outputs: UnsafeBufferPointer<Float>, least: Float, sample: String
  ) throws(InferenceError) {
    if let place = layout.chosenCount {
      let count = outputs[place]
      guard count == count.rounded(), (0...Float(layout.rows)).contains(count) else {
        throw .chosenCount(sample: sample, value: count, rows: layout.rows)
      }
    }
    for row in 0..<rows(outputs) {
      let score = outputs[scores.place(row, 0)]
      if score == Self.padding { continue }
      guard score >= -BoxScores.tolerance, score <= 1 + BoxScores.tolerance else {
        throw .finalScoreOutOfRange(sample: sample, row: values(row, outputs), order: order)
      }
      guard score < least || ordinal(row, outputs) != nil else {
        throw .classOutOfRange(
          sample: sample, row: values(row, outputs), order: order, classes: layout.classes,
          base: classBase)
      }
    }
  }

  func candidates(
    _ outputs: UnsafeBufferPointer<Float>, least: Float, bestClassOnly: Bool
  ) -> [BoxCandidate] {
    var found = BoxCandidates(least: least)
    for row in 0..<rows(outputs) {
      let score = outputs[scores.place(row, 0)]
      guard score >= found.least, let ordinal = ordinal(row, outputs), isForeground[ordinal] else {
        continue
      }
      found.add(score, row: row, class: ordinal)
    }
    return found.ranked()
  }

  func scores(
    ofRow row: Int, _ outputs: UnsafeBufferPointer<Float>, least: Float
  ) -> [Detection.ClassScore] { [] }

  func areProbabilities(_ outputs: UnsafeBufferPointer<Float>) -> Bool { true }

  /// The class of a row; `nil` if its number is not a whole one of the manifest's classes.
  private func ordinal(_ row: Int, _ outputs: UnsafeBufferPointer<Float>) -> Int? {
    guard let labels else { return 0 }
    guard let number = Int(exactly: outputs[labels.place(row, 0)]) else { return nil }
    let (ordinal, overflow) = number.subtractingReportingOverflow(classBase)
    return !overflow && isForeground.indices.contains(ordinal) ? ordinal : nil
  }

  /// A box, its score and, if it has one, the number of its class.
  private func values(_ row: Int, _ outputs: UnsafeBufferPointer<Float>) -> [Float] {
    (0..<4).map { outputs[layout.boxes.place(row, $0)] }
      + [outputs[scores.place(row, 0)]] + (labels.map { [outputs[$0.place(row, 0)]] } ?? [])
  }

  /// The number of rows that the model used: all, or as many as it states.
  private func rows(_ outputs: UnsafeBufferPointer<Float>) -> Int {
    guard let place = layout.chosenCount else { return layout.rows }
    return Int(min(max(outputs[place], 0), Float(layout.rows)))
  }
}
