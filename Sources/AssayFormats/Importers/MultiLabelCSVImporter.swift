package import AssayCore

/// A CSV of images and their sets of labels: one column that lists the labels, or a 0/1 column for
/// each class; plain or gzip.
///
/// The images are separate files, below the CSV's folder or the given one. Key and location of a
/// sample: its image's path below that folder. Ambiguous values or column orders are rejected.
package struct MultiLabelCSVImporter: DatasetImporter {
  package init() {}

  package var format: DatasetFormat { .multiLabelCSV }

  package var summary: String { "a CSV of images with a set of labels each (.csv, .csv.gz)" }

  package var recognizedBy: String {
    """
    a header with a column image, filename, file or path, and a column labels or tags that lists \
    the labels, or a column of 0 and 1 for each class
    """
  }

  package func probe(_ tree: any SourceTree) throws -> Probe {
    guard tree.isSingleFile, let file = try tree.files().first else {
      return .noMatch("it is a folder, and a CSV of images and labels is one file")
    }
    return Self.probe(try TableHead.read(tree, file))
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
    guard tree.isSingleFile, let file = try tree.files().first else {
      throw FormatError.mismatch(name: tree.name, format: format, reason: "it is a folder")
    }
    try options.refuse([.size], for: format)
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
      images: try images(options, try names(tree, file, columns)))
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

  private func images(_ options: ImportOptions, _ names: [String]) throws -> COCOImageFolder {
    COCOImageFolder(
      for: names, in: [""], listed: Set(try options.images?.files().map(\.path) ?? []))
  }
}
