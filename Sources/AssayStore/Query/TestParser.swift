extension ViewExpression.Subject {
  /// The values of a subject.
  enum Domain {
    case text, number, truth
  }

  var domain: Domain {
    switch self {
    case .split, .label, .key, .issue, .part, .correctedBy, .run(_, _, _, .label): .text
    case .mark, .run(_, _, _, .correct): .truth
    case .width, .height, .labels, .count, .coverage, .corrections, .run: .number
    }
  }
}

/// Reads the right side of a comparison, and checks that it fits the subject: numbers with numbers.
struct TestParser {
  var tokens: TokenReader
  let subject: ViewExpression.Subject

  private var domain: ViewExpression.Subject.Domain { subject.domain }

  /// True if a sample can have several values of the subject, so that `!=` is ambiguous.
  private var isManyValued: Bool {
    switch subject {
    case .issue, .part(nil), .correctedBy: true
    default: false
    }
  }

  /// - Returns: the test, and whether it was written with `not in`.
  mutating func parse() throws(ExpressionError) -> (ViewExpression.Test, isNegated: Bool) {
    let offset = tokens.next.offset
    if let comparator = try tokens.expectComparator() {
      if comparator == .notEqual, isManyValued {
        throw tokens.error(
          at: offset, "a sample can have several of these; use “not … = …” instead of “!=”")
      }
      guard comparator == .equal || comparator == .notEqual || domain == .number else {
        throw tokens.error(at: offset, "“\(comparator.rawValue)” compares numbers")
      }
      return (.compare(comparator, try literal()), false)
    }
    let isNegated = tokens.take(word: "not")
    guard tokens.take(word: "in") else {
      let signs = ViewExpression.Comparator.allCases.map(\.rawValue).joined(separator: " ")
      throw tokens.unexpected(isNegated ? "“in”" : "one of \(signs) in", words: ["in", "not"])
    }
    return (try set(), isNegated)
  }

  /// A list in parentheses, or a range of numbers.
  private mutating func set() throws(ExpressionError) -> ViewExpression.Test {
    guard tokens.take(.leftParenthesis) else {
      guard domain == .number else {
        throw tokens.unexpected("a list such as “(a, b)”")
      }
      let low = try literal()
      try tokens.expect(.range, "and the upper end, as in 1..2")
      return .within(low, try literal())
    }
    var members = [try literal()]
    while tokens.take(.comma) { members.append(try literal()) }
    try tokens.expect(.rightParenthesis, "or “,”")
    return .among(members)
  }

  private mutating func literal() throws(ExpressionError) -> ViewExpression.Literal {
    let offset = tokens.next.offset
    switch domain {
    case .number: return try tokens.expectNumber()
    case .text:
      let name = try tokens.expectName("a name (one with blanks is quoted)")
      return ViewExpression.Literal(text: name.text, number: nil, offset: offset)
    case .truth:
      guard tokens.next.isWord("true") || tokens.next.isWord("false") else {
        throw tokens.unexpected("“true” or “false”", words: ["true", "false"])
      }
      return ViewExpression.Literal(text: tokens.take().text, number: nil, offset: offset)
    }
  }
}
