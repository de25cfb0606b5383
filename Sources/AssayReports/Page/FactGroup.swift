/// Facts about what was evaluated, under one heading.
package struct FactGroup: Sendable, Hashable {
  /// A name with its value.
  package struct Fact: Sendable, Hashable {
    package var name: String
    package var value: String

    package init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  package var title: String
  package var facts: [Fact]

  package init(_ title: String, _ facts: [Fact]) {
    self.title = title
    self.facts = facts
  }
}
