/// The counts of the detections with at least a given score, and the precision, recall and F1 that follow.
package struct WorkingPoint: Sendable, Equatable {
  /// Detections with this score and above are looked at.
  package var score: Double
  /// The detections that are right.
  package var right: Int
  /// The detections that are wrong.
  package var wrong: Int
  /// The objects that must be found.
  package var truths: Int

  package init(score: Double, right: Int, wrong: Int, truths: Int) {
    self.score = score
    self.right = right
    self.wrong = wrong
    self.truths = truths
  }

  /// The objects that are not found.
  package var notFound: Int { truths - right }
  /// The share of the detections that is right, in 0...1; `nil` without any.
  package var precision: Double? { Self.ratio(right, right + wrong) }
  /// The share of the objects that is found, in 0...1; `nil` without any.
  package var recall: Double? { Self.ratio(right, truths) }
  /// 2tp/(2tp+fp+fn), in 0...1; `nil` without any detection and any object.
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

  /// The point of a ranking at which F1 is highest, the highest score of several; `nil` where no detection
  /// is right.
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

  /// Several classes' points at one score.
  static func pooled(_ points: [WorkingPoint], at score: Double) -> WorkingPoint {
    points.reduce(into: WorkingPoint(score: score, right: 0, wrong: 0, truths: 0)) {
      $0.right += $1.right
      $0.wrong += $1.wrong
      $0.truths += $1.truths
    }
  }
}
