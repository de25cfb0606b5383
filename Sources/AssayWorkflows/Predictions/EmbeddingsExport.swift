import AssayFormats
package import AssayStore

/// Exports the vectors that a run keeps beside its predictions to NumPy's archive (`.npz`): `keys`, texts
/// `[samples]`, and `embeddings`, float32 `[samples, values]`, both in the run's order.
package struct EmbeddingsExport {
  /// The result of the export.
  package struct Summary: Hashable, Sendable {
    package var run: String
    package var path: String
    package var rows: Int
    /// The number of values of each vector.
    package var dimension: Int
    /// The number of samples of the run that are not predicted: pending or failed.
    package var notPredicted: Int
  }

  private let catalog: Catalog

  package init(catalog: Catalog) { self.catalog = catalog }

  /// Exports a run's vectors; the file is written completely or not at all.
  ///
  /// - Throws: ``PredictionsError``, `StoreError`.
  package func export(
    _ name: String, to path: String, overwrite: Bool = false
  ) throws -> Summary {
    let run = try catalog.run(named: name)
    guard let size = try catalog.embeddingSize(of: run.id) else {
      throw PredictionsError.noEmbeddings(run: name)
    }
    guard let file = SingleFile(path, overwrite: overwrite) else {
      throw PredictionsError.fileExists(path)
    }
    var keys: [String] = []
    var values: [Float] = []
    let (count, overflow) = size.samples.multipliedReportingOverflow(by: size.dimension)
    guard !overflow, count < NPZFile.limit / 4 else {
      throw PredictionsError.embeddingsTooLarge(run: name)
    }
    values.reserveCapacity(count)
    try catalog.forEachEmbedding(of: run.id) { _, key, vector in
      guard vector.count == size.dimension else {
        throw PredictionsError.embeddingsDiffer(
          run: name, sample: key, count: vector.count, expected: size.dimension)
      }
      keys.append(key)
      values += vector
    }
    var archive = NPZFile()
    guard let texts = NPYFile.bytes(of: keys),
      let array = NPYFile.bytes(of: values, shape: [keys.count, size.dimension]),
      archive.add("keys", texts), archive.add("embeddings", array)
    else { throw PredictionsError.embeddingsTooLarge(run: name) }
    try file.writePredictions(archive.end())
    return Summary(
      run: name, path: path, rows: keys.count, dimension: size.dimension,
      notPredicted: run.total - run.done)
  }
}
