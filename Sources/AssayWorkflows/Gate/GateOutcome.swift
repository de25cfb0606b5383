package import AssayCore

/// The result of a gate expression for an evaluation.
package struct GateOutcome: Sendable, Hashable {
  /// One comparison of the expression.
  package struct Term: Sendable, Hashable {
    /// The term as written.
    package var text: String
    /// The evaluation's value; `nil` if it is undefined.
    package var value: Double?
    /// The comparator as written: `>=`.
    package var comparator: String
    /// The value that it was compared with; `nil` if the base's value is undefined.
    package var bound: Double?
    package var isMet: Bool
    /// The reason why the comparison is impossible; `nil` if both values are defined.
    package var reason: String?
  }

  /// The names of the run, `r1`, and of what `base` refers to.
  package var subject: String
  package var base: String?
  package var terms: [Term]
  /// Notes on the metrics for the reader, one sentence each.
  package var notes: [String] = []

  /// True if every term holds.
  package var isPassed: Bool { terms.allSatisfy(\.isMet) }

  /// The outcome in the format of `assay gate --json`.
  package var json: JSONValue {
    [
      "run": .string(subject), "base": JSONValue(base), "passed": .bool(isPassed),
      "checks": .array(
        terms.map { term in
          [
            "check": .string(term.text), "value": JSONValue(term.value),
            "comparator": .string(term.comparator), "threshold": JSONValue(term.bound),
            "passed": .bool(term.isMet), "reason": JSONValue(term.reason),
          ]
        }),
      "notes": .array(notes.map { .string($0) }),
    ]
  }
}
