/// An expression that terms are joined into by `and`, `or` and `not`.
protocol LogicExpression {
  static func all(_ terms: [Self]) -> Self
  static func any(_ terms: [Self]) -> Self
  static func not(_ term: Self) -> Self
}

extension ViewExpression: LogicExpression {}
extension ObjectExpression: LogicExpression {}

/// A recursive-descent parser of comparisons that are joined by `and`, `or`, `not` and parentheses.
///
///     expression  := conjunction ("or" conjunction)*
///     conjunction := factor ("and" factor)*
///     factor      := "not" factor | "(" expression ")" | comparison
protocol LogicParser {
  associatedtype Expression: LogicExpression

  var tokens: TokenReader { get set }
  /// The present nesting of parentheses and `not`; 0 at the start.
  var depth: Int { get set }

  /// Reads one comparison.
  mutating func comparison() throws(ExpressionError) -> Expression
}

extension LogicParser {
  /// The maximum nesting of parentheses and `not`.
  private static var depthLimit: Int { 64 }

  mutating func expression() throws(ExpressionError) -> Expression {
    var terms = [try conjunction()]
    while tokens.take(word: "or") { terms.append(try conjunction()) }
    return terms.count == 1 ? terms[0] : .any(terms)
  }

  private mutating func conjunction() throws(ExpressionError) -> Expression {
    var terms = [try factor()]
    while tokens.take(word: "and") { terms.append(try factor()) }
    return terms.count == 1 ? terms[0] : .all(terms)
  }

  private mutating func factor() throws(ExpressionError) -> Expression {
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
    try close()
    return inner
  }

  /// Consumes the parenthesis after an expression.
  mutating func close() throws(ExpressionError) {
    guard tokens.take(.rightParenthesis) else {
      throw tokens.unexpected("“and”, “or” or “)”", words: ["and", "or"])
    }
  }

  /// Reads the right side of a comparison.
  ///
  /// - Parameter reader: makes the reader of the tokens that are left.
  /// - Returns: the test, and whether it was written with `not in` or `not like`.
  mutating func test(
    _ reader: (TokenReader) -> TestParser
  ) throws(ExpressionError) -> (ViewExpression.Test, isNegated: Bool) {
    var reader = reader(tokens)
    let read = try reader.parse()
    tokens = reader.tokens
    return read
  }
}
