import AssayCore

extension DecisionFile {
  /// Reads a decision from a file.
  ///
  /// - Throws: ``InferenceError``.
  package static func read(_ path: String) throws(InferenceError) -> (
    decision: DecisionFile, text: String
  ) {
    let bytes = try FileBytes.all(of: path, limit: ModelManifest.sizeLimit)
    guard let text = String(ofFile: bytes) else {
      throw .manifest(path: path, line: nil, .syntax("it is not UTF-8"))
    }
    return (try DecisionFile(yaml: text, path: path), text)
  }

  /// Reads a decision's text; an unknown key is an error.
  ///
  /// - Parameter path: the path of its file, for messages.
  /// - Throws: ``InferenceError/manifest(path:line:_:)``.
  package init(yaml text: String, path: String) throws(InferenceError) {
    do throws(LocatedManifestFault) {
      self = try Self.parse(text)
    } catch {
      throw .manifest(path: path, line: error.line, error.fault)
    }
  }

  private static let countRange = 0...Int(Int32.max)

  private static func parse(_ text: String) throws(LocatedManifestFault) -> DecisionFile {
    let top = try ManifestSection(yaml: text, title: "the decision")
    guard try top.text("kind") == kind else {
      throw top.complaint(
        "kind",
        .expected(
          key: "kind", "\(kind), as `assay decide` writes it",
          found: try top.text("kind").map { "“\($0)”" } ?? "missing"))
    }
    _ = try top.count("version", in: version...version)
    try top.allow([
      "kind", "version", "task", "method", "per", "risk", "confidence", "promise", "run", "model",
      "model-hash", "settings", "dataset", "dataset-import", "dataset-hash", "view", "where",
      "ground-truth", "samples", "samples-hash", "classes", "thresholds",
    ])
    let method = try top.choice("method", of: Method.self, or: nil)
    let scope = try top.choice("per", of: Scope.self, or: nil)
    let classes = try top.names("classes", limit: ModelManifest.classLimit)
    var seen: Set<String> = []
    for name in classes where !seen.insert(name).inserted {
      throw top.complaint("classes", .duplicateClass(name))
    }
    if method == .conformal, top.has("confidence") {
      throw top.complaint(
        "confidence",
        .expected(
          key: "confidence", "left out with method: conformal, whose promise is an average",
          found: "given"))
    }
    return DecisionFile(
      task: try top.choice("task", of: ModelTask.self, or: nil), method: method, scope: scope,
      risk: try share(top, "risk"),
      confidence: method == .conformal ? nil : try share(top, "confidence"),
      promise: try required(top, "promise"), run: try required(top, "run"),
      model: try top.text("model"), modelHash: try hash(top, "model-hash"),
      settings: try required(top, "settings"), dataset: try required(top, "dataset"),
      datasetImport: try top.count("dataset-import", in: 1...Int(Int32.max)),
      datasetHash: try top.text("dataset-hash"), view: try required(top, "view"),
      filter: try required(top, "where"), groundTruth: try required(top, "ground-truth"),
      samples: try top.count("samples", in: countRange),
      samplesHash: try required(top, "samples-hash"), classes: classes,
      rules: try parseRules(top, method, scope, classes))
  }

  private static func parseRules(
    _ top: ManifestSection, _ method: Method, _ scope: Scope, _ classes: [String]
  ) throws(LocatedManifestFault) -> [Rule] {
    let sections = try top.sections(
      "thresholds", limit: ModelManifest.classLimit,
      example: "thresholds: [{threshold: 0.9, samples: 500, …}]")
    let risk = try share(top, "risk")
    var rules: [Rule] = []
    var open = scope == .all ? [] : Set(classes)
    for section in sections {
      let rule = try parseRule(section, method, scope, risk: risk)
      if let name = rule.category, open.remove(name) == nil {
        throw section.complaint(
          "class",
          classes.contains(name)
            ? .duplicateClass(name)
            : .notAmong(
              key: "class", value: name, known: Array(classes.prefix(20)),
              suggestion: NearMiss.suggestion(for: name, among: classes)))
      }
      rules.append(rule)
    }
    if let missing = classes.first(where: open.contains) {
      throw top.complaint(
        "thresholds", .missing(key: "class: \(missing)", example: "{class: \(missing), …}"))
    }
    guard scope == .category || rules.count == 1 else {
      throw top.complaint(
        "thresholds",
        .expected(
          key: "thresholds", "a list of one map with per: all", found: "a list of \(rules.count)"))
    }
    var places: [String: Int] = [:]
    for (place, name) in classes.enumerated() { places[name] = place }
    return rules.sorted {
      places[$0.category ?? "", default: 0] < places[$1.category ?? "", default: 0]
    }
  }

  private static func parseRule(
    _ section: ManifestSection, _ method: Method, _ scope: Scope, risk: Double
  ) throws(LocatedManifestFault) -> Rule {
    try section.allow(
      ["threshold", "samples", "reason"] + (scope == .category ? ["class"] : [])
        + (method == .clopperPearson ? ["accepted", "errors", "upper", "confidence"] : []))
    let spelled = try required(section, "threshold")
    var threshold: Float?
    if spelled != "never" || method == .conformal {
      guard let value = Float(spelled), (0...1).contains(value) else {
        throw section.complaint(
          "threshold",
          .outOfRange(
            key: "threshold", value: spelled,
            range: "from 0 to 1" + (method == .conformal ? "" : ", or never")))
      }
      threshold = value
    }
    var rule = Rule(
      category: scope == .category ? try required(section, "class") : nil, threshold: threshold,
      samples: try section.count("samples", in: countRange))
    rule.reason = try section.text("reason")
    guard method == .clopperPearson, threshold != nil else { return rule }
    let accepted = try section.count("accepted", in: 0...rule.samples)
    rule.accepted = accepted
    rule.errors = try section.count("errors", in: 0...accepted)
    let upper = try share(section, "upper")
    guard upper <= risk else {
      throw section.complaint(
        "upper",
        .outOfRange(
          key: "upper", value: "\(upper)", range: "above 0 and at most the promised risk, \(risk)"))
    }
    rule.upper = upper
    rule.confidence = try share(section, "confidence")
    return rule
  }

  private static func required(
    _ section: ManifestSection, _ key: String
  ) throws(LocatedManifestFault) -> String {
    guard let text = try section.text(key) else {
      throw section.complaint(
        key, .missing(key: key, example: "as in a file that `assay decide` wrote"))
    }
    return text
  }

  private static func hash(
    _ section: ManifestSection, _ key: String
  ) throws(LocatedManifestFault) -> String? {
    guard let text = try section.text(key) else { return nil }
    guard text.utf8.count == 64, text.allSatisfy(\.isHexDigit) else {
      throw section.complaint(
        key, .expected(key: key, "a SHA-256 of 64 hexadecimal digits", found: "“\(text)”"))
    }
    return text
  }

  /// A number above 0 and below 1.
  private static func share(
    _ section: ManifestSection, _ key: String
  ) throws(LocatedManifestFault) -> Double {
    let text = try required(section, key)
    guard let value = Double(text), value > 0, value < 1 else {
      throw section.complaint(
        key, .outOfRange(key: key, value: text, range: "above 0 and below 1"))
    }
    return value
  }
}
