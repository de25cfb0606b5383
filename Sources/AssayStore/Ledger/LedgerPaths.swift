import Foundation

extension Ledger {
  /// Where a catalog's ledger is: of `x.db`, `x.ledger.db`; of a name without `.db`, that with `.ledger.db`
  /// behind it. Of a link, beside the file that it leads to.
  package static func path(forCatalog catalog: String) -> String {
    var catalog = catalog
    if (try? FileManager.default.destinationOfSymbolicLink(atPath: catalog)) != nil {
      catalog = URL(fileURLWithPath: catalog).resolvingSymlinksInPath().path
    }
    return (catalog.hasSuffix(".db") ? String(catalog.dropLast(3)) : catalog) + ".ledger.db"
  }

  /// Whether there is a file that holds something. Whether it is a ledger shows on opening it.
  package static func exists(at path: String) -> Bool {
    var facts = stat()
    return stat(path, &facts) == 0 && facts.st_size > 0
  }
}
