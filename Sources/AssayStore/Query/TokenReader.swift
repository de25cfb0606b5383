/// A reader of an expression's tokens, shared by the parsers of views and gates.
struct TokenReader {
  let source: String
  private let tokens: [Token]
  private var index = 0

  init(_ source: String, wordsHaveDashes: Bool = true) throws(ExpressionError) {
    self.source = source
    tokens = try Lexer.tokens(of: source, wordsHaveDashes: wordsHaveDashes)
  }

  /// The next token, without consuming it.
  var next: Token { tokens[index] }

  /// The token after the next one; the end if there is none.
  var afterNext: Token { tokens[min(index + 1, tokens.count - 1)] }

  /// Consumes the next token; the end is never consumed.
  mutating func take() -> Token {
    let token = tokens[index]
    if index < tokens.count - 1 { index += 1 }
    return token
  }

  /// Consumes a keyword if it is next.
  mutating func take(word: String) -> Bool {
    guard next.isWord(word) else { return false }
    _ = take()
    return true
  }

  /// Consumes a symbol if it is next.
  mutating func take(_ symbol: Token.Symbol) -> Bool {
    guard next.kind == .symbol(symbol) else { return false }
    _ = take()
    return true
  }

  /// Consumes a symbol that must be next.
  mutating func expect(_ symbol: Token.Symbol, _ why: String) throws(ExpressionError) {
    guard take(symbol) else { throw unexpected("“\(symbol.rawValue)” \(why)") }
  }

  /// Consumes a word, a quoted text or a number, as a name.
  mutating func expectName(_ what: String) throws(ExpressionError) -> ViewExpression.Word {
    switch next.kind {
    case .word, .quoted, .number:
      let token = take()
      return ViewExpression.Word(text: token.text, offset: token.offset)
    case .symbol, .end:
      throw unexpected(what)
    }
  }

  /// Consumes a number with an optional minus sign.
  mutating func expectNumber() throws(ExpressionError) -> ViewExpression.Literal {
    let offset = next.offset
    let isNegative = take(.minus)
    guard case .number(let value) = next.kind else { throw unexpected("a number") }
    let token = take()
    return ViewExpression.Literal(
      text: (isNegative ? "-" : "") + token.text, number: isNegative ? -value : value,
      offset: offset)
  }

  /// Consumes a comparison operator.
  mutating func expectComparator() throws(ExpressionError) -> ViewExpression.Comparator? {
    guard case .symbol(let symbol) = next.kind,
      let comparator = ViewExpression.Comparator(rawValue: symbol.rawValue)
    else { return nil }
    _ = take()
    return comparator
  }

  /// The error for an unexpected next token.
  ///
  /// - Parameter words: valid words, for a suggestion.
  func unexpected(_ expected: String, words: [String] = []) -> ExpressionError {
    var error = ExpressionError(
      source: source, offset: next.offset,
      message: "expected \(expected), found \(next.description)", word: next.text,
      candidates: next.kind == .word ? words : [])
    error.candidates = []
    return error
  }

  func error(at offset: Int, _ message: String, suggestion: String? = nil) -> ExpressionError {
    ExpressionError(source: source, offset: offset, message: message, suggestion: suggestion)
  }
}
