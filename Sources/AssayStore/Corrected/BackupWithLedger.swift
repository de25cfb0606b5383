import Foundation
import GRDB

/// Copies a catalog and its ledger, each whole, while others may use them.
package struct BackupWithLedger {
  /// The copy of a ledger.
  package struct CopiedLedger: Hashable, Sendable {
    package var path: String
    package var entries: Int64
  }

  private let catalog: Catalog

  package init(catalog: Catalog) { self.catalog = catalog }

  /// Copies the ledger, where there is one, then the catalog; each appears only when it is complete.
  ///
  /// A ledger that is there already is overwritten only by one that continues it.
  ///
  /// - Returns: the ledger's copy; `nil` where there is no ledger.
  /// - Throws: ``StoreError/fileExists(path:)`` where there is such a file and `overwrite` is `false`;
  ///   ``StoreError/cannotOpen(path:reason:)`` where it cannot be written, or a ledger of another history is
  ///   beside it; ``LedgerError``.
  package func copy(to target: String, overwrite: Bool) throws -> CopiedLedger? {
    let files = FileManager.default
    guard overwrite || !files.fileExists(atPath: target) else {
      throw StoreError.fileExists(path: target)
    }
    let source = Ledger.path(forCatalog: catalog.path)
    let place = Ledger.path(forCatalog: target)
    let ledger = Ledger.exists(at: source) ? try Ledger.open(source, .readOnly) : nil
    if Ledger.exists(at: place) {
      guard let ledger, try continues(ledger, place) else {
        throw StoreError.cannotOpen(
          path: target,
          reason: "\(place) would be taken for its ledger, and has corrections that are not in "
            + "\(source); choose another name")
      }
      guard overwrite else { throw StoreError.fileExists(path: place) }
    }
    var copied: CopiedLedger?
    if let ledger {
      copied = CopiedLedger(path: place, entries: try ledger.head().sequence)
      try ledger.copy(to: place)
    }
    try catalog.backup(to: target, overwrite: overwrite)
    return copied
  }

  /// Whether a ledger has all that the one in a file has.
  private func continues(_ ledger: Ledger, _ place: String) throws -> Bool {
    let other = try Ledger.open(place, .readOnly)
    let (last, head) = (try other.head(), try ledger.head())
    guard other.uuid == ledger.uuid, last.sequence <= head.sequence else { return false }
    return try ledger.hash(at: last.sequence, head: head) == last.hash
  }
}

extension Ledger {
  /// Copies the ledger whole into a file, in place of what is there.
  func copy(to target: String) throws {
    let partial = target + ".partial"
    CatalogFile.remove(partial)
    defer { CatalogFile.remove(partial) }
    try translatingLedger(path, "copying the ledger to \(target)") {
      try connection.inDatabase { database in
        let isReader = try Bool.fetchOne(database, sql: "PRAGMA query_only") ?? false
        if isReader { try database.execute(sql: "PRAGMA query_only = OFF") }
        defer { if isReader { try? database.execute(sql: "PRAGMA query_only = ON") } }
        try database.execute(sql: "VACUUM INTO ?", arguments: [partial])
      }
    }
    // The copy is on disk before it takes the place of what is there.
    guard Self.synchronize(partial), rename(partial, target) == 0 else {
      throw StoreError.cannotOpen(path: target, reason: String(cString: strerror(errno)))
    }
    try LedgerPlace(path: target).synchronizeFolder()
  }

  /// Waits for a file that SQLite has closed; false where the disk fails.
  private static func synchronize(_ path: String) -> Bool {
    let descriptor = Foundation.open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    return fsync(descriptor) == 0
  }
}
