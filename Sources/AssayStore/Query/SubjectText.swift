extension ViewExpression.Subject: CustomStringConvertible {
  /// The spelling in an expression: `count(person, crowd)`, `run(r1).iou`.
  package var description: String {
    switch self {
    case .split: "split"
    case .label: "label"
    case .labels: "labels"
    case .key: "key"
    case .width: "width"
    case .height: "height"
    case .aspect: "aspect"
    case .issue: "issue"
    case .part(nil): "part"
    case .part(let name?): "part(\(name.spelling))"
    case .count(let name, let isCrowd): "count(\(name.spelling)\(isCrowd ? ", crowd" : ""))"
    case .coverage(let name): "coverage(\(name.spelling))"
    case .similarity(let run, let key): "similarity(\(run.spelling), \(key.spelling))"
    case .objects(nil, let condition): "objects(\(condition))"
    case .objects(let run?, let condition): "run(\(run.spelling)).objects(\(condition))"
    case .labelsWith(let condition): "labels(\(condition))"
    case .mark(let mark): mark.rawValue
    case .corrections: "corrections"
    case .correctedBy: "corrected_by"
    case .tag: "tag"
    case .note: "note"
    case .field(let field): field.rawValue
    case .custom(let name): "field(\(name.spelling))"
    case .run(let name, let evaluation, let cut, let field):
      "run(\(Self.spelling(name, evaluation))\(cut.spelling)).\(field.rawValue)"
    }
  }

  /// A run and its evaluation as an expression spells them.
  static func spelling(_ run: ViewExpression.Word, _ evaluation: ViewExpression.Word?) -> String {
    evaluation.map { "\(run.text)@\($0.text)" } ?? run.spelling
  }
}

extension ViewExpression.MatchThresholds {
  /// `, class: person, iou: 0.75, score: 0.5`; empty for all classes at the evaluation's own.
  fileprivate var spelling: String {
    (category.map { ", class: \($0.spelling)" } ?? "")
      + [("iou", iou), ("score", score)].compactMap { name, literal in
        literal.map { ", \(name): \($0.text)" }
      }.joined()
  }
}

extension ViewExpression.Word {
  /// The name, in quotes if needed.
  var spelling: String {
    let tokens = (try? Lexer.tokens(of: "(\(text)")) ?? []
    if tokens.count == 3, tokens[1].kind == .word, tokens[1].text == text { return text }
    let escaped = text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
    return "\"\(escaped)\""
  }
}
