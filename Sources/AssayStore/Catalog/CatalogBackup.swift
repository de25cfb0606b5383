import Foundation
import GRDB

extension Catalog {
  /// Copies the catalog whole into a file, which appears only when it is complete.
  ///
  /// - Throws: ``StoreError/fileExists(path:)`` where there is such a file and `overwrite` is `false`;
  ///   ``StoreError/cannotOpen(path:reason:)`` where it cannot be written.
  package func backup(to target: String, overwrite: Bool = false) throws {
    let files = FileManager.default
    guard overwrite || !files.fileExists(atPath: target) else {
      throw StoreError.fileExists(path: target)
    }
    let partial = target + ".partial"
    CatalogFile.remove(partial)
    defer { CatalogFile.remove(partial) }
    try translating(target, "copying the catalog to \(target)") {
      let source = try CatalogFile.openReader(path)
      try source.inDatabase { database in
        try database.execute(sql: "PRAGMA query_only = OFF")
        try database.execute(sql: "VACUUM INTO ?", arguments: [partial])
      }
    }
    guard rename(partial, target) == 0 else {
      throw StoreError.cannotOpen(path: target, reason: String(cString: strerror(errno)))
    }
  }
}
