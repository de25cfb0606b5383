package import AssayCore

/// The result of a gate expression for an evaluation.
package struct GateOutcome: Sendable, Hashable {
  /// One comparison of the expression.
  package struct Term: Sendable, Hashable {
    /// As written.
    package var text: String
    /// The evaluation's number; `nil` where it is undefined.
    package var value: Double?
    /// `>=`, as written.
    package var comparator: String
    /// The number that the value was compared with; `nil` if the base's number is undefined.
    package var bound: Double?
    package var isMet: Bool
    /// The reason why no bound could be met; `nil` if both numbers are defined.
    package var reason: String?
  }

  /// `r1`, and what `base` stands for.
  package var subject: String
  package var base: String?
  package var terms: [Term]
  /// Remarks for readers of the numbers, one sentence each.
  package var notes: [String] = []

  /// True if every term holds.
  package var isPassed: Bool { terms.allSatisfy(\.isMet) }

  /// As `assay gate --json` prints it.
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
