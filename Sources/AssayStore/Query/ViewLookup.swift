import AssayCore
import GRDB

/// Names in an expression, looked up; one that stands for nothing is an error at its place.
extension ViewCompiler {
  typealias Literal = ViewExpression.Literal

  /// The stored spellings of a split.
  func splits(_ literal: Literal) throws(ExpressionError) -> [String] {
    let spellings = scope.splits(matching: literal.text)
    guard !spellings.isEmpty else {
      throw unknown(
        "“\(scope.dataset.name)” has no split “\(literal.text)”", literal.text, literal.offset,
        among: scope.splits)
    }
    return spellings
  }

  /// The row id of a class.
  func category(_ literal: Literal) throws(ExpressionError) -> Int64 {
    let found = scope.labels.categories.first { $0.category.name == literal.text }
    guard let found else {
      throw unknown(
        "“\(scope.dataset.name)” has no class “\(literal.text)”", literal.text, literal.offset,
        among: scope.labels.categories.map(\.category.name))
    }
    return found.id
  }

  func issueKind(_ literal: Literal) throws(ExpressionError) -> String {
    guard IssueKind(rawValue: literal.text) != nil else {
      throw unknown(
        "no kind of issue is called “\(literal.text)”", literal.text, literal.offset,
        among: IssueKind.allCases.map(\.rawValue))
    }
    return literal.text
  }

  /// A run over this dataset.
  func run(
    _ name: ViewExpression.Word
  ) throws(ExpressionError) -> (id: Int64, classes: [String]) {
    do {
      let row = try Row.fetchOne(
        database,
        sql: """
          SELECT r.id, r.dataset, d.name FROM run r JOIN dataset d ON d.id = r.dataset
          WHERE r.name = ?
          """, arguments: [name.text])
      guard let row else {
        throw unknown(
          "no run “\(name.text)”", name.text, name.offset,
          among: try String.fetchAll(
            database, sql: "SELECT name FROM run WHERE dataset = ? ORDER BY name",
            arguments: [scope.dataset.id]))
      }
      guard row["dataset"] == scope.dataset.id else {
        throw ExpressionError(
          source: source, offset: name.offset,
          message: "run “\(name.text)” is over “\(row["name"] as String)”, "
            + "not over “\(scope.dataset.name)”")
      }
      let id: Int64 = row["id"]
      return (
        id,
        try String.fetchAll(
          database, sql: "SELECT name FROM runClass WHERE run = ? ORDER BY ordinal",
          arguments: [id])
      )
    } catch let error as ExpressionError {
      throw error
    } catch {
      throw ExpressionError(
        source: source, offset: name.offset,
        message: "run “\(name.text)” cannot be read: \(error)")
    }
  }

  func unknown(
    _ message: String, _ word: String, _ offset: Int, among candidates: [String]
  ) -> ExpressionError {
    ExpressionError(
      source: source, offset: offset, message: message, word: word, candidates: candidates)
  }
}

extension ViewExpression.Test {
  /// The values that it names, in order.
  var literals: [ViewExpression.Literal] {
    switch self {
    case .compare(_, let literal): [literal]
    case .among(let list): list
    case .within(let low, let high): [low, high]
    }
  }
}
