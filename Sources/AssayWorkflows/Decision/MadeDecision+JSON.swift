package import AssayCore
import AssayInference

extension MadeDecision {
  /// A threshold as printed.
  package struct Line: Sendable {
    /// The class; `nil` for all.
    package var category: String?
    /// `nil` if nothing is accepted.
    package var threshold: Float?
    package var samples: Int
    package var accepted: Int?
    package var errors: Int?
    package var upper: Double?
    package var reason: String?

    /// The share of accepted predictions; `nil` without predictions and for prediction sets.
    package var coverage: Double? {
      accepted.flatMap { samples == 0 ? nil : Double($0) / Double(samples) }
    }
  }

  package var isConformal: Bool { file.method == .conformal }
  package var promise: String { file.promise }
  package var run: String { file.run }
  package var filter: String { file.filter }
  package var risk: Double { file.risk }
  package var samples: Int { file.samples }

  package var lines: [Line] {
    file.rules.map {
      Line(
        category: $0.category, threshold: $0.threshold, samples: $0.samples,
        accepted: $0.accepted, errors: $0.errors, upper: $0.upper, reason: $0.reason)
    }
  }

  /// The decision as `assay decide --json` prints it.
  package var json: JSONValue {
    [
      "task": .string(file.task.rawValue), "method": .string(file.method.rawValue),
      "per": .string(file.scope.rawValue), "risk": .number(file.risk),
      "confidence": JSONValue(file.confidence), "promise": .string(file.promise),
      "run": .string(file.run), "model": JSONValue(file.model),
      "model_hash": JSONValue(file.modelHash), "dataset": .string(file.dataset),
      "view": .string(file.view), "where": .string(file.filter),
      "ground_truth": .string(file.groundTruth), "n": JSONValue(file.samples),
      "samples_hash": .string(file.samplesHash),
      "classes": .array(file.classes.map { .string($0) }),
      "thresholds": .array(
        file.rules.map { rule in
          [
            "class": JSONValue(rule.category),
            "threshold": JSONValue(rule.threshold.map { Double("\($0)") ?? Double($0) }),
            "n": JSONValue(rule.samples), "accepted": JSONValue(rule.accepted),
            "errors": JSONValue(rule.errors), "upper": JSONValue(rule.upper),
            "confidence": JSONValue(rule.confidence), "reason": JSONValue(rule.reason),
          ]
        }),
      "notes": .array(notes.map { .string($0) }),
    ]
  }
}
