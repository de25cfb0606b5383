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

  /// The error for a VIEW that is neither dataset nor view.
  func unknownView(_ name: String) throws -> StoreError {
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
