import GRDB

extension Catalog {
  /// Reads in one transaction what may need unions; where they are not there yet, measures them and reads
  /// again.
  func asking<Value>(_ doing: String, _ work: (Database) throws -> Value) throws -> Value {
    // Each time round, another process has imported in between.
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
