import AssayCore
import AssayStore

/// The numbers of an evaluation by their keys, read from its JSON: what a gate compares.
struct GateNumbers {
  private let json: JSONValue
  private let classes: [String]

  /// - Parameter json: what `assay evaluate --json` prints.
  /// - Throws: ``EvaluationError/noEvaluationFile(_:reason:)``.
  init(_ json: JSONValue, path: String) throws(EvaluationError) {
    guard json["accuracy"] != nil, let names = json["classes"]?.elements else {
      throw .noEvaluationFile(path, reason: "it has no accuracy or no classes")
    }
    classes = names.compactMap(\.text)
    guard classes.count == names.count else {
      throw .noEvaluationFile(path, reason: "its classes are no list of names")
    }
    self.json = json
  }

  /// Keys that hold one number, and one number a class.
  private static let single =
    ["n"] + MetricKind.allCases.filter { !$0.isPerCategory }.map(\.rawValue)
  private static let perClass = MetricKind.allCases.filter(\.isPerCategory).map(\.rawValue)

  /// Refuses a term whose key or class there is not.
  ///
  /// - Throws: `ExpressionError` with the place and a suggestion.
  func check(_ term: GateExpression.Term, in source: String) throws(ExpressionError) {
    let key = term.metric.text
    let isPerClass = Self.perClass.contains(key)
    guard isPerClass || Self.single.contains(key) else {
      let keys = Self.single + Self.perClass.map { "\($0)(class)" }
      let near = NearMiss.suggestion(for: key, among: Self.single + Self.perClass)
      throw ExpressionError(
        source: source, offset: term.metric.offset, message: "there is no number “\(key)”",
        suggestion: near.map { Self.perClass.contains($0) ? "\($0)(class)" : $0 },
        candidates: keys)
    }
    guard let category = term.category else {
      guard isPerClass else { return }
      throw ExpressionError(
        source: source, offset: term.metric.offset,
        message: "“\(key)” has one number a class; name one: \(key)(\(classes.first ?? "class"))",
        candidates: classes)
    }
    guard isPerClass else {
      throw ExpressionError(
        source: source, offset: category.offset,
        message: "“\(key)” is one number for all classes; write it without “(\(category.text))”",
        suggestion: nil, candidates: [])
    }
    guard classes.contains(category.text) else {
      throw ExpressionError(
        source: source, offset: category.offset, message: "there is no class “\(category.text)”",
        suggestion: NearMiss.suggestion(for: category.text, among: classes), candidates: classes)
    }
  }

  /// The number that a term names; `nil` where it is undefined or not there.
  func value(of term: GateExpression.Term) -> Double? {
    let value = json[term.metric.text]
    guard let category = term.category else { return value?.double }
    guard let ordinal = classes.firstIndex(of: category.text), let list = value?.elements,
      ordinal < list.count
    else { return nil }
    return list[ordinal].double
  }
}
