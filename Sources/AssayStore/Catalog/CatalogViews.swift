import GRDB

extension Catalog {
  /// All saved views, by name.
  package func views() throws -> [ViewRecord] {
    try read("listing the views") { database in
      try Row.fetchAll(database, sql: ViewRecord.query + " ORDER BY v.name")
        .map(ViewRecord.init(row:))
    }
  }

  /// Saves an expression under a name. If the selection is a view itself, the expressions are
  /// combined.
  ///
  /// - Throws: ``StoreError/nameTaken(_:_:)``, ``StoreError/badName(_:)``,
  ///   ``StoreError/expression(_:)`` if the expression is not valid at present.
  package func addView(
    named name: String, in selection: Selection, where expression: String
  ) throws -> ViewRecord {
    try write("saving a view") { database in
      try claim(viewOrDataset: name, as: .view, in: database)
      _ = try SampleQuery(
        selection, where: expression, truth: truth, in: database)
      let whole = selection.expression.map { "(\($0)) and (\(expression))" } ?? expression
      try database.execute(
        sql: "INSERT INTO view (name, dataset, parts, expression) VALUES (?, ?, ?, ?)",
        arguments: [
          name, selection.dataset.id, selection.parts.joined(separator: "/"), whole,
        ])
      guard let view = try ViewRecord.fetch(name, in: database) else {
        throw try unknown(.view, name)
      }
      return view
    }
  }
}

extension ViewRecord {
  static let query = """
    SELECT v.id, v.name, d.name AS dataset, v.parts, v.expression
    FROM view v JOIN dataset d ON d.id = v.dataset
    """

  init(row: Row) {
    self.init(
      id: row["id"], name: row["name"], dataset: row["dataset"],
      parts: (row["parts"] as String).split(separator: "/").map(String.init),
      expression: row["expression"])
  }

  static func fetch(_ name: String, in database: Database) throws -> ViewRecord? {
    try Row.fetchOne(database, sql: query + " WHERE v.name = ?", arguments: [name])
      .map(ViewRecord.init(row:))
  }
}
