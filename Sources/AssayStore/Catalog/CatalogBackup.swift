import GRDB

extension Catalog {
  /// Copies the whole catalog to a new file, which must not exist yet.
  ///
  /// - Throws: ``StoreError``.
  package func copy(into file: String) throws {
    try translating(path, "copying the catalog") {
      let source = try CatalogFile.openReader(path)
      try source.inDatabase { database in
        try database.execute(sql: "PRAGMA query_only = OFF")
        try database.execute(sql: "VACUUM INTO ?", arguments: [file])
      }
    }
  }
}

extension Ledger {
  /// Copies the whole ledger to a new file, which must not exist yet.
  package func copy(into file: String) throws {
    try translatingLedger(path, "copying the ledger") {
      try connection.inDatabase { database in
        let isReader = try Bool.fetchOne(database, sql: "PRAGMA query_only") ?? false
        if isReader { try database.execute(sql: "PRAGMA query_only = OFF") }
        defer { if isReader { try? database.execute(sql: "PRAGMA query_only = ON") } }
        try database.execute(sql: "VACUUM INTO ?", arguments: [file])
      }
    }
  }
}
