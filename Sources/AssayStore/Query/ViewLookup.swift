import AssayCore
import GRDB

/// Lookup of the names in an expression; an unknown name is an error at its location.
extension ViewCompiler {
  typealias Literal = ViewExpression.Literal

  /// The stored spellings of a split.
  func splits(_ literal: Literal) throws(ExpressionError) -> [String] {
    let known: [String]
    let spellings: [String]
    do {
      known = try scope.splits()
      spellings = try scope.splits(matching: literal.text)
    } catch {
      throw ExpressionError(
        source: source, offset: literal.offset, message: "the splits cannot be read: \(error)")
    }
    guard !spellings.isEmpty else {
      throw unknown(
        "“\(scope.dataset.name)” has no split “\(literal.text)”", literal.text, literal.offset,
        among: known)
    }
    return spellings
  }

  /// The row id of a class.
  func category(_ literal: Literal) throws(ExpressionError) -> Int64 {
    try category(ViewExpression.Word(text: literal.text, offset: literal.offset))
  }

  /// The row id of a class.
  func category(_ name: ViewExpression.Word) throws(ExpressionError) -> Int64 {
    let found = scope.labels.categories.first { $0.category.name == name.text }
    guard let found else {
      throw unknown(
        "“\(scope.dataset.name)” has no class “\(name.text)”", name.text, name.offset,
        among: scope.labels.categories.map(\.category.name))
    }
    return found.id
  }

  func issueKind(_ literal: Literal) throws(ExpressionError) -> String {
    guard IssueKind(rawValue: literal.text) != nil || FindingKind(rawValue: literal.text) != nil
    else {
      throw unknown(
        "unknown issue kind “\(literal.text)”", literal.text, literal.offset,
        among: IssueKind.allCases.map(\.rawValue) + FindingKind.allCases.map(\.rawValue))
    }
    return literal.text
  }

  func unknown(
    _ message: String, _ word: String, _ offset: Int, among candidates: [String]
  ) -> ExpressionError {
    ExpressionError(
      source: source, offset: offset, message: message, word: word, candidates: candidates)
  }
}

extension ViewExpression.Test {
  /// The values that the test names, in order.
  var literals: [ViewExpression.Literal] {
    switch self {
    case .compare(_, let literal): [literal]
    case .among(let list): list
    case .within(let low, let high): [low, high]
    case .like(let pattern): [pattern]
    case .field: []
    }
  }
}
