package import AssayCore

/// The words of the view language, for completion.
package enum QueryWords {
  /// The fields of samples, sorted as in the documentation; those with an argument end with `(`.
  package static let fields: [String] = SubjectParser.words.map {
    ["count", "coverage", "objects", "run", "similarity"].contains($0) ? $0 + "(" : $0
  }

  /// The properties that every object has, for conditions of `objects(…)`.
  package static let objectFields = ObjectExpression.OwnField.allCases.map(\.rawValue)
  /// The kinds of objects, which `objects(shape = …)` compares.
  package static let objectShapes = ShapeKind.allCases.filter { !$0.isOfWholeImage }.map(\.rawValue)

  /// The fields of a task's runs.
  package static func runFields(of task: ModelTask) -> [String] {
    ViewExpression.RunField.allCases.filter { $0.tasks.contains(task) }.map(\.rawValue)
  }

  /// The numeric fields of a run, each spelled as in an expression and with its title; without those of an evaluation
  /// that the run does not have.
  ///
  /// - Throws: `StoreError`.
  package static func sortFields(
    of run: RunRecord, in catalog: Catalog
  ) throws -> [(field: String, title: String)] {
    let fields = ViewExpression.RunField.allCases.filter { $0.tasks.contains(run.task) }
      .compactMap { field in
        field.title.map { ("run(\(spelled(run.name))).\(field.rawValue)", $0) }
      }
    return try catalog.compiling(fields, in: run.dataset)
  }

  /// A name as an expression spells it, in quotes if needed.
  package static func spelled(_ name: String) -> String {
    ViewExpression.Word(text: name, offset: 0).spelling
  }

  /// The field of the similarity to a sample by a run's embeddings.
  package static func similarity(by run: String, to key: String) -> String {
    "\(ViewExpression.Subject.similarity(run: .init(text: run, offset: 0), to: .init(text: key, offset: 0)))"
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
  /// The fields that are numbers of the samples of a dataset.
  fileprivate func compiling(
    _ fields: [(field: String, title: String)], in dataset: DatasetRecord
  ) throws -> [(field: String, title: String)] {
    try read("checking fields") { database in
      let scope = try DatasetScope(of: dataset, truth: truth, in: database)
      return try fields.filter { field, _ in
        do {
          _ = try ViewCompiler.compile(field: field, in: scope, database)
          return true
        } catch StoreError.expression {
          return false
        }
      }
    }
  }

  /// Compiles an expression without running it.
  fileprivate func check(_ expression: String, of selection: Selection) throws {
    try read("checking an expression") { database in
      _ = try SampleQuery(selection, where: expression, truth: truth, in: database)
    }
  }
}
