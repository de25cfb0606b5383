package import AssayCore

/// What a gate expression came to on an evaluation.
package struct GateOutcome: Sendable, Hashable {
  /// One comparison of the expression.
  package struct Term: Sendable, Hashable {
    /// As written.
    package var text: String
    /// The evaluation's number; `nil` where it is undefined.
    package var value: Double?
    /// `>=`, as written.
    package var comparator: String
    /// What it was compared with; `nil` where the base's number is undefined.
    package var bound: Double?
    package var isMet: Bool
    /// Why it could not be met whatever the bound; `nil` where both numbers are there.
    package var reason: String?
  }

  /// `r1`, and what `base` stands for.
  package var subject: String
  package var base: String?
  package var terms: [Term]
  /// What a reader has to know beside the numbers, one sentence each.
  package var notes: [String] = []

  /// Whether every term holds.
  package var isPassed: Bool { terms.allSatisfy(\.isMet) }

  /// As `assay gate --json` prints it.
  package var json: JSONValue {
    [
      "run": .string(subject), "base": JSONValue(base), "passed": .bool(isPassed),
      "terms": .array(
        terms.map { term in
          [
            "term": .string(term.text), "value": JSONValue(term.value),
            "comparator": .string(term.comparator), "bound": JSONValue(term.bound),
            "passed": .bool(term.isMet), "reason": JSONValue(term.reason),
          ]
        }),
      "notes": .array(notes.map { .string($0) }),
    ]
  }
}
