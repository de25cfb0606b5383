/// Reads the condition of `objects(…)` and `labels(…)`: comparisons of an object's properties, joined as those of samples.
struct ObjectParser: LogicParser {
  var tokens: TokenReader
  var depth = 0

  /// `(class = person and area > 100)`; `()` is all objects.
  static func parse(
    _ tokens: inout TokenReader, example: String = "objects(class = person and width > 20)"
  ) throws(ExpressionError) -> ObjectExpression {
    try tokens.expect(.leftParenthesis, "and a condition on objects, as in \(example)")
    if tokens.take(.rightParenthesis) { return .all([]) }
    var parser = ObjectParser(tokens: tokens)
    let condition = try parser.expression()
    try parser.close()
    tokens = parser.tokens
    return condition
  }

  mutating func comparison() throws(ExpressionError) -> ObjectExpression {
    let offset = tokens.next.offset
    let field = try field()
    let (test, isNegated) = try test { TestParser(tokens: $0, field: field) }
    let comparison = ObjectExpression.comparison(field, test, offset: offset)
    return isNegated ? .not(comparison) : comparison
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
}
