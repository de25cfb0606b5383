import AssayCore
import AssayFormats
package import AssayStore

/// Makes a run of predictions that another program computed.
package struct PredictionsImport {
  /// What was imported.
  package struct Summary: Sendable {
    package var run: RunRecord
    /// False where the same file had been imported under that name already.
    package var isNew: Bool
    /// Samples of the view that the file says nothing of.
    package var absent: Int
    /// Whether the rows were joined by their order for want of keys.
    package var isByOrder: Bool
    /// Categories of the view that the file has no class for.
    package var missing: [MissingCategory]
  }

  private let catalog: Catalog
  private let programVersion: String

  package init(catalog: Catalog, programVersion: String) {
    self.catalog = catalog
    self.programVersion = programVersion
  }

  /// Reads a file of predictions for the samples of a view; the run is there whole or not at all.
  ///
  /// - Throws: ``PredictionsError``, ``PredictError`` where classes do not join, `FormatError`,
  ///   ``SourceError``, `StoreError`.
  package func run(
    _ path: String, name: String, view: String, ignoreMissing: Bool = false
  ) throws -> Summary {
    let tree = try DirectoryTree(path)
    let table = try PredictionsCSV.read(tree, as: Float.self)
    let selection = try catalog.resolve(view)
    let samples = try catalog.samples(in: selection)
    guard !samples.isEmpty else { throw PredictionsError.emptyView(view) }
    let taxonomy = try catalog.taxonomy(of: selection.dataset.id)
    try checkScores(table)
    let rows = try join(table, samples, taxonomy, view: view)
    let match = try ClassMatch(
      classes: table.classes, model: tree.name, taxonomy: taxonomy,
      dataset: selection.dataset.name, samples: rows.map { samples[$0.sample] })
    guard match.missing.isEmpty || ignoreMissing else {
      throw PredictError.missingClasses(
        match.missing, model: tree.name, classes: table.classes, view: view)
    }
    let settings: JSONValue = [
      "imported": .string(tree.name), "sha256": .string(try tree.contentHash()),
    ]
    let versions: JSONValue = ["assay": .string(programVersion)]
    let draft = RunDraft(
      name: name, dataset: selection.dataset.id, view: view, settings: settings.text(),
      versions: versions.text(), classes: table.classes,
      samples: rows.map { samples[$0.sample].id })
    let earlier = try earlierRun(draft, selection.dataset)
    if let earlier, earlier.done == earlier.total {
      return Summary(
        run: earlier, isNew: false, absent: samples.count - rows.count,
        isByOrder: table.samples == nil, missing: match.missing)
    }
    let run = try earlier ?? catalog.createRun(draft)
    do {
      try catalog.record(
        rows.map {
          SampleScores(sample: samples[$0.sample].id, scores: Array(table.row($0.row)))
        }, in: run.id)
    } catch {
      _ = try? catalog.remove(.run, named: run.name)
      throw error
    }
    return Summary(
      run: try catalog.run(named: run.name), isNew: true, absent: samples.count - rows.count,
      isByOrder: table.samples == nil, missing: match.missing)
  }

  /// The run of that name, where it is of the same file and samples.
  private func earlierRun(_ draft: RunDraft, _ dataset: DatasetRecord) throws -> RunRecord? {
    guard let name = draft.name, let run = try catalog.findRun(named: name) else { return nil }
    guard run.model == nil, run.settings == draft.settings, run.dataset.id == draft.dataset,
      run.datasetVersion == dataset.importVersion, run.total == draft.samples.count
    else { throw PredictionsError.otherRun(name) }
    return run
  }

  /// Which row of the table is which sample, in the samples' order.
  private func join(
    _ table: PredictionTable<Float>, _ samples: [SampleRecord], _ taxonomy: Taxonomy,
    view: String
  ) throws -> [(sample: Int, row: Int)] {
    guard let keys = table.samples else {
      guard table.count == samples.count else {
        throw PredictionsError.rowCount(
          found: table.count, view: view, samples: samples.count)
      }
      for (row, truth) in (table.truth ?? []).enumerated() {
        let expected = samples[row].category.map { taxonomy.names[$0] }
        guard truth == expected else {
          throw PredictionsError.truthDiffers(row: row + 1, found: truth, expected: expected)
        }
      }
      return samples.indices.map { ($0, $0) }
    }
    var rows = Dictionary(
      zip(keys, keys.indices), uniquingKeysWith: { first, _ in first })
    let joined = samples.enumerated().compactMap { index, sample in
      rows.removeValue(forKey: sample.key).map { (sample: index, row: $0) }
    }
    guard rows.isEmpty else {
      let unknown = keys.filter { rows[$0] != nil }
      throw PredictionsError.unknownSamples(
        Array(unknown.prefix(5)), count: unknown.count, view: view)
    }
    return joined
  }

  private func checkScores(_ table: PredictionTable<Float>) throws(PredictionsError) {
    for (index, value) in table.scores.enumerated() where !(value >= -1e-5 && value <= 1 + 1e-5) {
      throw .notProbability(
        row: index / table.classes.count + 1,
        className: table.classes[index % table.classes.count], value: value)
    }
    for row in 0..<table.count where table.row(row).allSatisfy({ $0 <= 0 }) {
      throw .onlyZeros(row: row + 1)
    }
  }
}
