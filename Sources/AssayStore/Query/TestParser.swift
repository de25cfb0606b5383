extension ViewExpression.Subject {
  /// The values of a subject.
  enum Domain {
    case text, number, truth

    /// The kind of value in a message.
    var name: String {
      switch self {
      case .text: "text"
      case .number: "a number"
      case .truth: "true or false"
      }
    }
  }

  /// `nil` for a custom field, whose values are known to the catalog alone.
  var domain: Domain? {
    switch self {
    case .split, .label, .key, .issue, .part, .correctedBy, .tag, .note, .run(_, _, _, .label):
      .text
    case .mark, .run(_, _, _, .correct), .run(_, _, _, .accepted): .truth
    case .field(let field): field.isText ? .text : .number
    case .custom: nil
    case .width, .height, .aspect, .labels, .labelsWith, .count, .coverage, .similarity, .objects,
      .corrections, .run:
      .number
    }
  }

  /// True if a sample can have several values of the subject in every dataset, so that `!=` is
  /// ambiguous.
  var isManyValued: Bool {
    switch self {
    case .issue, .part(nil), .correctedBy, .tag, .note: true
    default: false
    }
  }
}

/// Reads the right side of a comparison, and checks that it fits the left one: numbers with numbers.
struct TestParser {
  var tokens: TokenReader
  /// The left side, if it is a field of samples, which can be compared with another one.
  private let subject: ViewExpression.Subject?
  /// The left side in messages.
  private let name: String
  /// The kind of values of the left side; `nil` for any.
  private let domain: ViewExpression.Subject.Domain?

  init(tokens: TokenReader, subject: ViewExpression.Subject) {
    (self.tokens, self.subject) = (tokens, subject)
    (name, domain) = (subject.description, subject.domain)
  }

  /// - Parameter field: a property of an object.
  init(tokens: TokenReader, field: ObjectExpression.Field) {
    (self.tokens, subject) = (tokens, nil)
    (name, domain) = (field.description, field.domain)
  }

  /// The error text for `!=` with a field of several values.
  static let ambiguous = "a sample can have several of these; use “not … = …” instead of “!=”"

  /// - Returns: the test, and whether it was written with `not in` or `not like`.
  mutating func parse() throws(ExpressionError) -> (ViewExpression.Test, isNegated: Bool) {
    let offset = tokens.next.offset
    if let comparator = try tokens.expectComparator() {
      if comparator == .notEqual, subject?.isManyValued == true {
        throw tokens.error(at: offset, Self.ambiguous)
      }
      let isOrder = comparator != .equal && comparator != .notEqual
      func onlyNumbers() -> ExpressionError {
        tokens.error(at: offset, "“\(comparator.rawValue)” compares numbers")
      }
      guard !isOrder || domain ?? .number == .number else { throw onlyNumbers() }
      if let subject, startsField(isOrder: isOrder) {
        return (try field(comparator, subject, at: offset), false)
      }
      let literal = try literal()
      guard !isOrder || literal.number != nil else { throw onlyNumbers() }
      return (.compare(comparator, literal), false)
    }
    let isNegated = tokens.take(word: "not")
    if tokens.next.isWord("like") {
      let offset = tokens.take().offset
      if let domain, domain != .text {
        throw tokens.error(at: offset, "“like” matches texts; “\(name)” is \(domain.name)")
      }
      return (.like(try pattern()), isNegated)
    }
    guard tokens.take(word: "in") else {
      let signs = ViewExpression.Comparator.allCases.map(\.rawValue).joined(separator: " ")
      throw tokens.unexpected(
        isNegated ? "“in” or “like”" : "one of \(signs) in like", words: ["in", "not", "like"])
    }
    return (try set(), isNegated)
  }

  // MARK: Fields

  /// True if the next token starts a field. Beside a text, a bare word is a name, and only a word
  /// with a parenthesis is a field.
  ///
  /// - Parameter isOrder: whether the comparison is one of numbers.
  private func startsField(isOrder: Bool) -> Bool {
    guard tokens.next.kind == .word, SubjectParser.words.contains(tokens.next.text) else {
      return false
    }
    return isOrder || domain == .number || domain == .truth
      || tokens.afterNext.kind == .symbol(.leftParenthesis)
  }

  private mutating func field(
    _ comparator: ViewExpression.Comparator, _ subject: ViewExpression.Subject, at sign: Int
  ) throws(ExpressionError) -> ViewExpression.Test {
    let (other, offset) = try SubjectParser.parse(&tokens)
    guard other.domain == domain || other.domain == nil || domain == nil else {
      throw tokens.error(at: offset, Self.unlike(subject, other))
    }
    if comparator == .notEqual, other.isManyValued {
      throw tokens.error(at: sign, Self.ambiguous)
    }
    guard
      comparator == .equal || comparator == .notEqual
        || (domain ?? other.domain ?? .number) == .number
    else {
      throw tokens.error(at: sign, "“\(comparator.rawValue)” compares numbers")
    }
    return .field(comparator, other, offset: offset)
  }

  /// The error text for two fields of different kinds.
  static func unlike(_ one: ViewExpression.Subject, _ other: ViewExpression.Subject) -> String {
    "fields of different kinds cannot be compared: “\(one)” is \(kind(one)), “\(other)” is "
      + kind(other)
  }

  private static func kind(_ subject: ViewExpression.Subject) -> String {
    subject.domain?.name ?? "a field of any kind"
  }

  // MARK: Values

  /// The maximum size of a pattern in bytes, below SQLite's.
  private static let patternLimit = 10_000

  private mutating func pattern() throws(ExpressionError) -> ViewExpression.Literal {
    let name = try tokens.expectName("a pattern in quotes, such as \"*night*\"")
    guard !name.text.isEmpty, !name.text.utf8.contains(0) else {
      throw tokens.error(
        at: name.offset,
        name.text.isEmpty ? "the pattern is empty" : "a pattern cannot contain a NUL character")
    }
    guard name.text.utf8.count <= Self.patternLimit else {
      throw tokens.error(
        at: name.offset, "the pattern is longer than \(Self.patternLimit) bytes")
    }
    return ViewExpression.Literal(text: name.text, number: nil, offset: name.offset)
  }

  /// A list in parentheses, or a range of numbers.
  private mutating func set() throws(ExpressionError) -> ViewExpression.Test {
    guard tokens.take(.leftParenthesis) else {
      guard domain ?? .number == .number else {
        throw tokens.unexpected("a list such as “(a, b)”")
      }
      let low = try tokens.expectNumber()
      try tokens.expect(.range, "and the upper end, as in 1..2")
      return .within(low, try tokens.expectNumber())
    }
    var members = [try literal()]
    while tokens.take(.comma) { members.append(try literal()) }
    try tokens.expect(.rightParenthesis, "or “,”")
    return .among(members)
  }

  private mutating func literal() throws(ExpressionError) -> ViewExpression.Literal {
    let offset = tokens.next.offset
    switch domain {
    case .number?: return try tokens.expectNumber()
    case .text?: return try text("a name (one with blanks is quoted)")
    case .truth?:
      guard tokens.next.isWord("true") || tokens.next.isWord("false") else {
        throw tokens.unexpected("“true” or “false”", words: ["true", "false"])
      }
      return ViewExpression.Literal(text: tokens.take().text, number: nil, offset: offset)
    case nil:
      switch tokens.next.kind {
      case .number, .symbol(.minus): return try tokens.expectNumber()
      default: return try text("a value (a text with blanks is quoted)")
      }
    }
  }

  private mutating func text(_ what: String) throws(ExpressionError) -> ViewExpression.Literal {
    let name = try tokens.expectName(what)
    return ViewExpression.Literal(text: name.text, number: nil, offset: name.offset)
  }
}
