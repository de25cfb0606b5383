/// Facts about what was evaluated, under one heading.
package struct FactGroup: Sendable, Hashable {
  /// A name with its value.
  package struct Fact: Sendable, Hashable {
    package var name: String
    package var value: String
    /// True if it says that checks passed, false if they failed; `nil` for other facts.
    package var isPassed: Bool?

    package init(_ name: String, _ value: String, isPassed: Bool? = nil) {
      self.name = name
      self.value = value
      self.isPassed = isPassed
    }
  }

  package var title: String
  package var facts: [Fact]

  package init(_ title: String, _ facts: [Fact]) {
    self.title = title
    self.facts = facts
  }
}

extension FactGroup.Fact {
  /// The style of a verdict on the page; empty for other facts.
  var verdict: String { isPassed.map { $0 ? "passed" : "failed" } ?? "" }
}
