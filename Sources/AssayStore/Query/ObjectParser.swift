/// Reads the condition of `objects(…)`: comparisons of an object's properties, joined as those of samples.
///
///     expression  := conjunction ("or" conjunction)*
///     conjunction := factor ("and" factor)*
///     factor      := "not" factor | "(" expression ")" | comparison
struct ObjectParser {
  typealias Test = ViewExpression.Test

  var tokens: TokenReader
  private var depth = 0

  init(tokens: TokenReader) { self.tokens = tokens }

  /// `(class = person and area > 100)`.
  static func parse(_ tokens: inout TokenReader) throws(ExpressionError) -> ObjectExpression {
    try tokens.expect(
      .leftParenthesis, "and a condition on objects, as in objects(class = person and width > 20)")
    var parser = ObjectParser(tokens: tokens)
    let condition = try parser.expression()
    tokens = parser.tokens
    guard tokens.take(.rightParenthesis) else {
      throw tokens.unexpected("“and”, “or” or “)”", words: ["and", "or"])
    }
    return condition
  }

  private mutating func expression() throws(ExpressionError) -> ObjectExpression {
    var terms = [try conjunction()]
    while tokens.take(word: "or") { terms.append(try conjunction()) }
    return terms.count == 1 ? terms[0] : .any(terms)
  }

  private mutating func conjunction() throws(ExpressionError) -> ObjectExpression {
    var terms = [try factor()]
    while tokens.take(word: "and") { terms.append(try factor()) }
    return terms.count == 1 ? terms[0] : .all(terms)
  }

  private mutating func factor() throws(ExpressionError) -> ObjectExpression {
    let offset = tokens.next.offset
    let isNegation = tokens.take(word: "not")
    guard isNegation || tokens.take(.leftParenthesis) else { return try comparison() }
    depth += 1
    defer { depth -= 1 }
    guard depth <= ViewParser.depthLimit else {
      throw tokens.error(at: offset, "nested deeper than \(ViewParser.depthLimit) levels")
    }
    if isNegation { return .not(try factor()) }
    let inner = try expression()
    guard tokens.take(.rightParenthesis) else {
      throw tokens.unexpected("“and”, “or” or “)”", words: ["and", "or"])
    }
    return inner
  }

  // MARK: Comparisons

  private mutating func comparison() throws(ExpressionError) -> ObjectExpression {
    let offset = tokens.next.offset
    let field = try field()
    let signOffset = tokens.next.offset
    if let comparator = try tokens.expectComparator() {
      let literal = try literal(of: field)
      let isOrder = comparator != .equal && comparator != .notEqual
      if isOrder, field.domain ?? .number != .number || literal.number == nil {
        throw tokens.error(at: signOffset, "“\(comparator.rawValue)” compares numbers")
      }
      return .comparison(field, .compare(comparator, literal), offset: offset)
    }
    let isNegated = tokens.take(word: "not")
    let test: Test
    if tokens.next.isWord("like") {
      let place = tokens.take().offset
      guard field.domain ?? .text == .text else {
        throw tokens.error(at: place, "“like” matches texts; “\(field)” is not one")
      }
      test = .like(try TestParser.pattern(&tokens))
    } else if tokens.take(word: "in") {
      test = try set(of: field)
    } else {
      let signs = ViewExpression.Comparator.allCases.map(\.rawValue).joined(separator: " ")
      throw tokens.unexpected(
        isNegated ? "“in” or “like”" : "one of \(signs) in like", words: ["in", "not", "like"])
    }
    let found = ObjectExpression.comparison(field, test, offset: offset)
    return isNegated ? .not(found) : found
  }

  /// A property by its name; `attribute(NAME)` for an attribute that has the name of another property.
  private mutating func field() throws(ExpressionError) -> ObjectExpression.Field {
    let first = tokens.next
    guard first.kind == .word || first.kind == .quoted,
      first.kind == .quoted || !["and", "or", "in", "not"].contains(first.text)
    else {
      throw tokens.unexpected("a comparison of objects such as “class = person”")
    }
    _ = tokens.take()
    if first.kind == .word {
      if first.text == "attribute", tokens.take(.leftParenthesis) {
        let name = try tokens.expectName("an attribute")
        try tokens.expect(
          .rightParenthesis, "after an attribute (a name with blanks is quoted)")
        return .attribute(name)
      }
      if let own = ObjectExpression.OwnField(rawValue: first.text) { return .own(own) }
    }
    return .attribute(ViewExpression.Word(text: first.text, offset: first.offset))
  }

  /// A list in parentheses, or a range of numbers.
  private mutating func set(
    of field: ObjectExpression.Field
  ) throws(ExpressionError) -> Test {
    guard tokens.take(.leftParenthesis) else {
      guard field.domain ?? .number == .number else {
        throw tokens.unexpected("a list such as “(a, b)”")
      }
      let low = try tokens.expectNumber()
      try tokens.expect(.range, "and the upper end, as in 1..2")
      return .within(low, try tokens.expectNumber())
    }
    var members = [try literal(of: field)]
    while tokens.take(.comma) { members.append(try literal(of: field)) }
    try tokens.expect(.rightParenthesis, "or “,”")
    return .among(members)
  }

  private mutating func literal(
    of field: ObjectExpression.Field
  ) throws(ExpressionError) -> ViewExpression.Literal {
    switch field.domain {
    case .number?: return try tokens.expectNumber()
    case .truth?:
      guard tokens.next.isWord("true") || tokens.next.isWord("false") else {
        throw tokens.unexpected("“true” or “false”", words: ["true", "false"])
      }
      let token = tokens.take()
      return ViewExpression.Literal(text: token.text, number: nil, offset: token.offset)
    case .text?:
      let name = try tokens.expectName("a name (one with blanks is quoted)")
      return ViewExpression.Literal(text: name.text, number: nil, offset: name.offset)
    case nil:
      switch tokens.next.kind {
      case .number, .symbol(.minus): return try tokens.expectNumber()
      default:
        let name = try tokens.expectName("a value (a text with blanks is quoted)")
        return ViewExpression.Literal(text: name.text, number: nil, offset: name.offset)
      }
    }
  }
}

extension ObjectExpression.Field {
  /// The kind of values; `nil` for an attribute, whose values are known to the catalog alone.
  fileprivate var domain: ViewExpression.Subject.Domain? {
    switch self {
    case .own(let field): field.domain
    case .attribute: nil
    }
  }
}
