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
    if let domain = subject.domain, domain != .number {
      throw tokens.error(at: offset, "“\(subject)” is \(domain.name), not a number")
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

/// Reads an expression of the view language.
private struct ViewParser: LogicParser {
  var tokens: TokenReader
  var depth = 0

  init(tokens: TokenReader) { self.tokens = tokens }

  mutating func parse() throws(ExpressionError) -> ViewExpression {
    let result = try expression()
    guard tokens.next.kind == .end else {
      throw tokens.unexpected("“and”, “or” or the end", words: ["and", "or"])
    }
    return result
  }

  mutating func comparison() throws(ExpressionError) -> ViewExpression {
    let (subject, offset) = try SubjectParser.parse(&tokens)
    let (test, isNegated) = try test { TestParser(tokens: $0, subject: subject) }
    let comparison = ViewExpression.comparison(
      ViewExpression.Comparison(subject: subject, offset: offset, test: test))
    return isNegated ? .not(comparison) : comparison
  }
}
