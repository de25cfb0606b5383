import AssayCore
import GRDB

/// The texts that a field has for a sample `s`, as SQL.
enum FieldTexts {
  /// One text or NULL.
  case one(Condition)
  /// A SELECT of one column with any number of texts.
  case many(Condition)

  /// The texts as a SELECT of one column.
  fileprivate var select: Condition {
    switch self {
    case .one(let value): Condition("SELECT \(value.sql)", value.arguments)
    case .many(let select): select
    }
  }
}

/// Comparisons of two fields of a sample `s`. As for constants, a comparison with a missing value
/// is false.
extension ViewCompiler {
  typealias Subject = ViewExpression.Subject
  typealias Comparator = ViewExpression.Comparator

  /// - Parameter offset: the 0-based character where the other field starts.
  func condition(
    _ comparison: ViewExpression.Comparison, _ comparator: Comparator, _ other: Subject,
    at offset: Int
  ) throws(ExpressionError) -> Condition {
    let subject = comparison.subject
    switch Self.domain(of: subject, comparator, other) {
    case .number:
      return Self.compare(try scalar(subject), comparator, try scalar(other))
    case .truth:
      return Self.compare(try truthValue(subject), comparator, try truthValue(other))
    case .text:
      if case .custom(let one) = subject, case .custom(let two) = other {
        return Self.compare(try column(of: one), comparator, try column(of: two))
      }
      let (left, right) = (try texts(subject), try texts(other))
      if case .one(let left) = left, case .one(let right) = right {
        return Self.compare(left, comparator, right)
      }
      guard comparator == .equal else {
        throw ExpressionError(
          source: source, offset: comparison.offset,
          message: "a sample of “\(scope.dataset.name)” can have several labels; "
            + "use “not … = …” instead of “!=”")
      }
      switch (left, right) {
      case (.one(let value), .many(let select)), (.many(let select), .one(let value)):
        return Condition(
          "ifnull(\(value.sql) IN (\(select.sql)), 0)", value.arguments + select.arguments)
      case (.many, .many), (.one, .one):
        // Both contain texts only, so that no two NULL are equal.
        return Condition(
          "EXISTS (SELECT * FROM (\(left.select.sql)) INTERSECT SELECT * FROM (\(right.select.sql)))",
          left.select.arguments + right.select.arguments)
      }
    }
  }

  /// The kind of values that two fields are compared as: that of the one that has only one, numbers for `<` and `>`,
  /// else texts.
  private static func domain(
    of subject: Subject, _ comparator: Comparator, _ other: Subject
  ) -> Subject.Domain {
    let isOrder = comparator != .equal && comparator != .notEqual
    return subject.domain ?? other.domain ?? (isOrder ? .number : .text)
  }

  private static func compare(
    _ left: Condition, _ comparator: Comparator, _ right: Condition
  ) -> Condition {
    Condition(
      "ifnull((\(left.sql)) \(comparator.rawValue) (\(right.sql)), 0)",
      left.arguments + right.arguments)
  }

  /// Two numbers are compared as numbers, all other values as texts.
  private static func compare(
    _ left: FieldColumn, _ comparator: Comparator, _ right: FieldColumn
  ) -> Condition {
    let sign = comparator.rawValue
    return Condition(
      """
      ifnull(CASE WHEN \(left.number.sql) IS NOT NULL AND \(right.number.sql) IS NOT NULL \
      THEN \(left.number.sql) \(sign) \(right.number.sql) \
      ELSE \(left.text.sql) \(sign) \(right.text.sql) END, 0)
      """)
  }

  /// 1, 0 or NULL.
  private func truthValue(_ subject: Subject) throws(ExpressionError) -> Condition {
    switch subject {
    case .mark(let mark): return scope.truth.has(mark)
    case .custom(let name): return try column(of: name).truth
    case .run(let name, let evaluation, let cut, .correct):
      let run = try run(name)
      try check(run, evaluation, cut, .correct, at: name)
      return try isCorrect(run, at: name)
    case .run(let name, let evaluation, let cut, .accepted):
      let run = try run(name)
      try check(run, evaluation, cut, .accepted, at: name)
      return isAccepted(run)
    default: return Condition("NULL")
    }
  }

  private func texts(_ subject: Subject) throws(ExpressionError) -> FieldTexts {
    switch subject {
    case .split: return .one(Condition("s.sourceSplit"))
    case .key: return .one(Condition("s.key"))
    case .label:
      let name = Condition(
        "(SELECT k.name FROM category k WHERE k.id = \(scope.truth.label))")
      guard scope.labels.hasSets else { return .one(name) }
      return .many(scope.truth.labelNames(set: scope.labels.annotationSet))
    case .part(let name?):
      guard let id = try partitions(name).first?.id else { return .one(Condition("NULL")) }
      return .one(Self.part(of: id))
    case .part(nil):
      let ids = scope.partitions.map(\.id)
      return .many(
        Condition(
          """
          SELECT m.part FROM partitionMember m \
          WHERE m.partition IN (\(Condition.placeholders(ids.count))) AND m.sample = s.id
          """, ids))
    case .issue:
      return .many(
        Condition(
          """
          SELECT x.kind FROM issue x WHERE x.sample = s.id UNION ALL SELECT f.kind \
          FROM findingSample y JOIN finding f ON f.id = y.finding WHERE y.sample = s.id
          """))
    case .correctedBy: return .many(scope.truth.peopleOfSample)
    case .tag: return .many(scope.truth.tagsOfSample)
    case .note: return .many(scope.truth.notesOfSample)
    case .field(let field): return .one(field.isText ? Self.value(field) : Condition("NULL"))
    case .custom(let name): return .one(try column(of: name).text)
    case .run(let name, let evaluation, let cut, .label):
      let run = try run(name)
      try check(run, evaluation, cut, .label, at: name)
      return .one(
        prediction(
          "(SELECT k.name FROM runClass k WHERE k.run = p.run AND k.ordinal = p.class)", of: run))
    default: return .one(Condition("NULL"))
    }
  }

  // MARK: Names

  /// The partition with a name; all partitions for `nil`.
  func partitions(
    _ name: ViewExpression.Word?
  ) throws(ExpressionError) -> [DatasetScope.Partition] {
    guard let name else { return scope.partitions }
    let found = scope.partitions.filter { $0.name == name.text }
    guard !found.isEmpty else {
      throw unknown(
        "“\(scope.dataset.name)” has no partition “\(name.text)”", name.text, name.offset,
        among: scope.partitions.map(\.name))
    }
    return found
  }

  /// The part of a partition that a sample `s` is in; NULL if it is in none.
  static func part(of partition: Int64) -> Condition {
    Condition(
      "(SELECT m.part FROM partitionMember m WHERE m.partition = ? AND m.sample = s.id)",
      [partition])
  }

  /// A pattern as SQLite's GLOB takes it, in which brackets are literal.
  static func glob(_ pattern: Literal) -> String { pattern.text.replacing("[", with: "[[]") }

  /// A comparison with what its right side means in this dataset: a pattern for a field with a
  /// list of names becomes the names that match, and a bare word that is a field and no name of
  /// the dataset becomes that field.
  func resolved(
    _ comparison: ViewExpression.Comparison
  ) throws(ExpressionError) -> ViewExpression.Comparison {
    var resolved = comparison
    switch comparison.test {
    case .like(let pattern):
      guard let names = try names(of: comparison.subject, at: pattern) else { return comparison }
      resolved.test = .among(
        try matching(pattern, names).map {
          Literal(text: $0, number: nil, offset: pattern.offset)
        })
    case .compare(let comparator, let literal):
      guard comparison.subject.domain == .text, let other = field(literal),
        let names = try names(of: comparison.subject, at: literal), !names.contains(literal.text)
      else { return comparison }
      func fault(_ offset: Int, _ message: String) -> ExpressionError {
        ExpressionError(source: source, offset: offset, message: message)
      }
      guard other.domain == .text || other.domain == nil else {
        throw fault(literal.offset, TestParser.unlike(comparison.subject, other))
      }
      if comparator == .notEqual, other.isManyValued {
        throw fault(literal.offset, TestParser.ambiguous)
      }
      resolved.test = .field(comparator, other, offset: literal.offset)
    case .among, .within, .field: break
    }
    return resolved
  }

  /// The field that a bare word names; `nil` for a quoted text and for other words.
  private func field(_ literal: Literal) -> Subject? {
    guard SubjectParser.words.contains(literal.text),
      source.dropFirst(literal.offset).first.map({ $0 != "\"" && $0 != "'" }) ?? false,
      var tokens = try? TokenReader(literal.text)
    else { return nil }
    return try? SubjectParser.parse(&tokens).0
  }

  /// All names that a text field can have in the dataset; `nil` for keys and notes, which can be
  /// any text.
  private func names(
    of subject: Subject, at literal: Literal
  ) throws(ExpressionError) -> [String]? {
    do {
      switch subject {
      case .split: return try scope.splits()
      case .label: return scope.labels.categories.map(\.category.name)
      case .issue: return IssueKind.allCases.map(\.rawValue) + FindingKind.allCases.map(\.rawValue)
      case .part(let name): return try partitions(name).flatMap(\.parts)
      case .correctedBy: return try scope.truth.authors(in: database)
      case .tag: return try scope.truth.tags(in: database)
      case .run(let name, let evaluation, let cut, .label):
        let run = try run(name)
        try check(run, evaluation, cut, .label, at: name)
        return run.classes
      default: return nil
      }
    } catch let error as ExpressionError {
      throw error
    } catch {
      throw ExpressionError(
        source: source, offset: literal.offset,
        message: "the names of “\(subject)” cannot be read: \(error)")
    }
  }

  /// The names that match a pattern, by the rules of SQLite, which also matches keys and notes.
  func matching(
    _ pattern: Literal, _ names: [String]
  ) throws(ExpressionError) -> [String] {
    do {
      let statement = try RawStatement(database, "SELECT ?1 GLOB ?2")
      statement.bind(Self.glob(pattern), at: 2)
      return try names.filter { name in
        statement.bind(name, at: 1)
        defer { statement.reset() }
        return try statement.step() && statement.integer(0) != 0
      }
    } catch {
      throw ExpressionError(
        source: source, offset: pattern.offset, message: "the pattern cannot be used: \(error)")
    }
  }
}
