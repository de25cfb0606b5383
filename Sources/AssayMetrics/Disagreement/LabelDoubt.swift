/// The degree to which a model's probabilities contradict a label.
///
/// Samples are ranked by self-confidence, the model's probability of the label: on FER-2013 and
/// digits with planted errors it finds more errors than the margin and entropy scores. Possible
/// label errors are counted by confident learning in its simple form: a class's threshold is the
/// mean probability of that class over the samples labeled with it. A label is a possible error if
/// the most likely class among those that reach their threshold is another one, and the model
/// predicts another one.
///
/// It is meaningful only if the model was not trained on the labels that it evaluates.
///
/// Source: C. Northcutt, L. Jiang, I. Chuang, "Confident Learning: Estimating Uncertainty in Dataset Labels"
/// (2021), doi:10.1613/jair.1.12125, sections 3.1 (thresholds, confident joint) and 3.2 (self-confidence).
package struct LabelDoubt: Hashable, Sendable {
  /// True if the model confidently predicts another class; never if it predicts the label.
  package var isLikelyWrong: Bool
  /// The class with the largest probability; the first in case of ties.
  package var predicted: Int
  /// The probability of the label, in 0...1; lower means more doubtful.
  package var selfConfidence: Double
  /// The label's probability minus the largest of the others, in −1...1; breaks ties between equal
  /// self-confidences, lower means more doubtful.
  package var margin: Double

  /// The doubts about the labels of some samples, in the same order.
  ///
  /// - Parameters:
  ///   - labels: one class per sample.
  ///   - scores: the probabilities of all classes, one row per sample.
  ///   - classCount: the number of columns, at least 2.
  /// - Returns: `nil` if there are fewer than two classes, the number of rows does not fit, or a
  ///   label is not one of the classes.
  /// - Complexity: O(*n* · *c*).
  package static func all(
    labels: [Int], scores: [Float], classCount: Int
  ) -> [LabelDoubt]? {
    guard classCount >= 2, scores.count == labels.count * classCount,
      labels.allSatisfy({ (0..<classCount).contains($0) })
    else { return nil }
    let thresholds = thresholds(labels: labels, scores: scores, classCount: classCount)
    return scores.withUnsafeBufferPointer { scores in
      labels.indices.map { sample in
        let row = UnsafeBufferPointer(
          rebasing: scores[sample * classCount..<(sample + 1) * classCount])
        return LabelDoubt(label: labels[sample], row, thresholds)
      }
    }
  }

  /// The estimated number of wrong labels: the samples off the diagonal of the confident joint,
  /// whose rows are scaled to the number of samples with each label.
  ///
  /// - Returns: `nil` as ``all(labels:scores:classCount:)``.
  /// - Complexity: O(*n* · *c*).
  package static func estimatedErrors(
    labels: [Int], scores: [Float], classCount: Int
  ) -> Int? {
    guard classCount >= 2, scores.count == labels.count * classCount,
      labels.allSatisfy({ (0..<classCount).contains($0) })
    else { return nil }
    let thresholds = thresholds(labels: labels, scores: scores, classCount: classCount)
    var totals = [Int](repeating: 0, count: classCount)
    var confident = totals
    var contradicted = totals
    scores.withUnsafeBufferPointer { scores in
      for (sample, label) in labels.enumerated() {
        totals[label] += 1
        let row = UnsafeBufferPointer(
          rebasing: scores[sample * classCount..<(sample + 1) * classCount])
        guard let place = confidentClass(row, thresholds) else { continue }
        confident[label] += 1
        if place != label { contradicted[label] += 1 }
      }
    }
    let errors = totals.indices.reduce(0.0) { sum, label in
      guard confident[label] > 0 else { return sum }
      return sum + Double(totals[label]) * Double(contradicted[label]) / Double(confident[label])
    }
    return Int(errors.rounded())
  }

  /// The most likely class among those that reach their threshold; the first in case of ties.
  private static func confidentClass(
    _ row: UnsafeBufferPointer<Float>, _ thresholds: [Double?]
  ) -> Int? {
    var confident: Int?
    for (place, score) in row.enumerated() {
      if let threshold = thresholds[place], Double(score) >= threshold - tolerance,
        confident.map({ score > row[$0] }) ?? true
      {
        confident = place
      }
    }
    return confident
  }

  /// The mean probability of each class over the samples labeled with it; `nil` for a class without
  /// samples.
  static func thresholds(labels: [Int], scores: [Float], classCount: Int) -> [Double?] {
    var sums = [Double](repeating: 0, count: classCount)
    var counts = [Int](repeating: 0, count: classCount)
    for (sample, label) in labels.enumerated() {
      sums[label] += Double(scores[sample * classCount + label])
      counts[label] += 1
    }
    return zip(sums, counts).map { $1 == 0 ? nil : $0 / Double($1) }
  }

  /// The tolerance by which a probability can be below its threshold: if all probabilities of a
  /// class are equal, the rounding of their sum must not decide.
  private static let tolerance = 1e-6

  private init(label: Int, _ row: UnsafeBufferPointer<Float>, _ thresholds: [Double?]) {
    var predicted = 0
    var other: Int?
    for (place, score) in row.enumerated() {
      if score > row[predicted] { predicted = place }
      if place != label, other.map({ score > row[$0] }) ?? true { other = place }
    }
    let confident = Self.confidentClass(row, thresholds)
    self.predicted = predicted
    isLikelyWrong = predicted != label && confident.map { $0 != label } ?? false
    selfConfidence = Double(row[label])
    margin = Double(row[label]) - Double(row[other ?? label])
  }
}
