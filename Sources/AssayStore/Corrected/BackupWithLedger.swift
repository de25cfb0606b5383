import AssayCore
import Foundation

/// Copies a catalog and its ledger, each in full, while other processes may use them.
package struct BackupWithLedger {
  /// The copy of a ledger.
  package struct CopiedLedger: Hashable, Sendable {
    package var path: String
    package var entries: Int64
  }

  private let catalog: Catalog

  package init(catalog: Catalog) { self.catalog = catalog }

  /// Copies the catalog and, if there is one, the ledger. Both copies are complete and on disk
  /// before either is renamed, and no other backup renames files in the same folder at the same
  /// time.
  ///
  /// The ledger is renamed first: a process killed between the two leaves a longer ledger beside
  /// the earlier catalog, which are compatible, or the ledger alone, which the same call then
  /// continues from. An existing ledger is overwritten only by one that continues it.
  ///
  /// - Returns: the ledger's copy; `nil` if there is no ledger.
  /// - Throws: ``StoreError/fileExists(path:)`` if a file exists and `overwrite` is `false`;
  ///   ``StoreError/cannotOpen(path:reason:)`` if it cannot be written, is a link or in use, or a
  ///   ledger with another history is beside it; ``LedgerError``.
  @discardableResult
  package func copy(to target: String, overwrite: Bool) throws -> CopiedLedger? {
    let source = Ledger.path(forCatalog: catalog.path)
    let place = Ledger.path(forCatalog: target)
    let ledger = Ledger.exists(at: source) ? try Ledger.open(source, .readOnly) : nil
    try check(target, ledger, place, overwrite: overwrite)
    do {
      let folder = try OpenFolder(target.parentFolder)
      let staging = try BackupStaging(in: folder)
      // The catalog first: it must not refer to entries that the copied ledger does not have.
      try catalog.copy(into: staging.catalogPath)
      var entries: Int64?
      if let ledger {
        try ledger.copy(into: staging.ledgerPath)
        entries = try Ledger.open(staging.ledgerPath, .readOnly).head().sequence
      }
      try staging.synchronize()
      return try folder.exclusively {
        // Another process may have written there in the meantime.
        try check(target, ledger, place, overwrite: overwrite)
        if ledger != nil {
          try staging.move(BackupStaging.ledgerName, to: (place as NSString).lastPathComponent)
        }
        try staging.move(BackupStaging.catalogName, to: (target as NSString).lastPathComponent)
        try folder.synchronize()
        return entries.map { CopiedLedger(path: place, entries: $0) }
      }
    } catch let failure as FileFailure {
      throw StoreError.cannotOpen(path: target, reason: failure.reason)
    }
  }

  /// Throws if the destination must not be overwritten.
  private func check(
    _ target: String, _ ledger: Ledger?, _ place: String, overwrite: Bool
  ) throws {
    for own in [catalog.path, Ledger.path(forCatalog: catalog.path)] {
      for path in [target, place] where Self.isSame(path, own) {
        throw StoreError.cannotOpen(
          path: target,
          reason: "the copy would overwrite \(own), its source; choose another name")
      }
    }
    guard !target.hasSuffix(".ledger.db") else {
      throw StoreError.cannotOpen(
        path: target,
        reason:
          "names that end in .ledger.db are reserved for ledgers; "
          + "choose another name")
    }
    var facts = stat()
    let isTaken = lstat(target, &facts) == 0
    guard overwrite || !isTaken else { throw StoreError.fileExists(path: target) }
    if isTaken, facts.st_mode & S_IFMT != S_IFREG {
      throw StoreError.cannotOpen(
        path: target, reason: "it is not a regular file; choose another name")
    }
    for suffix in ["-wal", "-journal"] where stat(target + suffix, &facts) == 0 {
      guard facts.st_size > 0 else { continue }
      throw StoreError.cannotOpen(
        path: target,
        reason:
          "\(target)\(suffix) exists beside it: a program is using it or was stopped while it "
          + "did; choose another name")
    }
    guard Ledger.exists(at: place) else { return }
    guard let ledger, try continues(ledger, place) else {
      throw StoreError.cannotOpen(
        path: target,
        reason: "\(place) would be taken for its ledger, and has corrections that are not in "
          + "\(Ledger.path(forCatalog: catalog.path)); choose another name")
    }
  }

  /// Returns whether two paths refer to one file, or would.
  private static func isSame(_ path: String, _ other: String) -> Bool {
    var (facts, others) = (stat(), stat())
    if stat(path, &facts) == 0, stat(other, &others) == 0 {
      return facts.st_dev == others.st_dev && facts.st_ino == others.st_ino
    }
    func place(_ path: String) -> String {
      let file = URL(filePath: path)
      return file.deletingLastPathComponent().resolvingSymlinksInPath().path + "/"
        + file.lastPathComponent
    }
    return place(path) == place(other)
  }

  /// Returns whether a ledger contains everything that the ledger in a file contains.
  private func continues(_ ledger: Ledger, _ place: String) throws -> Bool {
    let other = try Ledger.open(place, .readOnly)
    let (last, head) = (try other.head(), try ledger.head())
    guard other.uuid == ledger.uuid, last.sequence <= head.sequence else { return false }
    return try ledger.hash(at: last.sequence, head: head) == last.hash
  }
}
