/// A gate: comparisons of an evaluation's numbers, joined by `and`.
///
///     accuracy >= 0.58 and recall(disgust) >= 0.3 and accuracy >= base - 0.005
package struct GateExpression: Hashable, Sendable {
  package var source: String
  package var terms: [Term]

  /// One comparison of the number on the left with the one on the right.
  package struct Term: Hashable, Sendable {
    /// As written.
    package var text: String
    /// The metric's key as written, not looked up.
    package var metric: ViewExpression.Word
    /// The class, for `recall(disgust)`.
    package var category: ViewExpression.Word?
    package var comparator: ViewExpression.Comparator
    package var bound: Bound
  }

  /// The right side: a constant, plus the base's value of the same metric if `base` is named.
  package struct Bound: Hashable, Sendable {
    package var isRelativeToBase: Bool
    package var constant: Double
  }

  /// True if any term needs a base to compare with.
  package var needsBase: Bool { terms.contains { $0.bound.isRelativeToBase } }

  /// Reads a gate expression.
  ///
  /// - Throws: `ExpressionError` with the location, what was expected there, and a suggestion.
  package static func parse(_ source: String) throws(ExpressionError) -> GateExpression {
    var parser = GateParser(tokens: try TokenReader(source, wordsHaveDashes: false))
    return GateExpression(source: source, terms: try parser.parse())
  }
}

private struct GateParser {
  var tokens: TokenReader

  mutating func parse() throws(ExpressionError) -> [GateExpression.Term] {
    var terms = [try term()]
    while tokens.take(word: "and") { terms.append(try term()) }
    guard tokens.next.kind == .end else {
      throw tokens.unexpected("“and” or the end", words: ["and"])
    }
    return terms
  }

  private mutating func term() throws(ExpressionError) -> GateExpression.Term {
    guard tokens.next.kind == .word, tokens.next.text != "and" else {
      throw tokens.unexpected("a comparison such as “accuracy >= 0.58”")
    }
    let metric = tokens.take()
    var category: ViewExpression.Word?
    if tokens.take(.leftParenthesis) {
      category = try tokens.expectName("a class")
      try tokens.expect(.rightParenthesis, "after the class (a name with blanks is quoted)")
    }
    guard let comparator = try tokens.expectComparator() else {
      let signs = ViewExpression.Comparator.allCases.map(\.rawValue).joined(separator: " ")
      throw tokens.unexpected("one of \(signs)")
    }
    let bound = try bound()
    let end = tokens.next.offset
    let text = String(Array(tokens.source)[metric.offset..<end])
    return GateExpression.Term(
      text: String(text.reversed().drop(while: \.isWhitespace).reversed()),
      metric: ViewExpression.Word(text: metric.text, offset: metric.offset), category: category,
      comparator: comparator, bound: bound)
  }

  /// Numbers and at most one `base`, added and subtracted.
  private mutating func bound() throws(ExpressionError) -> GateExpression.Bound {
    var bound = GateExpression.Bound(isRelativeToBase: false, constant: 0)
    var sign = tokens.take(.minus) ? -1.0 : 1.0
    while true {
      if case .number(let value) = tokens.next.kind {
        bound.constant += sign * value
        _ = tokens.take()
      } else if tokens.next.isWord("base") {
        let offset = tokens.next.offset
        guard sign > 0 else {
          throw tokens.error(at: offset, "“base” cannot be subtracted")
        }
        guard !bound.isRelativeToBase else {
          throw tokens.error(at: offset, "“base” can be named once")
        }
        bound.isRelativeToBase = true
        _ = tokens.take()
      } else {
        throw tokens.unexpected("a number or “base”", words: ["base"])
      }
      if tokens.take(.plus) {
        sign = 1
      } else if tokens.take(.minus) {
        sign = -1
      } else {
        return bound
      }
    }
  }
}
