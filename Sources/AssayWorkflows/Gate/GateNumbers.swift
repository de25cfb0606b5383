import AssayCore
import AssayMetrics
import AssayStore

/// The metrics of an evaluation by key, read from its JSON, for comparison in a gate.
struct GateNumbers {
  private let json: JSONValue
  let task: ModelTask
  private let classes: [String]
  /// The last ledger entry that the metrics include, 0 for none; `nil` if the JSON does not state
  /// it.
  let truth: Int64?
  /// The keys with a single value, and the keys with one value per class.
  private let single: [String]
  private let perClass: [String]

  /// - Parameter json: the output of `assay evaluate --json`.
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

  /// The run's view, and the filter on its samples; `nil` if the JSON does not state them.
  var view: String? { json["view"]?.text }
  var filter: String? { json["settings"]?["where"]?.text }

  /// The number of samples in the evaluation; `nil` if the JSON does not state it.
  var count: Int? { json["n"]?.double.flatMap { Int(exactly: $0) } }

  /// The classes of an evaluation of files, whose per-class values are keyed by class name.
  private static func classes(of json: JSONValue) -> [JSONValue]? {
    guard case .object(let members)? = json[MetricKind.perCategoryAP.rawValue] else { return nil }
    return members.map { .string($0.name) }
  }

  /// Rejects a term with an unknown key or class.
  ///
  /// - Throws: `ExpressionError` with the location and a suggestion.
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

  /// The key for a word that matches a metric's title: the whole title, its initials (`mAP`) or one
  /// of its words; `nil` if there is none.
  private func named(_ word: String) -> String? {
    func plain(_ text: some StringProtocol) -> String {
      text.lowercased().filter { $0.isLetter || $0.isNumber }
    }
    let wanted = plain(word)
    guard wanted.count > 1 else { return nil }
    let titles = MetricKind.kinds(of: task).map { kind in
      (kind: kind, words: kind.facts.title.split { $0 == " " || $0 == "-" })
    }
    // Headline metrics are preferred if several match.
    let headline = MetricKind.shown(.headline, in: task)
    let sorted =
      titles.filter { headline.contains($0.kind) } + titles.filter { !headline.contains($0.kind) }
    let found =
      sorted.first { plain($0.words.joined()) == wanted }
      ?? sorted.first { plain($0.words.map { $0.prefix(1) }.joined()) == wanted }
      ?? sorted.first { $0.words.contains { plain($0) == wanted } }
    return found?.kind.rawValue
  }

  /// The value under a key; a file from an earlier version may use the former key.
  private func member(_ key: String) -> JSONValue? {
    let former =
      MetricKind(rawValue: key)?.facts.formerKey
      ?? Self.renamedCounts.first { $0.value == key }?.key
    return json[key] ?? former.flatMap { json[$0] }
  }

  /// The present keys of counts by their earlier spellings, which are accepted for one version.
  static let renamedCounts = ["truths": "objects"]

  /// The value of a term; `nil` if it is undefined or missing.
  func value(of term: GateExpression.Term) -> Double? {
    let value = member(term.metric.text)
    guard let category = term.category else { return value?.double }
    // Some keys have an object by class name, as in COCO's tools.
    if case .object? = value { return value?[category.text]?.double }
    guard let ordinal = classes.firstIndex(of: category.text), let list = value?.elements,
      ordinal < list.count
    else { return nil }
    return list[ordinal].double
  }

  /// Returns the reason why a term's value is undefined, as far as it is known from its key.
  func undefinedReason(_ term: GateExpression.Term) -> String {
    let fallback = "it is undefined for these samples"
    guard let use = MetricKind(key: term.metric.text)?.facts.use(in: task) else { return fallback }
    let hasSeveral = classes.count > 1
    guard use.shown(hasSeveral: hasSeveral) != nil else {
      let others = MetricKind.shown(.headline, in: task, hasSeveral: hasSeveral)
        .map(\.rawValue).joined(separator: " and ")
      return hasSeveral
        ? "it is only defined for runs with one class; with several classes, use \(others)"
        : "it is only defined for runs with several classes; with one class, use \(others)"
    }
    // Log loss is defined for all samples with probabilities.
    if task.output == .label, (count ?? 0) > 0, json[MetricKind.logLoss.rawValue] == .null,
      let kind = MetricKind(key: term.metric.text),
      ClassificationScores.needingProbabilities.contains(kind)
    {
      return "it is undefined: the run has predicted classes and no scores"
    }
    return use.undefined.map { "it is undefined: \($0)" } ?? fallback
  }
}
