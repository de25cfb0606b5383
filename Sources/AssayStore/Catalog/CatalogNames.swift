import AssayCore
import GRDB

extension Catalog {
  /// All names of a kind, sorted.
  func names(_ kind: NameKind) throws -> [String] {
    try read("listing names") { database in
      try String.fetchAll(database, sql: "SELECT name FROM \(kind.rawValue) ORDER BY name")
    }
  }

  /// The error for an unknown name.
  func unknown(_ kind: NameKind, _ name: String) throws -> StoreError {
    let known = try names(kind)
    return .unknownName(
      kind, name, suggestion: NearMiss.suggestion(for: name, among: known), known: known)
  }

  /// The error for a run that does not exist: of the name of a dataset, a view or a model, that says so.
  func unknownRun(_ name: String) throws -> StoreError {
    let rows = try read("looking for runs") { database in
      try Row.fetchAll(
        database,
        sql: """
          SELECT r.name, r.view, d.name AS dataset, m.name AS model FROM run r
          JOIN dataset d ON d.id = r.dataset LEFT JOIN model m ON m.id = r.model ORDER BY r.name
          """)
    }
    for kind in [NameKind.dataset, .view, .model] where try names(kind).contains(name) {
      return .otherForRun(
        name, kind, runs: rows.filter { ($0[kind.rawValue] as String?) == name }.map { $0["name"] })
    }
    return try unknown(.run, name)
  }

  /// The error for a name that is neither a dataset nor a view; if it is a run, the error says so.
  func unknownView(_ name: String) throws -> StoreError {
    let word = name.hasPrefix("run:") ? name.dropFirst(4) : name[...]
    let run = String(word.prefix { $0 != "@" })
    if let record = try findRun(named: run) { return .runForView(run, view: record.view) }
    let known = try names(.dataset) + names(.view)
    return .unknownView(
      name, suggestion: NearMiss.suggestion(for: name, among: known), known: known)
  }

  /// Checks that a name is well formed and free for a dataset or a view, which share one space.
  func claim(viewOrDataset name: String, as kind: NameKind, in database: Database) throws {
    try Name.checked(name)
    for taken in [NameKind.dataset, .view] {
      let sql = "SELECT 1 FROM \(taken.rawValue) WHERE name = ?"
      if try Bool.fetchOne(database, sql: sql, arguments: [name]) != nil {
        throw StoreError.nameTaken(taken, name)
      }
    }
  }
}
