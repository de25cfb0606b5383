import AssayCore

/// Creates batches from the rows of a CSV of images and labels, in their order.
struct LabelTableMerge {
  /// A row, and the result of probing its image.
  struct Row: Sendable {
    var line: Int
    /// The image's path below the images' root; `nil` if it leaves the root.
    var path: String?
    var isThere: Bool
    var name: String
    var split: String?
    /// Indices of the classes, ascending.
    var labels: [Int]
    /// `nil` until the image is probed, and if it does not exist.
    var size: Result<ImageSize, ImageProbe.Problem>?
  }

  /// The values of a sample that are kept for comparison with later rows for its image.
  private struct Known {
    var line: Int
    var split: String?
    var labels: [Int]
  }

  /// The number of rows per batch.
  static let batchSize = 256

  private let columns: LabelTableColumns
  private let file: String
  private let separator: LabelSeparator?
  private let options: ImportOptions
  private let images: COCOImageFolder
  private var names: [String] = []
  private var places: [String: Int] = [:]
  private var introduced = 0
  private var known: [String: Known] = [:]
  private var splits: Set<String> = []
  private var missing: [(path: String, line: Int)] = []
  private var missingCount = 0
  private var issues: [Issue] = []
  private var cap = IssueLimit()
  private var rows = 0
  private(set) var outcome = ImportOutcome()

  init(
    _ columns: LabelTableColumns, file: String, separator: LabelSeparator?,
    options: ImportOptions, images: COCOImageFolder
  ) {
    self.columns = columns
    self.file = file
    self.separator = separator
    self.options = options
    self.images = images
    switch columns.labels {
    case .list: names = options.classes ?? []
    case .columns(let columns): names = columns.map(\.name)
    }
    places = Dictionary(zip(names, names.indices), uniquingKeysWith: { first, _ in first })
  }

  /// The folder of the images below their root; empty for the root itself.
  var folder: String { images.folder }

  /// The first batch: the known classes, and the columns that are not read.
  mutating func start() -> ImportedBatch {
    for name in columns.ignored {
      note(.unsupportedField, .warning, line: 1, "column “\(name)” is not kept")
    }
    var batch = ImportedBatch()
    finish(&batch, progress: 0)
    return batch
  }

  /// Reads a row.
  ///
  /// - Throws: ``FormatError``: an invalid row stops the import.
  mutating func read(
    _ row: LabelTableRows.Row, _ rows: LabelTableRows
  ) throws(FormatError) -> Row {
    self.rows += 1
    guard self.rows <= PixelTableMerge.rowLimit else {
      throw .tooManyRows(file, limit: PixelTableMerge.rowLimit)
    }
    let name = try rows.text(columns.image, of: row)
    guard !name.isEmpty else { throw .table(file, line: row.line, problem: "no image is named") }
    let split = try columns.split.map { column throws(FormatError) in
      try rows.text(column, of: row)
    }
    let labels = try labels(of: row, rows)
    var result = Row(
      line: row.line, path: nil, isThere: false, name: name,
      split: split.flatMap { $0.isEmpty ? nil : $0 } ?? options.split, labels: labels)
    switch BoxTableIndex.place(of: name, in: images) {
    case .path(let path, let isThere), .repaired(let path, let isThere, _):
      (result.path, result.isThere) = (path, isThere)
    case .outside: break
    }
    return result
  }

  private mutating func labels(
    of row: LabelTableRows.Row, _ rows: LabelTableRows
  ) throws(FormatError) -> [Int] {
    var labels: [Int] = []
    switch columns.labels {
    case .columns(let columns):
      for (place, (column, name)) in columns.enumerated() {
        let text = try rows.text(column, of: row)
        guard let has = LabelTableColumns.flag(text) else {
          throw .table(
            file, line: row.line,
            problem: "column “\(name)”: expected 0 or 1 (or true or false), found "
              + (text.isEmpty ? "nothing" : "“\(text.prefix(40))”")
              + "; correct the value, or name the class columns with --classes")
        }
        if has { labels.append(place) }
      }
    case .list(let column):
      let text = LabelSeparator.trimmed(try rows.text(column, of: row))
      let texts = separator?.labels(of: text) ?? (text.isEmpty ? [] : [text])
      for text in texts { labels.append(try place(of: text, line: row.line)) }
      labels.sort()
    }
    return labels
  }

  /// A class's index; a new one if classes are not given.
  private mutating func place(of name: String, line: Int) throws(FormatError) -> Int {
    if let place = places[name] { return place }
    if let classes = options.classes {
      let near = NearMiss.suggestion(for: name, among: classes)
      throw .table(
        file, line: line,
        problem: "unknown class “\(name.prefix(80))”; it is not among --classes"
          + (near.map { " (did you mean “\($0)”?)" } ?? ""))
    }
    guard name.utf8.count <= LabelReader.nameLimit else {
      throw .table(
        file, line: line,
        problem: "a label of \(name.utf8.count) bytes, over \(LabelReader.nameLimit); "
          + "is it a list? Name the separator with --label-separator")
    }
    guard names.count < PixelTableMerge.classLimit else {
      throw .tooManyClasses(file, limit: PixelTableMerge.classLimit)
    }
    places[name] = names.count
    names.append(name)
    return names.count - 1
  }

  /// Reads the header of a row's image, if it exists.
  static func probe(_ row: Row, in images: (any SourceTree)?) -> Row {
    guard row.isThere, let path = row.path, let images else { return row }
    var row = row
    row.size = ImageProbe(images, SourceFile(path: path, size: 0, modified: 0)).size
    return row
  }

  /// The batch for some rows.
  ///
  /// - Throws: ``FormatError/table(_:line:problem:)`` for an image that has other labels in an earlier row.
  mutating func add(_ rows: [Row], progress: Double) throws(FormatError) -> ImportedBatch {
    var batch = ImportedBatch()
    for row in rows {
      if let sample = try sample(row) {
        batch.samples.append(sample)
      } else {
        batch.rejected += 1
      }
    }
    batch.read = rows.count
    outcome.read += rows.count
    outcome.rejected += batch.rejected
    outcome.accepted += batch.samples.count
    finish(&batch, progress: progress)
    return batch
  }

  private mutating func sample(_ row: Row) throws(FormatError) -> ImportedSample? {
    guard let path = row.path else {
      note(
        .outsideRoot, .error, line: row.line,
        "“\(row.name)” is outside the image folder; left out")
      return nil
    }
    if let known = known[path] {
      guard known.labels == row.labels, known.split == row.split else {
        let what = known.labels == row.labels ? "another split" : "other labels"
        throw .table(
          file, line: row.line,
          problem: "\(row.name) has \(what) than in line \(known.line); remove one of the rows")
      }
      note(
        .duplicateID, .warning, line: row.line, key: path,
        "\(row.name) is in line \(known.line) with the same labels; counted once")
      return nil
    }
    known[path] = Known(line: row.line, split: row.split, labels: row.labels)
    if let split = row.split, splits.insert(split).inserted {
      guard splits.count <= PixelTableMerge.splitLimit else {
        throw .tooManySplits(file, limit: PixelTableMerge.splitLimit)
      }
    }
    var size: ImageSize?
    switch row.size {
    case .success(let found)?: size = found
    case .failure(let problem)?:
      note(problem.kind, .error, line: row.line, "\(path): \(problem.message)")
      return nil
    case nil:
      missingCount += 1
      if missing.count < IssueLimit.limit { missing.append((path, row.line)) }
    }
    return ImportedSample(
      key: path, location: path, split: row.split, size: size, categories: row.labels)
  }

  /// The last batch: missing images, and the order of the classes.
  mutating func finish() -> ImportedBatch {
    var batch = ImportedBatch()
    if let first = missing.first, missingCount == outcome.accepted {
      note(
        .missingImage, .warning, line: first.line,
        missingCount == 1
          ? "its only image does not exist (looked for \(first.path)); it is kept without a file: run "
            + "`assay relink` once it exists, or import again with --images DIR"
          : "none of its \(missingCount) images exists (looked for \(first.path), …); all are kept "
            + "without a file: run `assay relink` once they exist, or import again with --images DIR"
      )
    } else {
      for (path, line) in missing {
        note(
          .missingImage, .warning, line: line, key: path,
          "\(path) does not exist; kept without a file")
      }
      cap.count(missingCount - missing.count, of: .missingImage)
    }
    issues += cap.remainder(in: file)
    outcome.ordinals = Array(names.indices)
    if case .list = columns.labels, options.classes == nil {
      for (ordinal, place) in ClassOrder.sorted(names).enumerated() {
        outcome.ordinals[place] = ordinal
      }
    }
    finish(&batch, progress: 1)
    return batch
  }

  private mutating func finish(_ batch: inout ImportedBatch, progress: Double) {
    batch.newCategories = names[introduced...].map { Category(name: $0) }
    introduced = names.count
    batch.issues = issues
    issues = []
    batch.progress = progress
  }

  private mutating func note(
    _ kind: IssueKind, _ severity: Issue.Severity, line: Int, key: String? = nil, _ message: String
  ) {
    guard cap.admits(kind) else { return }
    issues.append(
      Issue(kind, severity, at: IssueLocation(file: file, line: line), sampleKey: key, message))
  }
}
