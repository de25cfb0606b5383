import GRDB

extension Catalog {
  /// Runs a read that may need unions in one transaction; if unions are missing, measures them and
  /// reads again.
  func asking<Value>(_ doing: String, _ work: (Database) throws -> Value) throws -> Value {
    // In each further iteration, another process has imported in between.
    for _ in 0..<5 {
      do {
        return try read(doing, work)
      } catch let missing as MissingUnions {
        do {
          try UnionComputation(catalog: self, missing: missing).run()
        } catch is StaleDataset {
          continue
        }
      }
    }
    throw StoreError.busy(path: path)
  }
}
