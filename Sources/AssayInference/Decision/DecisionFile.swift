package import AssayCore

/// The thresholds that decide which predictions are accepted, what they promise, and where they are
/// from.
package struct DecisionFile: Hashable, Sendable {
  /// The method by which the thresholds were chosen.
  package enum Method: String, CaseIterable, Sendable {
    /// Thresholds whose risk among accepted predictions is bounded with a stated confidence.
    case clopperPearson = "clopper-pearson"
    /// Thresholds of prediction sets that contain the true class with a stated probability.
    case conformal
  }

  /// The predictions that share a threshold.
  package enum Scope: String, CaseIterable, Sendable {
    /// Those of a class: the predicted one, or with prediction sets the true one.
    case category = "class"
    case all
  }

  /// The threshold of a class or of all predictions, and the counts behind it.
  package struct Rule: Hashable, Sendable {
    /// The class; `nil` for all.
    package var category: String?
    /// The minimum score; `nil` if nothing is accepted.
    package var threshold: Float?
    /// The number of samples that it was chosen on: those with this prediction, or with prediction sets
    /// those of this true class.
    package var samples: Int
    /// The number of accepted predictions among them and of errors among those; `nil` for prediction
    /// sets and if nothing is accepted.
    package var accepted: Int?
    package var errors: Int?
    /// The upper bound of the risk, and the confidence of this bound; `nil` as `accepted`.
    package var upper: Double?
    package var confidence: Double?
    /// The reason why nothing is accepted, or why a set has all classes; `nil` for none.
    package var reason: String?

    package init(category: String?, threshold: Float?, samples: Int) {
      self.category = category
      self.threshold = threshold
      self.samples = samples
    }
  }

  /// The value of `kind` in the file.
  package static let kind = "assay-decision"
  /// The version of the layout.
  package static let version = 1

  package var task: ModelTask
  package var method: Method
  package var scope: Scope
  /// The promised risk, above 0 and below 1.
  package var risk: Double
  /// The confidence of the promise; `nil` for prediction sets, whose promise is an average.
  package var confidence: Double?
  /// The promise in words.
  package var promise: String
  /// The run whose predictions the thresholds were chosen on.
  package var run: String
  /// The model's name and the SHA-256 of its file; `nil` for imported predictions.
  package var model: String?
  package var modelHash: String?
  /// The run's settings as JSON.
  package var settings: String
  /// The dataset, its import, the hash of its source if it has one, and the view.
  package var dataset: String
  package var datasetImport: Int
  package var datasetHash: String?
  package var view: String
  /// The expression that selected the samples.
  package var filter: String
  /// The ground truth: `imported`, or `corrected-N` with the last entry of the ledger.
  package var groundTruth: String
  /// The number of labeled samples, and the SHA-256 of their keys and labels.
  package var samples: Int
  package var samplesHash: String
  /// The names of the model's classes.
  package var classes: [String]
  /// One rule for all, or one for each of the classes in their order.
  package var rules: [Rule]

  package init(
    task: ModelTask, method: Method, scope: Scope, risk: Double, confidence: Double?,
    promise: String, run: String, model: String?, modelHash: String?, settings: String,
    dataset: String, datasetImport: Int, datasetHash: String?, view: String, filter: String,
    groundTruth: String, samples: Int, samplesHash: String, classes: [String], rules: [Rule]
  ) {
    (self.task, self.method, self.scope) = (task, method, scope)
    (self.risk, self.confidence, self.promise) = (risk, confidence, promise)
    (self.run, self.model, self.modelHash) = (run, model, modelHash)
    (self.settings, self.dataset) = (settings, dataset)
    (self.datasetImport, self.datasetHash) = (datasetImport, datasetHash)
    (self.view, self.filter, self.groundTruth) = (view, filter, groundTruth)
    (self.samples, self.samplesHash) = (samples, samplesHash)
    (self.classes, self.rules) = (classes, rules)
  }

  /// The rule of a class; `nil` for a class that the model does not have.
  package func rule(of category: String) -> Rule? {
    switch scope {
    case .all: classes.contains(category) ? rules.first : nil
    case .category: rules.first { $0.category == category }
    }
  }
}

extension DecisionFile {
  /// The text of the file.
  package var yaml: String {
    var lines = ["# \(promise)".replacing("\n", with: " "), "kind: \(Self.kind)"]
    func add(_ key: String, _ value: String?) {
      if let value { lines.append("\(key): \(value)") }
    }
    add("version", "\(Self.version)")
    add("task", task.rawValue)
    add("method", method.rawValue)
    add("per", scope.rawValue)
    add("risk", "\(risk)")
    add("confidence", confidence.map { "\($0)" })
    add("promise", Self.quoted(promise))
    add("run", Self.quoted(run))
    add("model", model.map(Self.quoted))
    add("model-hash", modelHash)
    add("settings", Self.quoted(settings))
    add("dataset", Self.quoted(dataset))
    add("dataset-import", "\(datasetImport)")
    add("dataset-hash", datasetHash)
    add("view", Self.quoted(view))
    add("where", Self.quoted(filter))
    add("ground-truth", groundTruth)
    add("samples", "\(samples)")
    add("samples-hash", samplesHash)
    add("classes", "[" + classes.map(Self.quoted).joined(separator: ", ") + "]")
    lines.append("thresholds:")
    for rule in rules {
      var members: [(String, String)] = []
      if let category = rule.category { members.append(("class", Self.quoted(category))) }
      members.append(("threshold", rule.threshold.map { "\($0)" } ?? "never"))
      members.append(("samples", "\(rule.samples)"))
      for (key, count) in [("accepted", rule.accepted), ("errors", rule.errors)] {
        if let count { members.append((key, "\(count)")) }
      }
      for (key, value) in [("upper", rule.upper), ("confidence", rule.confidence)] {
        if let value { members.append((key, "\(value)")) }
      }
      if let reason = rule.reason { members.append(("reason", Self.quoted(reason))) }
      lines.append("  - {" + members.map { "\($0): \($1)" }.joined(separator: ", ") + "}")
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// A text in double quotes. Characters that the reader takes for anchors, open points or line ends
  /// even in quotes are escaped.
  private static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "&", "#", "\u{85}", "\u{2028}", "\u{2029}", "\u{FEFF}", "[", "]", "{", "}",
        "\u{0}"..."\u{1F}", "\u{7F}"..."\u{9F}":
        let digits = String(scalar.value, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}
