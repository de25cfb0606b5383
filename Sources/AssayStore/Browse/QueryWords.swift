package import AssayCore

/// The words of the view language, for completion.
package enum QueryWords {
  /// The fields of samples, sorted as in the documentation; those with an argument end with `(`.
  package static let fields: [String] = SubjectParser.words.map {
    ["count", "coverage", "run"].contains($0) ? $0 + "(" : $0
  }

  /// The fields of a task's runs.
  package static func runFields(of task: ModelTask) -> [String] {
    ViewExpression.RunField.allCases.filter { $0.tasks.contains(task) }.map(\.rawValue)
  }

  /// A name as an expression spells it: with quotation marks if it is not one word or number.
  package static func spelled(_ name: String) -> String {
    let isWord =
      name.first.map { $0.isLetter || $0 == "_" } == true
      && name.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
      && !["and", "or", "not", "in", "like"].contains(name.lowercased())
    guard !isWord else { return name }
    // The language has no escapes: a name with one kind of quotation mark is put into the other.
    return name.contains("\"") ? "'\(name)'" : "\"\(name)\""
  }

  /// Checks an expression against a view's dataset.
  ///
  /// - Returns: the error; `nil` for a valid expression.
  /// - Throws: errors other than those of the expression.
  package static func fault(
    in expression: String, of selection: Selection, catalog: Catalog
  ) throws -> ExpressionError? {
    do {
      try catalog.check(expression, of: selection)
      return nil
    } catch StoreError.expression(let error) {
      return error
    }
  }
}

extension Catalog {
  /// Compiles an expression without running it.
  fileprivate func check(_ expression: String, of selection: Selection) throws {
    try read("checking an expression") { database in
      _ = try SampleQuery(selection, where: expression, truth: truth, in: database)
    }
  }
}
