/// A piece of an expression.
struct Token: Hashable, Sendable {
  enum Kind: Hashable, Sendable {
    /// A bare word, including keywords.
    case word
    /// A quoted text.
    case quoted
    case number(Double)
    case symbol(Symbol)
    case end
  }

  /// The symbols of the language.
  enum Symbol: String, CaseIterable, Sendable {
    case leftParenthesis = "("
    case rightParenthesis = ")"
    case comma = ","
    case colon = ":"
    case range = ".."
    case dot = "."
    case notEqual = "!="
    case lessOrEqual = "<="
    case greaterOrEqual = ">="
    case equal = "="
    case less = "<"
    case greater = ">"
    case plus = "+"
    case minus = "-"
  }

  var kind: Kind
  /// The word, the number as spelled, or the text within the quotes.
  var text: String
  /// The 0-based character where it starts.
  var offset: Int

  /// The name of the token in a message.
  var description: String { kind == .end ? "the end" : "“\(text)”" }

  /// Returns whether the token is this keyword (unquoted).
  func isWord(_ word: String) -> Bool { kind == .word && text == word }
}
