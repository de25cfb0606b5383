import Foundation

extension Ledger {
  /// The path of a catalog's ledger: for `x.db`, `x.ledger.db`; for a name without `.db`, that name
  /// with `.ledger.db`. For a link, beside the file that it points to.
  package static func path(forCatalog catalog: String) -> String {
    var catalog = catalog
    if (try? FileManager.default.destinationOfSymbolicLink(atPath: catalog)) != nil {
      catalog = URL(fileURLWithPath: catalog).resolvingSymlinksInPath().path
    }
    return (catalog.hasSuffix(".db") ? String(catalog.dropLast(3)) : catalog) + ".ledger.db"
  }

  /// Returns whether a non-empty file exists. Only opening it shows whether it is a ledger.
  package static func exists(at path: String) -> Bool {
    var facts = stat()
    return stat(path, &facts) == 0 && facts.st_size > 0
  }
}
