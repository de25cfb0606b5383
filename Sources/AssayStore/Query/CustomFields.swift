import AssayCore
import GRDB

/// Custom fields of samples as conditions on a sample `s`: what people set, else what the source states.
extension TruthSource {
  /// The value of a field as JSON text, as SQL over a sample `s`; NULL if the sample has none, `null` if a person removed
  /// it.
  ///
  /// - Parameter name: a name without quotation marks and backslashes.
  func fieldJSON(_ name: String) -> String {
    let stated = "(s.attributes -> \(Self.path(of: name)))"
    guard let marks else { return stated }
    return """
      ifnull((SELECT f.value FROM \(schema).sampleField f WHERE f.state = \(marks) \
      AND f.sample = s.id AND f.name = \(Self.literal(name))), \(stated))
      """
  }

  /// The value of a member of a field as JSON text, as ``fieldJSON(_:)``; NULL if the field is no object.
  func fieldJSON(_ name: String, member: String) -> String {
    "(\(fieldJSON(name)) -> \(Self.path(of: member)))"
  }

  private static func path(of name: String) -> String { literal("$.\"\(name)\"") }

  /// A text as an SQL literal.
  static func literal(_ text: String) -> String {
    "'" + text.replacing("'", with: "''") + "'"
  }
}

extension ViewCompiler {
  /// The parts of a field's value as SQL over a sample `s`.
  struct FieldColumn {
    /// `json_type` of the value; NULL without one.
    var kind: String
    var value: String

    init(json: String) {
      kind = "json_type(\(json))"
      value = "json_extract(\(json), '$')"
    }

    /// The number; NULL for other values.
    var number: Condition {
      Condition("(CASE WHEN \(kind) IN ('integer', 'real') THEN \(value) END)")
    }

    /// A text, or a number or truth value as it is spelled; NULL for other values.
    var text: Condition {
      Condition(
        """
        (CASE \(kind) WHEN 'true' THEN 'true' WHEN 'false' THEN 'false' \
        WHEN 'text' THEN \(value) WHEN 'integer' THEN CAST(\(value) AS TEXT) \
        WHEN 'real' THEN CAST(\(value) AS TEXT) END)
        """)
    }

    /// 1 or 0; NULL for other values.
    var truth: Condition {
      Condition("(CASE \(kind) WHEN 'true' THEN 1 WHEN 'false' THEN 0 END)")
    }
  }

  /// The column of a field, or of a member of one (`votes.cat`), after checking that a sample of the dataset has it.
  ///
  /// - Parameter needsNumbers: whether it is compared as a number, so that one of its values must be one.
  func column(
    of name: ViewExpression.Word, needsNumbers: Bool = false
  ) throws(ExpressionError) -> FieldColumn {
    guard !name.text.contains("\""), !name.text.contains("\\"), !name.text.utf8.contains(0),
      !name.text.isEmpty
    else {
      throw ExpressionError(
        source: source, offset: name.offset,
        message:
          "a field whose name is empty or has quotation marks or backslashes cannot be compared")
    }
    var candidates = [scope.truth.fieldJSON(name.text)]
    if let dot = name.text.firstIndex(of: "."), dot != name.text.startIndex {
      let member = String(name.text[name.text.index(after: dot)...])
      if !member.isEmpty {
        candidates.append(scope.truth.fieldJSON(String(name.text[..<dot]), member: member))
      }
    }
    let json: String
    do {
      let known = try candidates.first {
        try hasSample("ifnull(json_type(\($0)), 'null') <> 'null'")
      }
      guard let known else {
        let names = try fieldNames()
        throw unknown(
          names.isEmpty
            ? "the samples of “\(scope.dataset.name)” have no fields; `assay field` sets one"
            : "no sample of “\(scope.dataset.name)” has a field “\(name.text)”",
          name.text, name.offset, among: names)
      }
      json = known
      if needsNumbers, try !hasSample("json_type(\(json)) IN ('integer', 'real')") {
        throw ExpressionError(
          source: source, offset: name.offset,
          message: "the field “\(name.text)” has no numbers, only texts or truth values")
      }
    } catch let error as ExpressionError {
      throw error
    } catch {
      throw ExpressionError(
        source: source, offset: name.offset,
        message: "the fields of samples cannot be read: \(error)")
    }
    return FieldColumn(json: json)
  }

  /// A comparison of a field with constants.
  func condition(
    field name: ViewExpression.Word, _ test: ViewExpression.Test
  ) throws(ExpressionError) -> Condition {
    let column = try column(of: name, needsNumbers: test.comparesNumbers)
    return Self.attribute(kind: column.kind, value: column.value, test)
  }

  private func hasSample(_ condition: String) throws -> Bool {
    let found = try Int.fetchOne(
      database,
      sql: """
        SELECT 1 FROM sample s WHERE s.dataset = \(scope.dataset.id) AND s.retired = 0
        AND \(condition) LIMIT 1
        """)
    return found != nil
  }

  /// The names of fields that people set, and of those of the first samples that have any, sorted.
  private func fieldNames() throws -> [String] {
    var names = Set(
      try String.fetchAll(
        database,
        sql: """
          SELECT DISTINCT j.key FROM (SELECT s.attributes AS a FROM sample s
            WHERE s.dataset = \(scope.dataset.id) AND s.attributes IS NOT NULL LIMIT 1000) q,
            json_each(q.a) j
          """))
    if let marks = scope.truth.marks {
      names.formUnion(
        try String.fetchAll(
          database,
          sql: "SELECT DISTINCT name FROM \(scope.truth.schema).sampleField WHERE state = ?",
          arguments: [marks]))
    }
    return names.subtracting(CustomField.reserved).sorted()
  }
}

extension ViewExpression.Test {
  /// True if only a number can fulfill it.
  var comparesNumbers: Bool {
    switch self {
    case .compare(let comparator, _): comparator != .equal && comparator != .notEqual
    case .within: true
    case .among, .like, .field: false
    }
  }
}
