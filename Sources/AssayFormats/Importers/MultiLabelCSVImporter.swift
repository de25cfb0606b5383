package import AssayCore

/// A CSV of images and their sets of labels: one column that lists the labels, or a 0/1 column for
/// each class; plain or gzip.
///
/// The images are separate files, below the CSV's folder or the given one; a folder can have a table
/// per split, as Roboflow's `train/_classes.csv`. Key and location of a
/// sample: its image's path below that folder. Ambiguous values or column orders are rejected.
package struct MultiLabelCSVImporter: DatasetImporter {
  package init() {}

  package var format: DatasetFormat { .multiLabelCSV }

  package var summary: String { "a CSV of images with a set of labels each (.csv, .csv.gz)" }

  package var recognizedBy: String {
    """
    a header with a column image, filename, file or path, and a column labels or tags that lists \
    the labels, or a column of 0 and 1 for each class; also a folder of tables of such columns beside \
    their images
    """
  }

  package func probe(_ tree: any SourceTree) throws -> Probe {
    guard tree.isSingleFile, let file = try tree.files().first else { return try probeFolder(tree) }
    return Self.probe(try TableHead.read(tree, file))
  }

  /// Checks a folder: tables of 0/1 columns beside their images, and no annotations of another format.
  private func probeFolder(_ tree: any SourceTree) throws -> Probe {
    let folder = try LabelTableFolder(tree)
    guard folder.problem == nil, let first = folder.tables.first else {
      return .noMatch(folder.problem ?? "it is a folder")
    }
    if let other = try others(in: tree, folder).findings.first {
      return .noMatch("it has other annotations: \(other)")
    }
    return .match(
      folder.tables.count == 1
        ? "\(first.file.path) lists the labels of images beside it"
        : "\(first.file.path) and \(folder.tables.count - 1) more list the labels of images beside them"
    )
  }

  /// The annotations in a folder that are not its tables.
  private func others(in tree: any SourceTree, _ folder: LabelTableFolder) throws -> Companions {
    let known = Set(folder.tables.map(\.file.path))
    return try Companions(
      Companions.candidates(try tree.files()).filter { !known.contains($0.path) }, in: tree,
      isKnownOnly: true)
  }

  package func companions(in tree: any SourceTree) throws -> Companions? {
    guard !tree.isSingleFile else { return nil }
    let folder = try LabelTableFolder(tree)
    return folder.problem == nil ? try others(in: tree, folder) : nil
  }

  /// Imports the tables of a folder, one after the other; all have the same classes.
  private func runFolder(
    _ tree: any SourceTree, _ options: ImportOptions, deliver: (ImportedBatch) throws -> Void
  ) throws -> FinishedImport {
    let folder = try LabelTableFolder(tree)
    if let problem = folder.problem {
      throw FormatError.mismatch(name: tree.name, format: format, reason: problem)
    }
    var outcome = ImportOutcome()
    var notes: [String] = []
    let count = Double(folder.tables.count)
    var listed: Set<String> = []
    for (place, table) in folder.tables.enumerated() {
      var own = options
      own.images = SubtreeView(options.images ?? tree, folder: table.folder)
      own.split = table.split ?? options.split
      let run = try importTable(tree, table.file, own) { batch in
        var batch = batch
        if place > 0 { batch.newCategories = [] }
        for index in batch.samples.indices {
          let path = SortedFiles.join(table.folder, batch.samples[index].key)
          batch.samples[index].key = path
          batch.samples[index].location = path
          listed.insert(path)
        }
        for index in batch.issues.indices {
          guard let key = batch.issues[index].sampleKey else { continue }
          batch.issues[index].sampleKey = SortedFiles.join(table.folder, key)
        }
        batch.progress = (Double(place) + batch.progress) / count
        try deliver(batch)
      }
      outcome.read += run.outcome.read
      outcome.accepted += run.outcome.accepted
      outcome.rejected += run.outcome.rejected
      outcome.ordinals = run.outcome.ordinals
      notes += run.notes.filter { !notes.contains($0) }
    }
    var finished = FinishedImport(outcome: outcome, contentHash: nil)
    finished.notes = notes
    let unlisted = UnlistedImages(try (options.images ?? tree).files(), listed: listed)
    finished.imagesLeftOut = unlisted.count
    if let issue = unlisted.issue() {
      var last = ImportedBatch()
      last.issues = [issue]
      last.progress = 1
      try deliver(last)
      finished.notes += [unlisted.note()].compactMap(\.self)
    }
    return finished
  }

  /// Returns whether a table is one of images and their sets of labels.
  static func probe(_ head: TableHead) -> Probe {
    do throws(FormatError) {
      let columns = try LabelTableColumns(head.firstFields, file: head.file, isForced: false)
      return columns.probe(head.lines.dropFirst().map { CSVFields.texts(of: $0) })
    } catch {
      guard case .table(_, _, let problem) = error else { return .noMatch("\(error)") }
      return .noMatch(problem)
    }
  }

  package func run(
    _ tree: any SourceTree, _ options: ImportOptions, deliver: (ImportedBatch) throws -> Void
  ) throws -> FinishedImport {
    try options.refuse([.size], for: format)
    guard tree.isSingleFile, let file = try tree.files().first else {
      return try runFolder(tree, options, deliver: deliver)
    }
    return try importTable(tree, file, options, deliver: deliver)
  }

  /// Imports one table; the images are those of the options.
  private func importTable(
    _ tree: any SourceTree, _ file: SourceFile, _ options: ImportOptions,
    deliver: (ImportedBatch) throws -> Void
  ) throws -> FinishedImport {
    let head = try TableHead.read(tree, file)
    var columns = try LabelTableColumns(head.firstFields, file: file.path, isForced: true)
    guard head.lines.count > 1 else { throw FormatError.noRows(file.path) }
    if let classes = options.classes { try columns.select(classes) }
    var notes: [String] = []
    var separator = options.labelSeparator
    switch columns.labels {
    case .list(let column):
      if separator == nil {
        var evidence = SeparatorEvidence(
          file: file.path, classes: options.classes, hasOtherColumns: !columns.ignored.isEmpty)
        var rows = try LabelTableRows(tree, file, columns)
        while let row = try rows.next() {
          try evidence.add(rows.text(column, of: row), line: row.line)
        }
        separator = try evidence.separator()
        if let separator { notes.append("the labels are separated by \(separator.words)") }
      }
    case .columns:
      guard separator == nil else {
        throw FormatError.unusedOption("--label-separator", format: format)
      }
    }
    var merge = LabelTableMerge(
      columns, file: file.path, separator: separator, options: options,
      images: try images(file, options, try names(tree, file, columns)))
    if !merge.folder.isEmpty { notes.append("the images were found in \(merge.folder)/") }
    try deliver(merge.start())
    var rows = try LabelTableRows(tree, file, columns, isHashed: true)
    try OrderedWorkers(workers: options.workers).run(
      next: { () -> [LabelTableMerge.Row]? in
        var batch: [LabelTableMerge.Row] = []
        while batch.count < LabelTableMerge.batchSize, let row = try rows.next() {
          batch.append(try merge.read(row, rows))
        }
        return batch.isEmpty ? nil : batch
      },
      transform: { [images = options.images] _, batch in
        batch.map { LabelTableMerge.probe($0, in: images) }
      },
      deliver: { try deliver(merge.add($0, progress: rows.progress)) })
    try deliver(merge.finish())
    guard merge.outcome.read > 0 else { throw FormatError.noRows(file.path) }
    var run = FinishedImport(outcome: merge.outcome, contentHash: rows.contentHash())
    run.notes = notes
    return run
  }

  /// The images in the first rows, used to find their folder.
  private func names(
    _ tree: any SourceTree, _ file: SourceFile, _ columns: LabelTableColumns
  ) throws -> [String] {
    var rows = try LabelTableRows(tree, file, columns)
    var names: [String] = []
    while names.count < 256, let row = try rows.next() {
      names.append(try rows.text(columns.image, of: row))
    }
    return names
  }

  private func images(
    _ file: SourceFile, _ options: ImportOptions, _ names: [String]
  ) throws -> COCOImageFolder {
    let images = FolderTables.images(
      ofTable: file.path, names, listed: Set(try options.images?.files().map(\.path) ?? []))
    if let tie = FolderTables.tie(images) {
      throw FormatError.table(file.path, line: 1, problem: tie)
    }
    return images
  }
}
