import GRDB

/// SQL for the numeric fields of samples, which are compared, sorted by and displayed.
extension ViewCompiler {
  /// A sample's number as SQL over a sample `s`; NULL if it has none.
  ///
  /// - Precondition: the subject's domain is numbers.
  func scalar(_ subject: ViewExpression.Subject) throws(ExpressionError) -> Condition {
    switch subject {
    case .width: return Condition("s.width")
    case .height: return Condition("s.height")
    case .aspect: return Condition("(CAST(s.width AS REAL) / s.height)")
    case .labels: return scope.truth.labelCount(set: scope.labels.annotationSet)
    case .count(let name, let isCrowd):
      let id = try category(name)
      return scope.truth.ofClass { table in
        Condition(
          """
          ifnull((SELECT k.\(isCrowd ? "crowdCount" : "count") FROM \(table) k WHERE \
          k.annotationSet = ? AND k.category = ? AND k.sample = s.id), 0)
          """, [scope.labels.annotationSet, id])
      }
    case .coverage(let name):
      let id = try category(name)
      scope.unions.want(id)
      return scope.truth.ofClass { table in
        Condition(
          """
          (SELECT CASE WHEN count(*) = 0 THEN 0.0 \
          ELSE \(Self.coverage("max(\(scope.unions.area))", of: "s")) END FROM \(table) k \
          WHERE k.annotationSet = ? AND k.category = ? AND k.sample = s.id)
          """, [scope.labels.annotationSet, id])
      }
    case .similarity(let name, let key): return try similarity(to: key, by: name)
    case .objects(let run, let condition): return try objectNumber(of: run, condition)
    case .labelsWith(let condition): return try labelNumber(condition)
    case .run(let name, let evaluation, let cut, let field):
      let run = try run(name)
      try check(run, evaluation, cut, field, at: name)
      switch run.task {
      case .detection:
        if let number = try unevaluatedNumber(field, cut, of: run, evaluation) { return number }
        return try matchNumber(
          field, cut, of: try matching(evaluation, of: run, at: name))
      case .classification:
        guard let column = field.column else { return Condition("NULL") }
        return Condition(
          """
          (SELECT \(column) FROM prediction p \
          WHERE p.run = ? AND p.sample = s.id AND p.ordinal = 0)
          """, [run.id])
      case .segmentation:
        guard let column = field.column else { return Condition("NULL") }
        return Condition(
          "(SELECT \(column) FROM pixelTally p WHERE p.evaluation = ? AND p.sample = s.id)",
          [try self.evaluation(evaluation, of: run, at: name)])
      case .multiLabel:
        guard let column = field.column else { return Condition("NULL") }
        return Condition(
          "(SELECT \(column) FROM labelTally p WHERE p.evaluation = ? AND p.sample = s.id)",
          [try self.evaluation(evaluation, of: run, at: name)])
      }
    case .corrections: return scope.truth.corrections
    case .field(let field): return field.isText ? Condition("NULL") : Self.value(field)
    case .custom(let name): return try column(of: name, needsNumbers: true).number
    case .split, .label, .key, .issue, .part, .mark, .correctedBy, .tag, .note:
      return Condition("NULL")
    }
  }

  /// The share of an image's area, as a fraction; NULL if its size is unknown.
  static func coverage(_ area: String, of sample: String) -> String {
    "CAST(\(area) AS REAL) / (\(sample).width * \(sample).height)"
  }
}

extension ViewExpression.RunField {
  /// The column of a prediction or a tally that contains the number; `nil` if there is none.
  fileprivate var column: String? {
    switch self {
    case .correct, .label, .accepted, .truePositives, .falsePositives, .falseNegatives, .detections,
      .classificationErrors, .localizationErrors, .bothErrors, .duplicates, .backgroundErrors,
      .missed:
      nil
    case .confidence: "p.confidence"
    case .margin: "p.margin"
    case .iou: "p.iou"
    case .dice: "p.dice"
    case .precision: "p.precision"
    case .recall: "p.recall"
    case .pixelAccuracy: "p.pixelAccuracy"
    case .boundaryIoU: "p.boundaryIoU"
    case .hausdorff95: "p.hausdorff95"
    case .uncertainty: "p.unsureness"
    case .centerOffset: "p.centreOffset"
    case .missedLabels: "p.missed"
    case .addedLabels: "p.added"
    case .wrongLabels: "p.missed + p.added"
    case .rankingLoss: "p.rankingLoss"
    }
  }
}

extension ViewExpression.Test {
  /// Returns whether the test holds for a number; false for a pattern and for another field.
  func holds(_ value: Double) -> Bool {
    switch self {
    case .compare(let comparator, let literal):
      guard let number = literal.number else { return false }
      switch comparator {
      case .equal: return value == number
      case .notEqual: return value != number
      case .less: return value < number
      case .lessOrEqual: return value <= number
      case .greater: return value > number
      case .greaterOrEqual: return value >= number
      }
    case .among(let list): return list.contains { $0.number == value }
    case .within(let low, let high):
      guard let low = low.number, let high = high.number else { return false }
      return low <= value && value <= high
    case .like, .field: return false
    }
  }
}
