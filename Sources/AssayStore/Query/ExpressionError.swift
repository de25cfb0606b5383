import AssayCore

/// An error in an expression: its location, the problem, and the likely intended text.
package struct ExpressionError: Error, Hashable {
  /// The whole expression.
  package var source: String
  /// The 0-based offset of the character at fault; the number of characters for the end.
  package var offset: Int
  /// The error at that offset.
  package var message: String
  /// The nearest valid alternative.
  package var suggestion: String?
  /// All valid alternatives, if they are a list of names.
  package var candidates: [String]

  package init(
    source: String, offset: Int, message: String, suggestion: String? = nil,
    candidates: [String] = []
  ) {
    self.source = source
    self.offset = offset
    self.message = message
    self.suggestion = suggestion
    self.candidates = candidates
  }

  /// An error about a word that is not one of `candidates`, suggesting the nearest.
  init(source: String, offset: Int, message: String, word: String, candidates: [String]) {
    self.init(
      source: source, offset: offset, message: message,
      suggestion: NearMiss.suggestion(for: word, among: candidates), candidates: candidates)
  }
}

extension ExpressionError: CustomStringConvertible {
  /// The message with its suggestion, then the expression with a caret under the location.
  ///
  /// For a long expression, only the part around the location is shown; line breaks are shown as
  /// blanks.
  package var description: String {
    var text = message
    if let suggestion { text += "; did you mean “\(suggestion)”?" }
    if !candidates.isEmpty {
      let more = candidates.count - Self.candidateLimit
      text += suggestion == nil ? "; known: " : " Known: "
      text += candidates.prefix(Self.candidateLimit).joined(separator: ", ")
      if more > 0 { text += " and \(more) more" }
    }
    guard !source.allSatisfy(\.isWhitespace) else { return text }
    let characters = Array(source).map { $0.isNewline || $0 == "\t" ? " " : $0 }
    let place = min(max(offset, 0), characters.count)
    let start = max(0, place - Self.context)
    let end = min(characters.count, place + Self.context)
    let lead = start > 0 ? "…" : ""
    let tail = end < characters.count ? "…" : ""
    text += "\n  \(lead)\(String(characters[start..<end]))\(tail)"
    text += "\n  " + String(repeating: " ", count: lead.count + place - start) + "^"
    return text
  }

  private static let candidateLimit = 20
  /// The maximum number of characters shown on each side of the location.
  private static let context = 60
}
