import AssayCore
import GRDB

/// A detector's evaluation that an expression names.
struct MatchedEvaluation {
  var id: Int64
  var settings: MatchSettings
  /// The run and its evaluation as the expression spells them.
  var spelling: String
  var run: ExpressionRun
}

/// The match counts of a sample's detections, as SQL.
extension ViewCompiler {
  typealias RunField = ViewExpression.RunField
  typealias MatchThresholds = ViewExpression.MatchThresholds

  /// The evaluation of a detection run, with its matching settings.
  func matching(
    _ name: ViewExpression.Word?, of run: ExpressionRun, at place: ViewExpression.Word
  ) throws(ExpressionError) -> MatchedEvaluation {
    let id = try evaluation(name, of: run, at: place)
    let spelling = ViewExpression.Subject.spelling(place, name)
    do {
      let row = try Row.fetchOne(
        database, sql: "SELECT * FROM evaluation WHERE id = ?", arguments: [id])
      if let settings = try row.flatMap({ try MatchSettings(row: $0) }) {
        return MatchedEvaluation(id: id, settings: settings, spelling: spelling, run: run)
      }
    } catch {
      throw ExpressionError(
        source: source, offset: place.offset,
        message: "the evaluation of run “\(run.name)” cannot be read: \(error)")
    }
    throw ExpressionError(
      source: source, offset: place.offset,
      message: "the evaluation of run “\(run.name)” has no matches; evaluate it again")
  }

  /// The number of a detector's detections in a sample `s`, for a run without an evaluation; `nil`
  /// if the run has one, an evaluation is named, or another field is requested. NULL if the run
  /// does not have the sample.
  func unevaluatedNumber(
    _ field: RunField, _ cut: MatchThresholds, of run: ExpressionRun,
    _ evaluation: ViewExpression.Word?
  ) throws(ExpressionError) -> Condition? {
    guard cut.category == nil, try isUnevaluated(field, run, evaluation) else { return nil }
    return Condition(
      """
      (SELECT (SELECT count(*) FROM detection p WHERE p.run = r.run AND p.sample = r.sample \
      AND p.confidence >= ?) \
      FROM runSample r WHERE r.run = ? AND r.sample = s.id AND r.status = 'done')
      """, [cut.score?.number ?? Self.plainScore, run.id])
  }

  /// The minimum score of the detections that count in a run without an evaluation.
  private static var plainScore: Double { 0.3 }

  private func isUnevaluated(
    _ field: RunField, _ run: ExpressionRun, _ evaluation: ViewExpression.Word?
  ) throws(ExpressionError) -> Bool {
    guard field == .detections, evaluation == nil, run.task.output == .objects else { return false }
    do {
      return try Int.fetchOne(
        database, sql: "SELECT 1 FROM evaluation WHERE run = ? LIMIT 1", arguments: [run.id]) == nil
    } catch {
      throw ExpressionError(
        source: source, offset: 0,
        message: "the evaluations of run “\(run.name)” cannot be read: \(error)")
    }
  }

  /// A number for a detector's field in a sample `s`; NULL if the evaluation does not have the
  /// sample.
  func matchNumber(
    _ field: RunField, _ cut: MatchThresholds, of evaluation: MatchedEvaluation
  ) throws(ExpressionError) -> Condition {
    let settings = evaluation.settings
    let place = try threshold(cut.iou, of: evaluation)
    let score = cut.score?.number ?? settings.score
    let isWorking = 1 << UInt64(place) == settings.workingBit
    if field.errorKind != nil, let literal = cut.iou, !isWorking {
      throw ExpressionError(
        source: source, offset: literal.offset,
        message: "error types are stored for IoU \(MatchBasis.text(settings.iou)) only; omit "
          + "“iou: \(literal.text)”, or evaluate with --iou \(literal.text) under another name")
    }
    let from = "FROM detectionTally p WHERE p.evaluation = ? AND p.sample = s.id"
    if let category = cut.category {
      let ordinal = try ordinal(of: category, in: evaluation)
      let own = 1 << UInt64(settings.place(of: settings.iou) ?? 0) as UInt64
      guard
        let number = field.classNumber(bit: 1 << UInt64(place), own: own, score: score)
      else { return Condition("NULL") }
      return Condition(
        """
        (SELECT (SELECT \(number) FROM match m WHERE m.evaluation = p.evaluation \
        AND m.sample = p.sample AND m.class = ?) \(from))
        """, [ordinal, evaluation.id])
    }
    if isWorking, score == settings.score, let column = field.storedNumber {
      return Condition("(SELECT \(column) \(from))", [evaluation.id])
    }
    guard let number = field.countedNumber(bit: 1 << UInt64(place)) else {
      return Condition("NULL")
    }
    return Condition(
      """
      (SELECT (SELECT \(number) FROM match m WHERE m.evaluation = p.evaluation \
      AND m.sample = p.sample AND m.confidence >= ?) \(from))
      """, [score, evaluation.id])
  }

  /// The evaluation behind a subject's number; `nil` if the number does not use a detector's
  /// matches.
  func basis(_ subject: ViewExpression.Subject) throws(ExpressionError) -> MatchBasis? {
    guard case .run(let name, let evaluation, let cut, let field) = subject else { return nil }
    let run = try run(name)
    guard run.task.output == .objects else { return nil }
    if try isUnevaluated(field, run, evaluation) {
      return MatchBasis(
        run: ViewExpression.Subject.spelling(name, nil), iou: nil,
        score: cut.score?.number ?? Self.plainScore)
    }
    let found = try matching(evaluation, of: run, at: name)
    let iou = found.settings.thresholds[try threshold(cut.iou, of: found)]
    let score = cut.score?.number ?? found.settings.score
    return MatchBasis(
      run: found.spelling, iou: field.dependsOnIoU ? iou : nil,
      score: field.dependsOnScore ? score : nil)
  }

  /// The index of a class among those of an evaluation.
  private func ordinal(
    of category: ViewExpression.Word, in evaluation: MatchedEvaluation
  ) throws(ExpressionError) -> Int {
    let names: [String]
    do {
      names = try String.fetchAll(
        database, sql: "SELECT name FROM evaluationClass WHERE evaluation = ? ORDER BY ordinal",
        arguments: [evaluation.id])
    } catch {
      throw ExpressionError(
        source: source, offset: category.offset,
        message: "the classes of run “\(evaluation.run.name)” cannot be read: \(error)")
    }
    if let ordinal = names.firstIndex(of: category.text) { return ordinal }
    throw ExpressionError(
      source: source, offset: category.offset,
      message: "run “\(evaluation.run.name)” was not evaluated for a class “\(category.text)”",
      word: category.text, candidates: names)
  }

  /// The index of an IoU threshold; of the evaluation's own if none is given.
  private func threshold(
    _ literal: ViewExpression.Literal?, of evaluation: MatchedEvaluation
  ) throws(ExpressionError) -> Int {
    let settings = evaluation.settings
    if let place = settings.place(of: literal?.number ?? settings.iou) { return place }
    throw ExpressionError(
      source: source, offset: literal?.offset ?? 0,
      message: "run “\(evaluation.run.name)” was not evaluated at IoU \(literal?.text ?? "")",
      candidates: settings.thresholds.map(MatchBasis.text))
  }
}

extension ViewExpression.RunField {
  /// The type of error that the field counts; `nil` for other fields.
  fileprivate var errorKind: DetectionErrorKind? {
    switch self {
    case .classificationErrors: .class
    case .localizationErrors: .place
    case .bothErrors: .both
    case .duplicates: .duplicate
    case .backgroundErrors: .background
    case .missed: .missed
    default: nil
    }
  }

  /// True if another IoU can be specified.
  var dependsOnIoU: Bool { self != .detections }

  /// True if the field uses only detections with at least a minimum score.
  var dependsOnScore: Bool { self != .missed }

  /// The field at the evaluation's own IoU and score, over a row `p` of `detectionTally`.
  fileprivate var storedNumber: String? {
    switch self {
    case .truePositives: "p.truePositives"
    case .falsePositives: "p.falsePositives"
    case .falseNegatives: "p.truths - p.truePositives"
    case .precision:
      "CAST(p.truePositives AS REAL) / nullif(p.truePositives + p.falsePositives, 0)"
    case .recall: "CAST(p.truePositives AS REAL) / nullif(p.truths, 0)"
    case .detections: "p.detections"
    case .classificationErrors: "p.classErrors"
    case .localizationErrors: "p.placeErrors"
    case .bothErrors: "p.bothErrors"
    case .duplicates: "p.duplicates"
    case .backgroundErrors: "p.backgroundErrors"
    case .missed: "p.missed"
    default: nil
    }
  }

  /// The field at the bit of an IoU threshold, over the rows `m` of a sample's detections and its
  /// row `p`.
  fileprivate func countedNumber(bit: UInt64) -> String? {
    let evaluated = "NOT m.ignored & \(bit)"
    let right = "count(*) FILTER (WHERE m.matched & \(bit) AND \(evaluated))"
    switch self {
    case .truePositives: return right
    case .falsePositives:
      return "count(*) FILTER (WHERE NOT m.matched & \(bit) AND \(evaluated))"
    case .falseNegatives: return "p.truths - \(right)"
    case .precision:
      return "CAST(\(right) AS REAL) / nullif(count(*) FILTER (WHERE \(evaluated)), 0)"
    case .recall: return "CAST(\(right) AS REAL) / nullif(p.truths, 0)"
    case .detections: return "count(*)"
    default: return errorKind.map { "count(*) FILTER (WHERE m.error = '\($0.stored)')" }
    }
  }

  /// The field for one class at the bit of an IoU threshold, over the rows `m` of a sample that have the class.
  ///
  /// - Parameters:
  ///   - own: the bit of the evaluation's own IoU, at which the rows of objects that were not found are stored.
  ///   - score: the minimum score of detections that count.
  fileprivate func classNumber(bit: UInt64, own: UInt64, score: Double) -> String? {
    let right =
      "count(*) FILTER (WHERE m.matched & \(bit) AND NOT m.ignored & \(bit) AND m.confidence >= \(score))"
    let wrong =
      "count(*) FILTER (WHERE NOT m.matched & \(bit) AND NOT m.ignored & \(bit) AND m.confidence >= \(score))"
    let objects =
      "count(*) FILTER (WHERE (m.prediction IS NULL OR m.matched & \(own)) AND NOT m.ignored & \(own))"
    switch self {
    case .truePositives: return right
    case .falsePositives: return wrong
    case .falseNegatives: return "\(objects) - \(right)"
    case .precision: return "CAST(\(right) AS REAL) / nullif(\(right) + \(wrong), 0)"
    case .recall: return "CAST(\(right) AS REAL) / nullif(\(objects), 0)"
    case .detections: return "count(*) FILTER (WHERE m.confidence >= \(score))"
    case .missed: return "count(*) FILTER (WHERE m.error = 'missed')"
    default:
      return errorKind.map {
        "count(*) FILTER (WHERE m.error = '\($0.stored)' AND m.confidence >= \(score))"
      }
    }
  }
}
