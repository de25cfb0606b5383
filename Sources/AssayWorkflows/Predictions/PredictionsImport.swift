package import AssayCore
package import AssayFormats
import AssayMetrics
package import AssayStore

/// Creates a run from predictions that another program computed: scores or classes of images.
package struct PredictionsImport {
  /// The columns, classes and numbers that the user states.
  package typealias Options = PredictionFileOptions

  /// The requested reading of a file.
  package struct Request: Sendable {
    /// The file's path.
    package var path: String
    /// The run's name.
    package var name: String
    package var view: String
    /// Classification or multi-label classification; `nil` for multi-label if the dataset is marked
    /// so, otherwise classification. The values in the rows are not considered.
    package var task: ModelTask?
    package var ignoreMissing = false
    package var normalize = false
    /// The function that makes probabilities from the scores; `nil` if they are probabilities.
    package var logits: LogitActivation?
    /// A file with the keys of an array's rows, or the name of an array with them.
    package var keys: String?
    /// True to join keys and samples by the names of their files, whatever their folders.
    package var matchesNames = false
    package var options = Options()

    package init(_ path: String, name: String, view: String) {
      self.path = path
      self.name = name
      self.view = view
    }
  }

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
    /// True if the dataset has at least one of the file's classes.
    package var hasSharedClass = true
    /// Facts about how the file was read, one clause each.
    package var notes: [String] = []
  }

  private let catalog: Catalog
  private let programVersion: String
  private let progress: any ProgressSink

  package init(
    catalog: Catalog, programVersion: String, progress: any ProgressSink = NoProgress()
  ) {
    self.catalog = catalog
    self.programVersion = programVersion
    self.progress = progress
  }

  /// The number of rows that are stored at a time.
  private static let chunk = 4096

  /// Imports a predictions file for the samples of a view; the run is created completely or not at
  /// all.
  ///
  /// - Throws: the errors of ``run(_:)``.
  package func run(
    _ path: String, name: String, view: String, task: ModelTask? = nil,
    ignoreMissing: Bool = false, normalize: Bool = false
  ) throws -> Summary {
    var request = Request(path, name: name, view: view)
    request.task = task
    request.ignoreMissing = ignoreMissing
    request.normalize = normalize
    return try run(request)
  }

  /// Imports a predictions file for the samples of a view; the run is created completely or not at
  /// all.
  ///
  /// In classification, rows must sum to 1 as defined by `ProbabilityRow`, unless `normalize`
  /// divides each row by its sum. In multi-label classification, each score must be in 0...1 and is
  /// used as given. The file is read twice: to check all of it, then to store it.
  ///
  /// - Throws: ``PredictionsError``, ``PredictError`` if classes do not match, `FormatError`,
  ///   ``SourceError``, `StoreError`, ``Interrupted``.
  package func run(_ request: Request) throws -> Summary {
    let source = try ImportSource(request.path, view: request.view, in: catalog)
    let (tree, selection, samples) = (source.tree, source.selection, source.samples)
    let (taxonomy, known) = (source.taxonomy, source.known)
    let task = try Self.task(request.task, selection.dataset)
    // A text that is not a file is the name of an array.
    let keys = request.keys.flatMap { try? DirectoryTree($0) }
    let rows = try ScoreFile.open(
      tree, request.options, keys: keys, keysName: keys == nil ? request.keys : nil, known: known)
    var transform = try transform(request, rows, task, known, selection.dataset)
    let reading = try read(rows, request, samples, taxonomy, &transform)
    let hasGroundTruth = try catalog.hasGroundTruth(for: task, in: selection.dataset)
    let used = reading.samples.sorted()
    if hasGroundTruth, !request.ignoreMissing, !known.isEmpty,
      !rows.classes.contains(where: known.contains)
    {
      throw PredictionsError.noCommonClass(
        file: tree.name, classes: rows.classes, dataset: selection.dataset.name, known: known)
    }
    let match = try ClassMatch(
      classes: rows.classes, model: tree.name,
      taxonomy: hasGroundTruth ? taxonomy : Taxonomy([]),
      dataset: selection.dataset.name, samples: used.map { samples[$0] },
      allowsNone: request.ignoreMissing)
    guard match.missing.isEmpty || request.ignoreMissing else {
      throw PredictError.missingClasses(
        match.missing, model: tree.name, classes: rows.classes, view: request.view)
    }
    var notes = rows.notes + reading.notes
    let extra = rows.classes.filter { !known.contains($0) }
    if hasGroundTruth, !rows.isLabels, !extra.isEmpty, extra.count < rows.classes.count {
      notes.append(
        "\(Counted.text(extra.count, "class", "classes")) that the dataset does not have: "
          + extra.prefix(5).joined(separator: ", ") + (extra.count > 5 ? ", …" : "")
          + "; a column that is no class is left out with --ignore-columns")
    }
    let settings = JSONValue.object(
      task.settingsMembers + [
        .init("imported", .string(tree.name)), .init("sha256", .string(try tree.contentHash())),
      ] + request.members + (rows.isLabels ? [RunRecord.labelsOnlyMember] : []))
    let versions: JSONValue = ["assay": .string(programVersion)]
    let draft = RunDraft(
      name: request.name, task: task, dataset: selection.dataset.id, view: request.view,
      settings: settings.text(), versions: versions.text(), classes: rows.classes,
      samples: used.map { samples[$0].id })
    let stored = try catalog.storeRun(draft, of: selection.dataset) { run in
      try store(rows, of: reading.samples.map { samples[$0].id }, in: run, transform)
    }
    return Summary(
      run: stored.run, isNew: stored.isNew, absent: samples.count - used.count,
      isByOrder: !rows.hasKeys, missing: match.missing, isNormalized: request.normalize,
      mergedScores: reading.mergedScores, hasGroundTruth: hasGroundTruth,
      hasSharedClass: !hasGroundTruth || !match.shared.isEmpty, notes: notes)
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

  /// The computation that the request asks for.
  private func transform(
    _ request: Request, _ rows: any ScoreRowSource, _ task: ModelTask, _ known: [String],
    _ dataset: DatasetRecord
  ) throws(PredictionsError) -> ScoreTransform {
    let isIndependent = task.output == .labels
    if isIndependent {
      guard !request.normalize else { throw .normalizedLabels }
      guard !rows.hasTruth else { throw .truthOfLabels }
      guard !rows.isLabels else { throw .oneLabelOfSeveral }
    }
    if rows.isLabels {
      guard !request.normalize else { throw .labelsHaveNoScores(option: "--normalize") }
      guard request.logits == nil else { throw .labelsHaveNoScores(option: "--logits") }
    }
    switch (request.logits, isIndependent) {
    case (.softmax?, true): throw .softmaxOfLabels
    case (.softmax?, false) where request.normalize: throw .normalizedSoftmax
    default: break
    }
    return ScoreTransform(
      classes: rows.classes, isIndependent: isIndependent, normalizes: request.normalize,
      logits: request.logits,
      header: ScoreHeader(
        classes: rows.classes, known: known, place: "the dataset \(dataset.name)",
        hasKeys: rows.hasKeys),
      known: known, dataset: dataset.name)
  }

  /// The checked rows of a file.
  private struct Reading {
    /// The sample of each row, as an index into the view.
    var samples: [Int] = []
    var mergedScores = 0
    var notes: [String] = []
  }

  /// Checks all rows and joins them to samples.
  private func read(
    _ rows: any ScoreRowSource, _ request: Request, _ samples: [SampleRecord], _ taxonomy: Taxonomy,
    _ transform: inout ScoreTransform
  ) throws -> Reading {
    var reading = Reading()
    let join = SampleKeyJoin(samples, view: request.view)
    var firstRow = [Int32](repeating: 0, count: rows.hasKeys ? samples.count : 0)
    var pending: [SampleKeyJoin.Pending] = []
    var seen: Set<String> = []
    // Normalized scores of each class, to count those that become equal.
    var exact = [[Double]](repeating: [], count: request.normalize ? rows.classes.count : 0)
    var count = 0
    try rows.forEach(transform.computes ? .double : .single) { row in
      count += 1
      if count % Self.chunk == 0 {
        try Interruption.check("nothing was stored")
        progress.report(0.5 * min(1, Double(count) / Double(samples.count)), "reading \(rows.file)")
      }
      if !rows.isLabels {
        let scores = try transform.probabilities(row)
        for (place, score) in scores.enumerated() where place < exact.count {
          exact[place].append(score)
        }
      }
      guard rows.hasKeys, let key = row.key else {
        return try checkOrder(row, samples, taxonomy)
      }
      if let sample = join.equal(to: key) {
        guard firstRow[sample] == 0 else {
          throw rows.fault(
            in: row, "duplicate sample '\(key)', first in line \(firstRow[sample])")
        }
        firstRow[sample] = Int32(truncatingIfNeeded: row.line)
        reading.samples.append(sample)
      } else {
        guard seen.insert(key).inserted else {
          throw rows.fault(in: row, "duplicate sample '\(key)'")
        }
        pending.append(SampleKeyJoin.Pending(row: reading.samples.count, key: key))
        reading.samples.append(-1)
      }
    }
    if request.logits != nil, transform.looksLikeProbabilities {
      throw PredictionsError.notLogits
    }
    if rows.hasKeys {
      let joined = try join.join(pending, byName: request.matchesNames)
      if let note = joined.note { reading.notes.append(note) }
      for (row, sample) in zip(pending, joined.samples) {
        guard firstRow[sample] == 0 else {
          throw PredictionsError.sampleTwice(samples[sample].key, second: row.key)
        }
        firstRow[sample] = 1
        reading.samples[row.row] = sample
      }
    } else {
      guard count == samples.count else {
        throw PredictionsError.rowCount(found: count, view: request.view, samples: samples.count)
      }
      reading.samples = Array(samples.indices)
    }
    reading.mergedScores = exact.reduce(0) { $0 + Self.mergedScores($1) }
    return reading
  }

  /// Checks that the true class of a row without a key is that of the sample in its place.
  private func checkOrder(
    _ row: ScoreRow, _ samples: [SampleRecord], _ taxonomy: Taxonomy
  ) throws(PredictionsError) {
    guard let truth = row.truth, samples.indices.contains(row.number - 1) else { return }
    let expected = samples[row.number - 1].category.map { taxonomy.names[$0] }
    guard truth == expected else {
      throw .truthDiffers(row: row.number, found: truth, expected: expected)
    }
  }

  /// Stores all rows of a checked file.
  ///
  /// - Parameter samples: the sample of each row.
  private func store(
    _ rows: any ScoreRowSource, of samples: [Int64], in run: RunRecord, _ transform: ScoreTransform
  ) throws {
    var transform = transform
    var scores: [SampleScores] = []
    var labels: [SampleLabel] = []
    var count = 0
    func flush() throws {
      try Interruption.check("nothing was stored")
      if !scores.isEmpty { try catalog.record(scores, in: run.id) }
      if !labels.isEmpty { try catalog.record(labels, in: run.id) }
      scores.removeAll(keepingCapacity: true)
      labels.removeAll(keepingCapacity: true)
      progress.report(0.5 + 0.5 * Double(count) / Double(samples.count), "storing predictions")
    }
    let width = max(1, rows.classes.count)
    let step = max(64, min(Self.chunk, (4 << 20) / width))
    try rows.forEach(transform.computes ? .double : .single) { row in
      guard count < samples.count else { throw PredictionsError.fileChanged(rows.file) }
      let sample = samples[count]
      count += 1
      if let label = row.label {
        labels.append(SampleLabel(sample: sample, class: label))
      } else {
        // Rounded to 32 bits once, after all computation.
        let probabilities = try transform.probabilities(row).map { Float($0) }
        scores.append(SampleScores(sample: sample, scores: probabilities))
      }
      if scores.count + labels.count >= step { try flush() }
    }
    guard count == samples.count else { throw PredictionsError.fileChanged(rows.file) }
    try flush()
  }

  /// The number of scores of a class that equal a smaller one after rounding to 32 bits.
  private static func mergedScores(_ scores: [Double]) -> Int {
    let sorted = scores.sorted()
    return zip(sorted, sorted.dropFirst()).count { $0 != $1 && Float($0) == Float($1) }
  }
}

extension PredictionsImport.Request {
  /// The members of the run's settings that decide what the file's rows mean.
  fileprivate var members: [JSONValue.Member] {
    var members: [JSONValue.Member] = []
    if normalize { members.append(.init("normalized", .bool(true))) }
    if let logits { members.append(.init("logits", .string(logits.rawValue))) }
    let texts: [(String, String?)] = [
      ("keys", keys), ("key_column", options.key), ("label_column", options.label),
      ("score_prefix", options.prefix), ("array", options.array),
    ]
    members += texts.compactMap { name, text in text.map { .init(name, .string($0)) } }
    if let first = options.firstNumber { members.append(.init("class_numbers", JSONValue(first))) }
    if matchesNames { members.append(.init("match_names", .bool(true))) }
    if options.hasDecimalCommas { members.append(.init("decimal_comma", .bool(true))) }
    return members
  }
}
