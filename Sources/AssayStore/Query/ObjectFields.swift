import AssayCore
import GRDB

/// The number of a sample's objects that fulfill a condition, as SQL.
extension ViewCompiler {
  /// The objects of a sample: those of the ground truth, those of a run, or its labels in the ground truth.
  private enum Objects {
    case truth
    case run(ExpressionRun)
    case labels

    /// The owner of the objects in messages.
    func title(in scope: DatasetScope) -> String {
      switch self {
      case .truth, .labels: "“\(scope.dataset.name)”"
      case .run(let run): "run “\(run.name)”"
      }
    }

    var isLabels: Bool { if case .labels = self { true } else { false } }

    /// The words for one and for several in messages.
    var nouns: (one: String, several: String) {
      switch self {
      case .truth, .run: ("object", "objects")
      case .labels: ("label", "labels")
      }
    }

    /// The shapes of annotations that are meant, as SQL literals.
    var shapes: String {
      switch self {
      case .truth, .run: objectShapes
      case .labels: "'\(ShapeKind.label.rawValue)', '\(ShapeKind.tag.rawValue)'"
      }
    }
  }

  /// The number of objects of a sample `s`. NULL if a run does not have the sample; 0 of a ground truth without
  /// objects.
  ///
  /// - Parameter name: the run; `nil` for the ground truth, with its corrections.
  func objectNumber(
    of name: ViewExpression.Word?, _ expression: ObjectExpression
  ) throws(ExpressionError) -> Condition {
    guard let name else { return try annotationNumber(expression, among: .truth) }
    let run = try run(name)
    guard run.task.output == .objects else {
      throw ExpressionError(
        source: source, offset: name.offset,
        message: "run “\(run.name)” (\(run.task.rawValue)) has no objects")
    }
    let condition = try condition(expression, on: .run(run))
    return Condition(
      """
      (SELECT (SELECT count(*) FROM detection o WHERE o.run = r.run AND o.sample = r.sample \
      AND \(condition.sql)) \
      FROM runSample r WHERE r.run = ? AND r.sample = s.id AND r.status = 'done')
      """, condition.arguments + [run.id])
  }

  /// The number of labels of a sample `s` that fulfill a condition; 0 if it has none.
  func labelNumber(_ expression: ObjectExpression) throws(ExpressionError) -> Condition {
    try annotationNumber(expression, among: .labels)
  }

  private func annotationNumber(
    _ expression: ObjectExpression, among objects: Objects
  ) throws(ExpressionError) -> Condition {
    let condition = try condition(expression, on: objects)
    let set = scope.labels.annotationSet
    return scope.truth.ofSample(as: "o") { table, state in
      let count = Condition(
        """
        (SELECT count(*) FROM \(table) o WHERE \(state) \
        o.sample = s.id AND o.annotationSet = \(set) AND o.shape IN (\(objects.shapes)) AND \(condition.sql))
        """, condition.arguments)
      guard objects.isLabels, !state.isEmpty, let truth = scope.truth.truth else { return count }
      // The label of a changed image is no annotation. It has the fields of the imported one of its class.
      return Condition(
        """
        (\(count.sql) + (SELECT count(*) FROM (SELECT z.label AS category, \
        (SELECT a.attributes FROM main.annotation a WHERE a.sample = s.id AND a.annotationSet = \(set) \
        AND a.shape = 'label' AND a.category = z.label) AS attributes \
        FROM \(scope.truth.schema).correctedSample z WHERE z.state = \(truth) AND z.sample = s.id \
        AND z.label IS NOT NULL) o WHERE \(condition.sql)))
        """, count.arguments + condition.arguments)
    }
  }

  /// The shapes of annotations that are objects, as SQL literals.
  private static let objectShapes = QueryWords.objectShapes.map { "'\($0)'" }
    .joined(separator: ", ")

  /// The condition of a field `objects(…)` on an annotation `o`, and the shapes of annotations that are objects, as SQL.
  ///
  /// - Throws: ``StoreError/expression(_:)``.
  static func compile(
    objects source: String, in scope: DatasetScope, _ database: Database
  ) throws -> (condition: Condition, shapes: String) {
    do throws(ExpressionError) {
      let subject = try ViewExpression.parse(field: source)
      guard case .objects(nil, let expression) = subject else {
        throw ExpressionError(
          source: source, offset: 0, message: "expected a condition on objects of the ground truth")
      }
      let compiler = ViewCompiler(source: source, scope: scope, database: database)
      return (try compiler.condition(expression, on: .truth), objectShapes)
    } catch {
      throw StoreError.expression(error)
    }
  }

  /// A condition on an object `o`: 0 or 1, never NULL.
  private func condition(
    _ expression: ObjectExpression, on objects: Objects
  ) throws(ExpressionError) -> Condition {
    switch expression {
    case .all(let terms): .all(try conditions(terms, on: objects))
    case .any(let terms): .any(try conditions(terms, on: objects))
    case .not(let term): !(try condition(term, on: objects))
    case .comparison(.own(let field), let test, let offset):
      try condition(field, test, on: objects, at: offset)
    case .comparison(.attribute(let name), let test, _):
      try condition(attribute: name, test, on: objects)
    }
  }

  private func conditions(
    _ terms: [ObjectExpression], on objects: Objects
  ) throws(ExpressionError) -> [Condition] {
    var conditions: [Condition] = []
    for term in terms { conditions.append(try condition(term, on: objects)) }
    return conditions
  }

  private func condition(
    _ field: ObjectExpression.OwnField, _ test: ViewExpression.Test, on objects: Objects,
    at offset: Int
  ) throws(ExpressionError) -> Condition {
    if case .labels = objects, field != .class {
      throw ExpressionError(
        source: source, offset: offset,
        message:
          "labels of the image have no \(field.rawValue), only a class and attributes. An attribute of that name is "
          + "attribute(\(field.rawValue))")
    }
    switch field {
    case .class:
      let (column, ids) = try classes(test, on: objects)
      return member(Condition(column), test, values: ids)
    case .confidence:
      guard case .run = objects else {
        throw ExpressionError(
          source: source, offset: offset,
          message: "ground truth has no confidence; objects of a run are run(NAME).objects(…)")
      }
      return number(Condition("o.confidence"), test)
    case .x, .y, .width, .height: return number(Condition("o.\(field.rawValue)"), test)
    case .area: return number(Condition("ifnull(o.area, o.width * o.height)"), test)
    case .crowd:
      let column =
        switch objects {
        case .truth, .labels: "(o.isCrowd <> 0)"
        case .run: "0"
        }
      return member(
        Condition(column), test, values: test.literals.map { $0.text == "true" ? 1 : 0 })
    case .shape:
      let shapes = QueryWords.objectShapes
      let names = try named(test, among: shapes)
      for name in names where !shapes.contains(name.text) {
        throw unknown(
          "unknown kind of object “\(name.text)”: \(shapes.joined(separator: ", "))", name.text,
          name.offset, among: shapes)
      }
      let column =
        switch objects {
        case .truth, .labels: "o.shape"
        case .run: "(CASE WHEN o.counts IS NULL THEN 'box' ELSE 'mask' END)"
        }
      return member(Condition(column), test, values: names.map(\.text))
    case .accepted:
      guard case .run(let run) = objects else {
        throw ExpressionError(
          source: source, offset: offset,
          message:
            "ground truth is not accepted by a model; objects of a run are run(NAME).objects(…). "
            + "An attribute of that name is attribute(accepted)")
      }
      try requireDecision(of: run, at: offset)
      return member(
        acceptance("o", of: run), test, values: test.literals.map { $0.text == "true" ? 1 : 0 })
    }
  }

  /// The column with an object's class, and its values for the names of a test.
  private func classes(
    _ test: ViewExpression.Test, on objects: Objects
  ) throws(ExpressionError) -> (column: String, ids: [Int64]) {
    switch objects {
    case .truth, .labels:
      var ids: [Int64] = []
      for literal in try named(test, among: scope.labels.categories.map(\.category.name)) {
        ids.append(try category(literal))
      }
      return ("o.category", ids)
    case .run(let run):
      let ordinals = try ordinals(named(test, among: run.classes), of: run)
      return ("o.class", ordinals.map(Int64.init))
    }
  }

  /// The names of a test; of a pattern those that it matches.
  private func named(
    _ test: ViewExpression.Test, among names: [String]
  ) throws(ExpressionError) -> [Literal] {
    guard case .like(let pattern) = test else { return test.literals }
    return try matching(pattern, names).map {
      Literal(text: $0, number: nil, offset: pattern.offset)
    }
  }

  // MARK: Attributes

  /// A comparison with an attribute of an object: a number with numbers (and texts that are spelled like it), a
  /// word with texts, `true` and `false` also with truth values.
  private func condition(
    attribute name: ViewExpression.Word, _ test: ViewExpression.Test, on objects: Objects
  ) throws(ExpressionError) -> Condition {
    let path = try path(of: name, test, on: objects)
    // The path is a literal: numbered parameters do not mix with the others.
    return Self.attribute(
      kind: "json_type(o.attributes, \(path))", value: "json_extract(o.attributes, \(path))", test)
  }

  /// A test of a JSON value whose type and value are SQL: a number with numbers (and texts that are spelled like it), a
  /// word with texts, `true` and `false` also with truth values.
  static func attribute(
    kind: String, value: String, _ test: ViewExpression.Test
  ) -> Condition {
    let text =
      "CASE \(kind) WHEN 'true' THEN 'true' WHEN 'false' THEN 'false' WHEN 'text' THEN \(value) END"
    let number = "CASE WHEN \(kind) IN ('integer', 'real') THEN \(value) END"
    func equals(_ literals: [ViewExpression.Literal]) -> Condition {
      let numbers = literals.compactMap(\.number)
      return .any([
        Condition(
          "ifnull(\(text) IN (\(Condition.placeholders(literals.count))), 0)",
          literals.map(\.text)),
        numbers.isEmpty
          ? Condition("0")
          : Condition(
            "ifnull(\(number) IN (\(Condition.placeholders(numbers.count))), 0)", numbers),
      ])
    }
    switch test {
    case .compare(.equal, let literal): return equals([literal])
    case .among(let list): return equals(list)
    case .compare(.notEqual, let literal):
      // It has another value.
      let has = Condition(
        "ifnull(\(kind) IN ('text', 'integer', 'real', 'true', 'false'), 0)")
      return .all([has, !equals([literal])])
    case .compare(let comparator, let literal):
      return Condition(
        "ifnull(\(number) \(comparator.rawValue) ?, 0)", [literal.number ?? 0])
    case .within(let low, let high):
      return Condition(
        "ifnull(\(number) BETWEEN ? AND ?, 0)", [low.number ?? 0, high.number ?? 0])
    case .like(let pattern):
      return Condition("ifnull(\(text) GLOB ?, 0)", [Self.glob(pattern)])
    case .field: return Condition("0")
    }
  }

  /// The path of an attribute in an object's JSON, as an SQL literal.
  ///
  /// - Throws: `ExpressionError` if no object has the attribute, or if it is compared as a number and none of its
  ///   values is one.
  private func path(
    of name: ViewExpression.Word, _ test: ViewExpression.Test, on objects: Objects
  ) throws(ExpressionError) -> String {
    guard !name.text.contains("\""), !name.text.contains("\\"), !name.text.utf8.contains(0),
      !name.text.isEmpty
    else {
      throw ExpressionError(
        source: source, offset: name.offset,
        message:
          "an attribute whose name is empty or has quotation marks or backslashes cannot be compared"
      )
    }
    var paths = ["$.\"\(name.text)\""]
    if let dot = name.text.firstIndex(of: "."), dot != name.text.startIndex {
      let member = name.text[name.text.index(after: dot)...]
      if !member.isEmpty { paths.append("$.\"\(name.text[..<dot])\".\"\(member)\"") }
    }
    let comparesNumbers = test.comparesNumbers
    do {
      for path in paths {
        let literal = TruthSource.literal(path)
        guard try hasObject("json_type(o.attributes, \(literal)) IS NOT NULL", objects) else {
          continue
        }
        if comparesNumbers,
          try !hasObject("json_type(o.attributes, \(literal)) IN ('integer', 'real')", objects)
        {
          throw ExpressionError(
            source: source, offset: name.offset,
            message:
              "the attribute “\(name.text)” of \(objects.title(in: scope)) has no numbers, only texts or truth values"
          )
        }
        return literal
      }
      // A run that found nothing has no attributes either: the count is 0 whatever the condition.
      if case .run = objects, try !hasObject("1", objects) { return "'$'" }
      let names = try attributeNames(objects)
      let (one, several) = objects.nouns
      var message =
        names.isEmpty
        ? "the \(several) of \(objects.title(in: scope)) have no attributes, and no \(one) has a field “\(name.text)”"
        : "no \(one) of \(objects.title(in: scope)) has an attribute “\(name.text)”"
      if case .truth = objects,
        try paths.contains(where: {
          try hasObject("json_type(o.attributes, \(TruthSource.literal($0))) IS NOT NULL", .labels)
        })
      {
        message += ", but labels of the image have it: write labels(…)"
      }
      let own = objects.isLabels ? [.class] : ObjectExpression.OwnField.allCases
      throw unknown(message, name.text, name.offset, among: names + own.map(\.rawValue))
    } catch let error as ExpressionError {
      throw error
    } catch {
      throw ExpressionError(
        source: source, offset: name.offset,
        message: "the attributes of objects cannot be read: \(error)")
    }
  }

  /// The tables with the objects of the dataset or the run, as an SQL text after FROM, with a condition.
  private func sources(_ objects: Objects) -> [String] {
    switch objects {
    case .run(let run): return ["detection o WHERE o.run = \(run.id)"]
    case .truth, .labels:
      let set = scope.labels.annotationSet
      let shapes = "o.shape IN (\(objects.shapes))"
      let imported = """
        sample s CROSS JOIN main.annotation o ON o.sample = s.id AND o.annotationSet = \(set) \
        WHERE s.dataset = \(scope.dataset.id) AND \(shapes)
        """
      guard let state = scope.truth.truth else { return [imported] }
      return [
        imported,
        """
        \(scope.truth.schema).correctedAnnotation o WHERE o.state = \(state) \
        AND o.annotationSet = \(set) AND \(shapes)
        """,
      ]
    }
  }

  /// Returns whether any object fulfills a condition over its row `o`.
  private func hasObject(_ condition: String, _ objects: Objects) throws -> Bool {
    for source in sources(objects) {
      let found = try Int.fetchOne(
        database, sql: "SELECT 1 FROM \(source) AND \(condition) LIMIT 1")
      if found != nil { return true }
    }
    return false
  }

  /// The names of attributes among the first objects that have any, sorted.
  private func attributeNames(_ objects: Objects) throws -> [String] {
    var names: Set<String> = []
    for source in sources(objects) {
      names.formUnion(
        try String.fetchAll(
          database,
          sql: """
            SELECT DISTINCT j.key FROM (SELECT o.attributes AS a FROM \(source) \
            AND o.attributes IS NOT NULL LIMIT 1000) q, json_each(q.a) j
            """))
    }
    return names.sorted()
  }
}
