/// Walks over an expression's tokens; what the parsers of views and gates have in common.
struct TokenReader {
  let source: String
  private let tokens: [Token]
  private var index = 0

  init(_ source: String, wordsHaveDashes: Bool = true) throws(ExpressionError) {
    self.source = source
    tokens = try Lexer.tokens(of: source, wordsHaveDashes: wordsHaveDashes)
  }

  /// The token that is next, without taking it.
  var next: Token { tokens[index] }

  /// Takes the next token; the end stays.
  mutating func take() -> Token {
    let token = tokens[index]
    if index < tokens.count - 1 { index += 1 }
    return token
  }

  /// Takes a key word if it is next.
  mutating func take(word: String) -> Bool {
    guard next.isWord(word) else { return false }
    _ = take()
    return true
  }

  /// Takes a sign if it is next.
  mutating func take(_ symbol: Token.Symbol) -> Bool {
    guard next.kind == .symbol(symbol) else { return false }
    _ = take()
    return true
  }

  /// Takes a sign that has to be next.
  mutating func expect(_ symbol: Token.Symbol, _ why: String) throws(ExpressionError) {
    guard take(symbol) else { throw unexpected("“\(symbol.rawValue)” \(why)") }
  }

  /// Takes a word, a text in quotes or a number, as a name.
  mutating func expectName(_ what: String) throws(ExpressionError) -> ViewExpression.Word {
    switch next.kind {
    case .word, .quoted, .number:
      let token = take()
      return ViewExpression.Word(text: token.text, offset: token.offset)
    case .symbol, .end:
      throw unexpected(what)
    }
  }

  /// Takes a number, with a minus where there is one.
  mutating func expectNumber() throws(ExpressionError) -> ViewExpression.Literal {
    let offset = next.offset
    let isNegative = take(.minus)
    guard case .number(let value) = next.kind else { throw unexpected("a number") }
    let token = take()
    return ViewExpression.Literal(
      text: (isNegative ? "-" : "") + token.text, number: isNegative ? -value : value,
      offset: offset)
  }

  /// Takes a comparison sign.
  mutating func expectComparator() throws(ExpressionError) -> ViewExpression.Comparator? {
    guard case .symbol(let symbol) = next.kind,
      let comparator = ViewExpression.Comparator(rawValue: symbol.rawValue)
    else { return nil }
    _ = take()
    return comparator
  }

  /// The error for a next token that is not what was expected.
  ///
  /// - Parameter words: words that would have been understood, for a suggestion.
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
