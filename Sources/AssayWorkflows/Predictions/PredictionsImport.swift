package import AssayCore
import AssayFormats
import AssayMetrics
package import AssayStore

/// Creates a run from predictions that another program computed.
package struct PredictionsImport {
  /// The result of the import.
  package struct Summary: Sendable {
    package var run: RunRecord
    /// False if the same file was already imported under that name.
    package var isNew: Bool
    /// The number of samples of the view that are not in the file.
    package var absent: Int
    /// True if the rows were paired by order because there are no keys.
    package var isByOrder: Bool
    /// Categories of the view without a class in the file.
    package var missing: [MissingCategory]
    /// True if each row was divided by its sum.
    package var isNormalized: Bool
    /// The number of normalized scores that differ from another one of their class in 64 bits, but
    /// not in the 32 bits that a run stores: these ties do not exist in an evaluation of the file.
    package var mergedScores = 0
    /// True if the dataset has ground truth for the run's task.
    package var hasGroundTruth: Bool
  }

  private let catalog: Catalog
  private let programVersion: String

  package init(catalog: Catalog, programVersion: String) {
    self.catalog = catalog
    self.programVersion = programVersion
  }

  /// Imports a predictions file for the samples of a view; the run is created completely or not at
  /// all.
  ///
  /// In classification, rows must sum to 1 as defined by `ProbabilityRow`, unless `normalize`
  /// divides each row by its sum. In multi-label classification, each score must be in 0...1 and is
  /// used as given.
  ///
  /// - Parameter asked: classification or multi-label classification; `nil` for multi-label if the
  ///   dataset is marked so, otherwise classification. The values in the rows are not considered.
  /// - Throws: ``PredictionsError``, ``PredictError`` if classes do not match, `FormatError`,
  ///   ``SourceError``, `StoreError`.
  package func run(
    _ path: String, name: String, view: String, task asked: ModelTask? = nil,
    ignoreMissing: Bool = false, normalize: Bool = false
  ) throws -> Summary {
    let tree = try DirectoryTree(path)
    var table: PredictionTable<Float>
    var exact: PredictionTable<Double>?
    if normalize {
      let scores = try PredictionsCSV.read(tree, as: Double.self)
      table = PredictionTable(
        classes: scores.classes, samples: scores.samples, truth: scores.truth, scores: [])
      exact = scores
    } else {
      table = try PredictionsCSV.read(tree, as: Float.self)
    }
    let selection = try catalog.resolve(view)
    let samples = try catalog.samples(in: selection)
    guard !samples.isEmpty else { throw PredictionsError.emptyView(view) }
    let task = try Self.task(asked, selection.dataset)
    let taxonomy = try catalog.taxonomy(of: selection.dataset.id)
    let header = ScoreHeader(
      classes: table.classes, known: taxonomy.names,
      place: "the dataset \(selection.dataset.name)", hasKeys: table.samples != nil)
    var mergedScores = 0
    if task.output == .labels {
      guard !normalize else { throw PredictionsError.normalizedLabels }
      guard table.truth == nil else { throw PredictionsError.truthOfLabels }
      try checkIndependent(table, known: taxonomy.names, dataset: selection.dataset.name)
    } else if var exact {
      try checkScores(exact, normalize: true, header)
      Self.normalize(&exact)
      table.scores = exact.scores.map { Float($0) }
      mergedScores = Self.mergedScores(exact)
    } else {
      try checkScores(table, normalize: false, header)
    }
    let rows = try join(table, samples, taxonomy, view: view)
    let hasGroundTruth = try catalog.hasGroundTruth(for: task, in: selection.dataset)
    let match = try ClassMatch(
      classes: table.classes, model: tree.name,
      taxonomy: hasGroundTruth ? taxonomy : Taxonomy([]),
      dataset: selection.dataset.name, samples: rows.map { samples[$0.sample] })
    guard match.missing.isEmpty || ignoreMissing else {
      throw PredictError.missingClasses(
        match.missing, model: tree.name, classes: table.classes, view: view)
    }
    var members =
      task.settingsMembers + [
        .init("imported", .string(tree.name)), .init("sha256", .string(try tree.contentHash())),
      ]
    if normalize { members.append(.init("normalized", .bool(true))) }
    let settings = JSONValue.object(members)
    let versions: JSONValue = ["assay": .string(programVersion)]
    let draft = RunDraft(
      name: name, task: task, dataset: selection.dataset.id, view: view,
      settings: settings.text(), versions: versions.text(), classes: table.classes,
      samples: rows.map { samples[$0.sample].id })
    let earlier = try earlierRun(draft, selection.dataset)
    if let earlier, earlier.done == earlier.total {
      return Summary(
        run: earlier, isNew: false, absent: samples.count - rows.count,
        isByOrder: table.samples == nil, missing: match.missing, isNormalized: normalize,
        mergedScores: mergedScores, hasGroundTruth: hasGroundTruth)
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
      isByOrder: table.samples == nil, missing: match.missing, isNormalized: normalize,
      mergedScores: mergedScores, hasGroundTruth: hasGroundTruth)
  }

  /// The task of the new run: the requested one, otherwise the one that the dataset is labeled for.
  ///
  /// - Throws: ``PredictionsError/noTable(_:)``.
  private static func task(
    _ asked: ModelTask?, _ dataset: DatasetRecord
  ) throws(PredictionsError) -> ModelTask {
    guard let asked else { return dataset.isMultiLabel ? .multiLabel : .classification }
    switch asked.output {
    case .label, .labels: return asked
    case .masks, .objects: throw PredictionsError.noTable(asked)
    }
  }

  /// The run with that name if it has the same file and samples.
  private func earlierRun(_ draft: RunDraft, _ dataset: DatasetRecord) throws -> RunRecord? {
    guard let name = draft.name, let run = try catalog.findRun(named: name) else { return nil }
    guard run.model == nil, run.settings == draft.settings, run.dataset.id == draft.dataset,
      run.datasetVersion == dataset.importVersion, run.total == draft.samples.count
    else { throw PredictionsError.otherRun(name) }
    return run
  }

  /// The table row of each sample, in the samples' order.
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

  /// Checks scores that are independent of each other.
  ///
  /// - Parameter known: the dataset's classes.
  /// - Throws: ``PredictionsError/scoreOutOfRange(row:className:value:dataset:)`` for the first outside 0...1.
  private func checkIndependent(
    _ table: PredictionTable<Float>, known: [String], dataset: String
  ) throws(PredictionsError) {
    let width = table.classes.count
    guard let place = table.scores.firstIndex(where: { !(0...1).contains($0) }) else { return }
    let name = table.classes[place % width]
    throw .scoreOutOfRange(
      row: place / width + 1, className: name, value: table.scores[place],
      dataset: known.isEmpty || known.contains(name) ? nil : dataset)
  }

  private func checkScores<Score: DecimalScore & BinaryFloatingPoint>(
    _ table: PredictionTable<Score>, normalize: Bool, _ header: ScoreHeader
  ) throws(PredictionsError) {
    for index in 0..<table.count {
      let row = table.row(index).map { Double($0) }
      if let problem = Self.problem(row, index + 1, table.classes, normalize: normalize) {
        if case .onlyZeros = problem { throw problem }
        throw header.problem(row).map { PredictionsError.badHeader(row: index + 1, problem: $0) }
          ?? problem
      }
    }
  }

  /// The reason why a row is rejected, apart from problems with the header.
  private static func problem(
    _ row: [Double], _ number: Int, _ classes: [String], normalize: Bool
  ) -> PredictionsError? {
    if let place = row.firstIndex(where: { $0 < 0 }) {
      return .notProbability(row: number, className: classes[place], value: Float(row[place]))
    }
    let sum = ProbabilityRow.sum(row)
    if sum <= 0 { return .onlyZeros(row: number) }
    return normalize && sum.isFinite || ProbabilityRow.sumsToOne(row, sum: sum)
      ? nil : .notNormalized(row: number, sum: sum, largest: row.max() ?? 0)
  }

  /// Divides each row by its sum, as in an evaluation of the file.
  ///
  /// Rounding to 32 bits happens only afterwards, so that equal scores stay equal.
  private static func normalize(_ table: inout PredictionTable<Double>) {
    let width = table.classes.count
    for index in 0..<table.count {
      let row = table.row(index).map { Double($0) }
      let sum = ProbabilityRow.sum(row)
      for (column, score) in row.enumerated() {
        table.scores[index * width + column] = score / sum
      }
    }
  }

  /// The number of scores that equal a smaller one of their class after rounding to 32 bits.
  private static func mergedScores(_ table: PredictionTable<Double>) -> Int {
    let width = table.classes.count
    return (0..<width).reduce(0) { count, column in
      let scores = stride(from: column, to: table.scores.count, by: width)
        .map { table.scores[$0] }.sorted()
      return count
        + zip(scores, scores.dropFirst()).count { $0 != $1 && Float($0) == Float($1) }
    }
  }
}
