/// The counts of the detections with at least a given score, and the resulting precision, recall
/// and F1.
package struct WorkingPoint: Sendable, Equatable {
  /// The minimum score of the detections.
  package var score: Double
  /// The number of correct detections.
  package var right: Int
  /// The number of wrong detections.
  package var wrong: Int
  /// The number of objects that must be found.
  package var truths: Int

  package init(score: Double, right: Int, wrong: Int, truths: Int) {
    self.score = score
    self.right = right
    self.wrong = wrong
    self.truths = truths
  }

  /// The number of objects that are not found.
  package var notFound: Int { truths - right }
  /// The share of correct detections, in 0...1; `nil` without detections.
  package var precision: Double? { Self.ratio(right, right + wrong) }
  /// The share of objects that are found, in 0...1; `nil` without objects.
  package var recall: Double? { Self.ratio(right, truths) }
  /// 2tp/(2tp+fp+fn), in 0...1; `nil` without detections and objects.
  package var f1: Double? { Self.ratio(2 * right, right + wrong + truths) }

  private static func ratio(_ part: Int, _ whole: Int) -> Double? {
    whole == 0 ? nil : Double(part) / Double(whole)
  }
}

extension WorkingPoint {
  /// The point of a ranking at a score.
  init(_ ranking: ErrorRanking, at score: Double) {
    self.init(score: score, right: 0, wrong: 0, truths: ranking.truths.count)
    for (step, found) in zip(ranking.steps, ranking.scores) {
      if found < score { break }
      add(step)
    }
  }

  /// The point of a ranking with the maximum F1, the highest score in case of ties; `nil` if no
  /// detection is correct.
  static func best(_ ranking: ErrorRanking) -> WorkingPoint? {
    var best: WorkingPoint?
    var point = WorkingPoint(score: 0, right: 0, wrong: 0, truths: ranking.truths.count)
    for (step, score) in zip(ranking.steps, ranking.scores) {
      point.add(step)
      guard step & ErrorRanking.StepFlag.endsTie != 0 else { continue }
      point.score = score
      if point.f1 ?? 0 > best?.f1 ?? 0 { best = point }
    }
    return best
  }

  private mutating func add(_ step: ErrorRanking.Step) {
    switch step & ErrorRanking.StepFlag.kinds {
    case ErrorRanking.Kind.right: right += 1
    case ErrorRanking.Kind.visitor: break
    default: wrong += 1
    }
  }

  /// The point of several classes together at one score.
  static func pooled(_ points: [WorkingPoint], at score: Double) -> WorkingPoint {
    points.reduce(into: WorkingPoint(score: score, right: 0, wrong: 0, truths: 0)) {
      $0.right += $1.right
      $0.wrong += $1.wrong
      $0.truths += $1.truths
    }
  }
}
