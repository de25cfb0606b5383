import AssayCore
import AssayStore

/// The numbers of an evaluation by their keys, read from its JSON: what a gate compares.
struct GateNumbers {
  private let json: JSONValue
  let task: ModelTask
  private let classes: [String]
  /// The last entry of the ledger that a file's numbers go by, 0 for none; `nil` where it does not say.
  let truth: Int64?
  /// Keys that hold one number, and one number a class.
  private let single: [String]
  private let perClass: [String]

  /// - Parameter json: what `assay evaluate --json` prints.
  /// - Throws: ``EvaluationError/noEvaluationFile(_:reason:)``.
  init(_ json: JSONValue, path: String) throws(EvaluationError) {
    let name = json["task"]?.text ?? ModelTask.classification.rawValue
    guard let task = ModelTask(rawValue: name) else {
      throw .noEvaluationFile(path, reason: "its task is \(name)")
    }
    let first = MetricKind.kinds(of: task)[0].rawValue
    guard json[first] != nil, let names = json["classes"]?.elements ?? Self.classes(of: json) else {
      throw .noEvaluationFile(path, reason: "it has no \(first) or no classes")
    }
    classes = names.compactMap(\.text)
    guard classes.count == names.count else {
      throw .noEvaluationFile(path, reason: "its classes are not a list of names")
    }
    self.json = json
    self.task = task
    if case .bool(true)? = json["corrections"]?["used"],
      case .integer(let entry)? = json["corrections"]?["entry"]
    {
      truth = entry
    } else {
      truth = json["corrections"] == nil ? nil : 0
    }
    let kinds = MetricKind.kinds(of: task)
    single =
      Tasks.type(of: task).countKeys
      + kinds.filter { !$0.isPerCategory }.map(\.rawValue)
    perClass = kinds.filter(\.isPerCategory).map(\.rawValue)
  }

  /// The view of the run that it is about, and the condition on its samples; `nil` where it does not say.
  var view: String? { json["view"]?.text }
  var filter: String? { json["settings"]?["where"]?.text }

  /// The number of samples in the evaluation; `nil` if the JSON does not tell.
  var count: Int? { json["n"]?.double.flatMap { Int(exactly: $0) } }

  /// The classes of judged files, which have one number a class by its name.
  private static func classes(of json: JSONValue) -> [JSONValue]? {
    guard case .object(let members)? = json[MetricKind.perCategoryAP.rawValue] else { return nil }
    return members.map { .string($0.name) }
  }

  /// Refuses a term whose key or class there is not.
  ///
  /// - Throws: `ExpressionError` with the place and a suggestion.
  func check(_ term: GateExpression.Term, in source: String) throws(ExpressionError) {
    let key = term.metric.text
    let isPerClass = perClass.contains(key)
    guard isPerClass || single.contains(key) else {
      let keys = single + perClass.map { "\($0)(class)" }
      let near = named(key) ?? NearMiss.suggestion(for: key, among: single + perClass)
      throw ExpressionError(
        source: source, offset: term.metric.offset, message: "unknown metric “\(key)”",
        suggestion: near.map { perClass.contains($0) ? "\($0)(class)" : $0 },
        candidates: keys)
    }
    guard let category = term.category else {
      guard isPerClass else { return }
      throw ExpressionError(
        source: source, offset: term.metric.offset,
        message: "“\(key)” has one value per class; write \(key)(\(classes.first ?? "class"))",
        candidates: classes)
    }
    guard isPerClass else {
      throw ExpressionError(
        source: source, offset: category.offset,
        message: "“\(key)” is one value for all classes; write it without “(\(category.text))”",
        suggestion: nil, candidates: [])
    }
    guard classes.contains(category.text) else {
      throw ExpressionError(
        source: source, offset: category.offset, message: "unknown class “\(category.text)”",
        suggestion: NearMiss.suggestion(for: category.text, among: classes), candidates: classes)
    }
  }

  /// The key that a word means by the metric's title: by all of it, its initials (`mAP`) or a word of it; `nil` for
  /// none.
  private func named(_ word: String) -> String? {
    func plain(_ text: some StringProtocol) -> String {
      text.lowercased().filter { $0.isLetter || $0.isNumber }
    }
    let wanted = plain(word)
    guard wanted.count > 1 else { return nil }
    let titles = MetricKind.kinds(of: task).map { kind in
      (kind: kind, words: kind.facts.title.split { $0 == " " || $0 == "-" })
    }
    // Of several the one that stands at the top of an evaluation.
    let headline = MetricKind.shown(.headline, in: task)
    let sorted =
      titles.filter { headline.contains($0.kind) } + titles.filter { !headline.contains($0.kind) }
    let found =
      sorted.first { plain($0.words.joined()) == wanted }
      ?? sorted.first { plain($0.words.map { $0.prefix(1) }.joined()) == wanted }
      ?? sorted.first { $0.words.contains { plain($0) == wanted } }
    return found?.kind.rawValue
  }

  /// The value under a key; a file of an earlier version may have an earlier spelling of it.
  private func member(_ key: String) -> JSONValue? {
    let former =
      MetricKind(rawValue: key)?.facts.formerKey
      ?? Self.renamedCounts.first { $0.value == key }?.key
    return json[key] ?? former.flatMap { json[$0] }
  }

  /// The present keys of counts by their earlier spellings, which are accepted for one version.
  static let renamedCounts = ["truths": "objects"]

  /// The number that a term names; `nil` where it is undefined or not there.
  func value(of term: GateExpression.Term) -> Double? {
    let value = member(term.metric.text)
    guard let category = term.category else { return value?.double }
    // Some keys have an object by name, as COCO's tools do.
    if case .object? = value { return value?[category.text]?.double }
    guard let ordinal = classes.firstIndex(of: category.text), let list = value?.elements,
      ordinal < list.count
    else { return nil }
    return list[ordinal].double
  }

  /// Returns the reason a term's value is undefined, as far as its key tells.
  func undefinedReason(_ term: GateExpression.Term) -> String {
    let fallback = "it is undefined for these samples"
    guard let use = MetricKind(key: term.metric.text)?.facts.use(in: task) else { return fallback }
    let hasSeveral = classes.count > 1
    guard use.shown(hasSeveral: hasSeveral) != nil else {
      let others = MetricKind.shown(.headline, in: task, hasSeveral: hasSeveral)
        .map(\.rawValue).joined(separator: " and ")
      return hasSeveral
        ? "it is a metric of runs with one class; with several classes there are \(others)"
        : "it is a metric of runs with several classes; with one class there are \(others)"
    }
    return use.undefined.map { "it is undefined: \($0)" } ?? fallback
  }
}
