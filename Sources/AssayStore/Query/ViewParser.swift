extension ViewExpression {
  /// Reads an expression of the view language.
  ///
  /// - Throws: `ExpressionError` with the location, what was expected there, and a suggestion.
  package static func parse(_ source: String) throws(ExpressionError) -> ViewExpression {
    var parser = ViewParser(tokens: try TokenReader(source))
    return try parser.parse()
  }

  /// Reads the left side of a comparison alone, if it is a number: `run(r1).iou`.
  ///
  /// - Throws: `ExpressionError`, also for a subject that is not a number.
  package static func parse(field source: String) throws(ExpressionError) -> Subject {
    var tokens = try TokenReader(source)
    let (subject, offset) = try SubjectParser.parse(&tokens)
    guard subject.domain == .number else {
      throw tokens.error(at: offset, "“\(subject)” is \(subject.domain.name), not a number")
    }
    guard tokens.next.kind == .end else { throw tokens.unexpected("the end") }
    return subject
  }

  /// The compared subjects, from left to right, each once.
  package var subjects: [Subject] {
    var subjects: [Subject] = []
    switch self {
    case .all(let terms), .any(let terms): subjects = terms.flatMap(\.subjects)
    case .not(let term): subjects = term.subjects
    case .comparison(let comparison):
      subjects = [comparison.subject]
      if case .field(_, let other, _) = comparison.test { subjects.append(other) }
    }
    var seen: Set<String> = []
    return subjects.filter { seen.insert($0.description).inserted }
  }
}

/// A recursive-descent parser for the tokens of a view expression.
///
///     expression  := conjunction ("or" conjunction)*
///     conjunction := factor ("and" factor)*
///     factor      := "not" factor | "(" expression ")" | comparison
struct ViewParser {
  /// The maximum nesting of parentheses and `not`.
  static let depthLimit = 64

  var tokens: TokenReader
  private var depth = 0

  init(tokens: TokenReader) { self.tokens = tokens }

  mutating func parse() throws(ExpressionError) -> ViewExpression {
    let result = try expression()
    guard tokens.next.kind == .end else {
      throw tokens.unexpected("“and”, “or” or the end", words: ["and", "or"])
    }
    return result
  }

  private mutating func expression() throws(ExpressionError) -> ViewExpression {
    var terms = [try conjunction()]
    while tokens.take(word: "or") { terms.append(try conjunction()) }
    return terms.count == 1 ? terms[0] : .any(terms)
  }

  private mutating func conjunction() throws(ExpressionError) -> ViewExpression {
    var terms = [try factor()]
    while tokens.take(word: "and") { terms.append(try factor()) }
    return terms.count == 1 ? terms[0] : .all(terms)
  }

  private mutating func factor() throws(ExpressionError) -> ViewExpression {
    let offset = tokens.next.offset
    let isNegation = tokens.take(word: "not")
    guard isNegation || tokens.take(.leftParenthesis) else { return try comparison() }
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.depthLimit else {
      throw tokens.error(at: offset, "nested deeper than \(Self.depthLimit) levels")
    }
    if isNegation { return .not(try factor()) }
    let inner = try expression()
    guard tokens.take(.rightParenthesis) else {
      throw tokens.unexpected("“and”, “or” or “)”", words: ["and", "or"])
    }
    return inner
  }

  private mutating func comparison() throws(ExpressionError) -> ViewExpression {
    let (subject, offset) = try SubjectParser.parse(&tokens)
    var reader = TestParser(tokens: tokens, subject: subject)
    let (test, isNegated) = try reader.parse()
    tokens = reader.tokens
    let comparison = ViewExpression.comparison(
      Comparison(subject: subject, offset: offset, test: test))
    return isNegated ? .not(comparison) : comparison
  }

  private typealias Comparison = ViewExpression.Comparison
}
