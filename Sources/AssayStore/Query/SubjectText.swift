extension ViewExpression.Subject: CustomStringConvertible {
  /// As an expression spells it: `count(person, crowd)`, `run(r1).iou`.
  package var description: String {
    switch self {
    case .split: "split"
    case .label: "label"
    case .key: "key"
    case .width: "width"
    case .height: "height"
    case .issue: "issue"
    case .part(nil): "part"
    case .part(let name?): "part(\(name.spelling))"
    case .count(let name, let isCrowd): "count(\(name.spelling)\(isCrowd ? ", crowd" : ""))"
    case .coverage(let name): "coverage(\(name.spelling))"
    case .run(let name, nil, let field): "run(\(name.spelling)).\(field.rawValue)"
    case .run(let name, let evaluation?, let field):
      "run(\(name.text)@\(evaluation.text)).\(field.rawValue)"
    }
  }
}

extension ViewExpression.Word {
  /// The name, in quotes where it needs them.
  var spelling: String {
    let tokens = (try? Lexer.tokens(of: "(\(text)")) ?? []
    if tokens.count == 3, tokens[1].kind == .word, tokens[1].text == text { return text }
    let escaped = text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
    return "\"\(escaped)\""
  }
}
