import AssayCore
import GRDB

/// A run that an expression names.
struct ExpressionRun {
  var id: Int64
  var name: String
  var task: ModelTask
  var classes: [String]
  /// True if the run has predicted classes and no scores.
  var isLabelsOnly: Bool
  /// The minimum scores of its decision by class; `nil` without one.
  var acceptance: [Double?]?
}

/// Lookup of the runs and evaluations in an expression.
extension ViewCompiler {
  /// Returns a run on this dataset.
  func run(
    _ name: ViewExpression.Word
  ) throws(ExpressionError) -> ExpressionRun {
    do {
      let row = try Row.fetchOne(
        database,
        sql: """
          SELECT r.id, r.dataset, r.task, d.name, r.settings FROM run r JOIN dataset d ON d.id = r.dataset
          WHERE r.name = ?
          """, arguments: [name.text])
      guard let row else {
        throw unknown(
          "unknown run “\(name.text)”", name.text, name.offset,
          among: try String.fetchAll(
            database, sql: "SELECT name FROM run WHERE dataset = ? ORDER BY name",
            arguments: [scope.dataset.id]))
      }
      guard row["dataset"] == scope.dataset.id else {
        throw ExpressionError(
          source: source, offset: name.offset,
          message: "run “\(name.text)” is on dataset “\(row["name"] as String)”, "
            + "not on “\(scope.dataset.name)”")
      }
      let id: Int64 = row["id"]
      let classes = try String.fetchAll(
        database, sql: "SELECT name FROM runClass WHERE run = ? ORDER BY ordinal", arguments: [id])
      return ExpressionRun(
        id: id, name: name.text, task: try row.stored("task", of: "run"), classes: classes,
        isLabelsOnly: RunRecord.isLabelsOnly(settings: row["settings"]),
        acceptance: RunRecord.acceptance(settings: row["settings"], classes: classes))
    } catch let error as ExpressionError {
      throw error
    } catch {
      throw ExpressionError(
        source: source, offset: name.offset,
        message: "run “\(name.text)” cannot be read: \(error)")
    }
  }

  /// The ordinals of classes among those of a run.
  func ordinals(
    _ literals: [ViewExpression.Literal], of run: ExpressionRun
  ) throws(ExpressionError) -> [Int] {
    var ordinals: [Int] = []
    for literal in literals {
      guard let ordinal = run.classes.firstIndex(of: literal.text) else {
        throw unknown(
          "run “\(run.name)” has no class “\(literal.text)”", literal.text, literal.offset,
          among: run.classes)
      }
      ordinals.append(ordinal)
    }
    return ordinals
  }

  /// Checks that a run has a field, and that an evaluation, IoU or score is named only if the field
  /// depends on one.
  func check(
    _ run: ExpressionRun, _ evaluation: ViewExpression.Word?, _ cut: ViewExpression.MatchThresholds,
    _ field: ViewExpression.RunField, at name: ViewExpression.Word
  ) throws(ExpressionError) {
    guard field.tasks.contains(run.task) else {
      let fields = ViewExpression.RunField.list(of: run.task)
      throw ExpressionError(
        source: source, offset: name.offset,
        message:
          "run “\(run.name)” (\(run.task.rawValue)) has no field .\(field.rawValue); its fields are \(fields)"
      )
    }
    if run.isLabelsOnly, field == .confidence || field == .margin {
      throw ExpressionError(
        source: source, offset: name.offset,
        message: "run “\(run.name)” has predicted classes and no scores, so it has no "
          + ".\(field.rawValue); its fields are .label and .correct")
    }
    if field == .accepted { try requireDecision(of: run, at: name.offset) }
    if let evaluation, run.task.output == .label {
      throw ExpressionError(
        source: source, offset: evaluation.offset - 1,
        message: ".\(field.rawValue) belongs to the run itself; omit “@\(evaluation.text)”")
    }
    if let literal = cut.iou, !field.dependsOnIoU || run.task.output != .objects {
      throw superfluous("iou", literal, field)
    }
    if let literal = cut.score, !field.dependsOnScore || run.task.output != .objects {
      throw superfluous("score", literal, field)
    }
    if let category = cut.category, run.task.output != .objects {
      throw ExpressionError(
        source: source, offset: category.offset,
        message:
          ".\(field.rawValue) of run “\(run.name)” does not depend on “class”: only fields of detectors do"
      )
    }
  }

  /// Rejects `accepted` of a run without a decision on single predictions.
  func requireDecision(of run: ExpressionRun, at offset: Int) throws(ExpressionError) {
    guard run.acceptance == nil else { return }
    throw ExpressionError(
      source: source, offset: offset,
      message:
        "run “\(run.name)” was predicted without a decision on single predictions, so nothing of it is "
        + "accepted or not; record one with `assay predict --decision FILE`")
  }

  private func superfluous(
    _ what: String, _ literal: ViewExpression.Literal, _ field: ViewExpression.RunField
  ) -> ExpressionError {
    ExpressionError(
      source: source, offset: literal.offset,
      message: ".\(field.rawValue) does not depend on “\(what)”; omit “\(what): \(literal.text)”")
  }

  /// The id of a run's evaluation with this name, or by default of the one that `assay evaluate`
  /// creates.
  func evaluation(
    _ evaluation: ViewExpression.Word?, of run: ExpressionRun, at name: ViewExpression.Word
  ) throws(ExpressionError) -> Int64 {
    do {
      let found = try Int64.fetchOne(
        database, sql: "SELECT id FROM evaluation WHERE run = ? AND name = ?",
        arguments: [run.id, evaluation?.text ?? EvaluationRecord.defaultName])
      if let found { return found }
      let names = try String.fetchAll(
        database, sql: "SELECT name FROM evaluation WHERE run = ? ORDER BY id", arguments: [run.id])
      if let evaluation {
        throw unknown(
          "run “\(run.name)” has no evaluation “\(evaluation.text)”", evaluation.text,
          evaluation.offset, among: names)
      }
      try requireGroundTruth(of: run, at: name)
      throw ExpressionError(
        source: source, offset: name.offset,
        message: "run “\(run.name)” has not been evaluated; run `assay evaluate \(run.name)` first"
          + (names.first.map { ", or name an evaluation: run(\(run.name)@\($0))" } ?? ""))
    } catch let error as ExpressionError {
      throw error
    } catch {
      throw ExpressionError(
        source: source, offset: name.offset,
        message: "the evaluations of run “\(run.name)” cannot be read: \(error)")
    }
  }

  /// Rejects a field that compares a run's predictions with ground truth if the dataset has none.
  func requireGroundTruth(
    of run: ExpressionRun, at name: ViewExpression.Word
  ) throws(ExpressionError) {
    let exists: Bool
    do {
      exists = try GroundTruth.exists(for: run.task, in: scope.dataset, scope.labels, database)
    } catch {
      throw ExpressionError(
        source: source, offset: name.offset,
        message: "the labels of “\(scope.dataset.name)” cannot be read: \(error)")
    }
    guard !exists else { return }
    let fields: String? =
      switch run.task {
      case .classification: ".label, .confidence and .margin"
      case .detection: ".detections"
      case .segmentation, .multiLabel: nil
      }
    throw ExpressionError(
      source: source, offset: name.offset,
      message: "“\(scope.dataset.name)” "
        + (scope.labels.isMultiLabel
          ? "has sets of labels, which are ground truth only for \(ModelTask.multiLabel.rawValue)"
          : "has no ground truth for \(run.task.rawValue)") + ", so run "
        + "“\(run.name)” cannot be compared with it; "
        + (fields.map { "without ground truth it has \($0)" }
          ?? "`assay report \(run.name)` shows its predictions"))
  }
}
