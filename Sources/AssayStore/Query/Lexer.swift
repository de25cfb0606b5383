/// Splits an expression into tokens.
struct Lexer {
  /// The maximum number of characters in an expression.
  static let lengthLimit = 10_000

  private let source: String
  private let characters: [Character]
  /// True if `-` can be part of a bare word outside parentheses.
  private let wordsHaveDashes: Bool
  private var place = 0
  private var depth = 0

  /// - Parameter wordsHaveDashes: `false` if `-` is arithmetic, as in gates.
  private init(_ source: String, wordsHaveDashes: Bool) {
    self.source = source
    self.characters = Array(source)
    self.wordsHaveDashes = wordsHaveDashes
  }

  /// The tokens of a text; the last one is the end.
  static func tokens(
    of source: String, wordsHaveDashes: Bool = true
  ) throws(ExpressionError) -> [Token] {
    var lexer = Lexer(source, wordsHaveDashes: wordsHaveDashes)
    guard lexer.characters.count <= lengthLimit else {
      throw ExpressionError(
        source: source, offset: lengthLimit,
        message: "the expression is longer than \(lengthLimit) characters")
    }
    var tokens: [Token] = []
    repeat { tokens.append(try lexer.next()) } while tokens.last?.kind != .end
    return tokens
  }

  private mutating func next() throws(ExpressionError) -> Token {
    while let character = peek(), character.isWhitespace { place += 1 }
    let start = place
    guard let character = peek() else { return Token(kind: .end, text: "", offset: start) }
    if character == "\"" || character == "'" { return try quoted(by: character) }
    if let number = number() { return number }
    if isWordStart(character) {
      while let next = peek(), continuesWord(next) { place += 1 }
      return Token(kind: .word, text: String(characters[start..<place]), offset: start)
    }
    return try symbol()
  }

  private func peek(_ ahead: Int = 0) -> Character? {
    place + ahead < characters.count ? characters[place + ahead] : nil
  }

  private func isWordStart(_ character: Character) -> Bool {
    character.isLetter || character.isNumber || character == "_"
  }

  /// Returns whether the character at `place` belongs to the word before it; `..` ends a word.
  private func continuesWord(_ character: Character) -> Bool {
    if isWordStart(character) { return true }
    if character == "-" { return wordsHaveDashes || depth > 0 }
    // As in run(NAME@EVALUATION).
    if character == "@" { return depth > 0 && peek(1).map(isWordStart) ?? false }
    guard character == ".", let next = peek(1) else { return false }
    return isWordStart(next)
  }

  /// A number at `place`; `nil` if there is none, or if a word starts with digits (`2017val`).
  private mutating func number() -> Token? {
    let start = place
    skipDigits()
    guard place > start else { return nil }
    if peek() == ".", peek(1)?.isDigit == true {
      place += 1
      skipDigits()
    }
    if peek() == "e" || peek() == "E" {
      let mark = place
      place += 1
      if peek() == "+" || peek() == "-" { place += 1 }
      if peek()?.isDigit == true { skipDigits() } else { place = mark }
    }
    let text = String(characters[start..<place])
    if let next = peek(), continuesWord(next) {
      place = start
      return nil
    }
    guard let value = Double(text), value.isFinite else {
      place = start
      return nil
    }
    return Token(kind: .number(value), text: text, offset: start)
  }

  private mutating func skipDigits() {
    while peek()?.isDigit == true { place += 1 }
  }

  private mutating func quoted(by quote: Character) throws(ExpressionError) -> Token {
    let start = place
    place += 1
    var text = ""
    while let character = peek() {
      place += 1
      if character == quote { return Token(kind: .quoted, text: text, offset: start) }
      if character == "\\", let escaped = peek() {
        place += 1
        text.append(escaped)
      } else {
        text.append(character)
      }
    }
    throw ExpressionError(
      source: source, offset: start, message: "missing closing quote")
  }

  private mutating func symbol() throws(ExpressionError) -> Token {
    let start = place
    for (other, ours) in [("==", "="), ("<>", "!="), ("&&", "and"), ("||", "or")]
    where peek() == other.first && peek(1) == other.last {
      throw ExpressionError(
        source: source, offset: start, message: "unexpected “\(other)”",
        suggestion: ours)
    }
    for length in [2, 1] where start + length <= characters.count {
      let text = String(characters[start..<start + length])
      guard let symbol = Token.Symbol(rawValue: text) else { continue }
      place += length
      if symbol == .leftParenthesis { depth += 1 }
      if symbol == .rightParenthesis { depth = max(0, depth - 1) }
      return Token(kind: .symbol(symbol), text: text, offset: start)
    }
    let message =
      switch characters[start] {
      case "/": "a name with “/” is quoted"
      case "*", "?": "a pattern with “\(characters[start])” is quoted, as in key like \"*night*\""
      default: "unexpected “\(characters[start])”"
      }
    throw ExpressionError(
      source: source, offset: start, message: message,
      suggestion: characters[start] == "!" ? "not" : nil)
  }
}

extension Character {
  /// True if it is one of 0–9.
  fileprivate var isDigit: Bool { isASCII && isNumber }
}
