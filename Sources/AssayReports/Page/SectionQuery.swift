import AssayCore

/// A query for the samples that a section shows or counts, and the command that opens them.
package struct SectionQuery: Sendable, Hashable {
  /// The expression of the query language.
  package var expression: String
  /// The number of samples that it selects.
  package var count: Int
  /// The command that opens these samples in a browser.
  package var command: String

  package init(expression: String, count: Int, command: String) {
    self.expression = expression
    self.count = count
    self.command = command
  }
}

extension SectionQuery {
  /// False if a page has to show a character of the expression in another way: then it could not be copied.
  var isPrintable: Bool {
    expression.unicodeScalars.allSatisfy { $0.value >= 0x20 && !$0.reordersText }
  }
}

extension SectionQuery? {
  /// The values of the `query` template; `false` for none.
  var values: Any {
    guard let self, self.isPrintable else { return false }
    return [
      "expression": self.expression, "command": self.command,
      "samples": self.count == 1 ? "1 sample" : "\(NumberText.count(self.count)) samples",
    ]
  }
}
