package import AssayCore

/// A labeled CSV of pixels: all pixels in one column, or one column per pixel (MNIST-CSV style),
/// with or without a header.
///
/// Pixels are whole numbers in 0...255 and are neither scaled nor rounded. Key of a sample: its
/// row, from 0. A folder can have a table for each split; there the file's name without suffix and a
/// slash precede the key.
package struct PixelCSVImporter: DatasetImporter {
  package init() {}

  package var format: DatasetFormat { .pixelCSV }

  package var summary: String { "a labeled CSV of pixels, MNIST-CSV and similar (.csv, .csv.gz)" }

  package var recognizedBy: String {
    """
    a header with a column pixels, or columns like pixel0, 1x1 or 0, and the label in label, class, \
    emotion, target, …; or no header and rows of a label and numbers; also a folder of one such file, or \
    of one for each split (mnist_train.csv, mnist_test.csv)
    """
  }

  package func probe(_ tree: any SourceTree) throws -> Probe {
    guard tree.isSingleFile, let file = try tree.files().first else {
      switch try PixelTableFolder.find(in: tree) {
      case .failure(let mismatch): return .noMatch(mismatch.reason)
      case .success(let folder):
        return .match(
          "\(folder.tables.map(\.file.path).joined(separator: ", ")) "
            + "\(folder.tables.count == 1 ? "is a table" : "are tables") of labels and pixels")
      }
    }
    let head = try TableHead.read(tree, file)
    if LabelTableColumns.isLabelTable(head) {
      return .noMatch("its header has a column of images, and its other columns hold 0 and 1")
    }
    do throws(PixelCSVColumns.Mismatch) {
      return .match(try PixelCSVColumns.find(head).reason)
    } catch {
      return .noMatch(error.reason)
    }
  }

  package func run(
    _ tree: any SourceTree, _ options: ImportOptions, deliver: (ImportedBatch) throws -> Void
  ) throws -> FinishedImport {
    guard tree.isSingleFile, let file = try tree.files().first else {
      return try runFolder(tree, options, deliver: deliver)
    }
    return try importTable(tree, file, options, deliver: deliver)
  }

  /// Imports the tables of a folder, one after the other, with one list of classes.
  private func runFolder(
    _ tree: any SourceTree, _ options: ImportOptions, deliver: (ImportedBatch) throws -> Void
  ) throws -> FinishedImport {
    let folder: PixelTableFolder
    switch try PixelTableFolder.find(in: tree) {
    case .success(let found): folder = found
    case .failure(let mismatch):
      throw FormatError.mismatch(name: tree.name, format: format, reason: mismatch.reason)
    }
    var outcome = ImportOutcome()
    var classes = PixelTableClasses()
    let count = Double(folder.tables.count)
    for (place, table) in folder.tables.enumerated() {
      classes.beginTable()
      var own = options
      own.split = options.split ?? table.split
      let run = try importTable(tree, table.file, own) { batch in
        var batch = batch
        classes.join(&batch)
        for index in batch.samples.indices {
          batch.samples[index].key = "\(table.stem)/\(batch.samples[index].key)"
        }
        for index in batch.issues.indices {
          if let key = batch.issues[index].sampleKey {
            batch.issues[index].sampleKey = "\(table.stem)/\(key)"
          }
        }
        batch.progress = (Double(place) + batch.progress) / count
        try deliver(batch)
      }
      outcome.read += run.outcome.read
      outcome.accepted += run.outcome.accepted
      outcome.rejected += run.outcome.rejected
    }
    outcome.ordinals = Array(classes.names.indices)
    if options.classes == nil {
      for (ordinal, place) in ClassOrder.sorted(classes.names).enumerated() {
        outcome.ordinals[place] = ordinal
      }
    }
    return FinishedImport(outcome: outcome, contentHash: nil)
  }

  /// Imports one table.
  private func importTable(
    _ tree: any SourceTree, _ file: SourceFile, _ options: ImportOptions,
    deliver: (ImportedBatch) throws -> Void
  ) throws -> FinishedImport {
    let head = try TableHead.read(tree, file)
    let columns: PixelCSVColumns
    do throws(PixelCSVColumns.Mismatch) {
      columns = try PixelCSVColumns.find(head)
    } catch {
      throw FormatError.mismatch(name: tree.name, format: format, reason: error.reason)
    }
    let table = try table(of: head, columns, options)
    return try PixelTableReader(tree: tree, file: file, table: table, options: options)
      .run(deliver: deliver)
  }

  private func table(
    of head: TableHead, _ columns: PixelCSVColumns, _ options: ImportOptions
  ) throws(FormatError) -> PixelTable {
    guard head.lines.count > (columns.hasHeader ? 1 : 0) else { throw .noRows(head.file) }
    var columns = columns
    if !columns.hasHeader, let size = options.size, case .columns = columns.pixels,
      [size.area, 3 * size.area].contains(columns.count)
    {
      columns.label = nil
      columns.pixels = .columns(Array(0..<columns.count))
    }
    let (size, format) = try size(head, columns, options)
    return PixelTable(
      file: head.file, hasHeader: columns.hasHeader, columnCount: columns.count,
      labelColumn: columns.label, splitColumn: columns.split, pixels: columns.pixels,
      size: size, format: format, labels: options.classes.map { .named($0) } ?? .discovered,
      splits: SplitRule(
        translatesUsage: columns.isUsage, reportsUnknown: false, fallback: options.split))
  }

  private func size(
    _ head: TableHead, _ columns: PixelCSVColumns, _ options: ImportOptions
  ) throws(FormatError) -> (ImageSize, PixelFormat) {
    let counts: [Int]
    switch columns.pixels {
    case .columns(let places):
      counts = [places.count]
      if let size = options.size, ![size.area, 3 * size.area].contains(places.count) {
        throw .sizeMismatch(head.file, size: size, pixels: places.count)
      }
    case .text(let column):
      counts = PixelSize.counts(in: head, column: column, skipping: columns.hasHeader)
    }
    if let size = options.size {
      return (size, PixelSize.mostFrequent(counts) == 3 * size.area ? .rgb8 : .gray8)
    }
    let squares = counts.filter { PixelSize.squareSide($0) != nil }
    guard let side = PixelSize.mostFrequent(squares).flatMap(PixelSize.squareSide) else {
      throw .noSize(head.file, pixels: PixelSize.mostFrequent(counts) ?? 0)
    }
    return (ImageSize(width: side, height: side), .gray8)
  }
}
