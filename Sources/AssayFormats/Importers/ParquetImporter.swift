package import AssayCore

/// Parquet files with images in them, as the Hugging Face Hub serves them: labels, boxes or index masks
/// (`parquet`), or sets of labels (`parquet-labels`). A multi-label dataset has no regions, so these are
/// two formats.
///
/// Key and location of a sample: the Parquet file, the column and the row of its image, with the name
/// that the file states (``EmbeddedImagePlace``). Images are read in place. Sources: Apache Parquet's format
/// specification; the documentation of Hugging Face Datasets.
package struct ParquetImporter: DatasetImporter {
  private let withLabels: Bool

  /// - Parameter withLabels: whether sets of labels are read, or one label, boxes and masks.
  package init(withLabels: Bool) { self.withLabels = withLabels }

  package var format: DatasetFormat { withLabels ? .parquetLabels : .parquet }

  package var summary: String {
    withLabels
      ? "Parquet files with images and a set of labels each"
      : "Parquet files with images, as the Hugging Face Hub serves them: a label, boxes or masks"
  }

  package var recognizedBy: String {
    withLabels
      ? "the same files, with a list of labels per image and no boxes"
      : "data/train-00000-of-00001.parquet or other .parquet files with a column of images (bytes and "
        + "path) and no image files beside them"
  }

  package func probe(_ tree: any SourceTree) throws -> Probe {
    let files = try ParquetLayout.files(tree)
    guard !files.isEmpty else { return .noMatch("it has no .parquet file") }
    let hasImages =
      try !tree.isSingleFile && tree.files().contains { FileNameKind($0.path) == .image }
    guard !hasImages else {
      return .noMatch("it has image files beside its Parquet files")
    }
    do {
      let shown = ParquetTree(tree)
      for source in files.prefix(8) {
        guard let file = try shown.file(source.path), file.footer.rows > 0 else { continue }
        let images = ParquetImageColumn.all(of: file).map(\.name)
        guard let first = images.first else { return .noMatch(ParquetLayout.noImages(file)) }
        // Several readings are a match, too: the import lists them.
        let columns = try? ParquetColumns(file, ImportOptions())
        let isMultiLabel = columns?.isMultiLabel ?? false
        guard isMultiLabel == withLabels else {
          return .noMatch(
            "its images have \(isMultiLabel ? "sets of labels: parquet-labels" : "no sets of labels")"
          )
        }
        return .match("\(file.path) has images in its column \(columns?.image ?? first)")
      }
      return .noMatch("its Parquet files have no rows")
    } catch let error as ParquetError {
      return .noMatch(error.description)
    }
  }

  package func companions(in tree: any SourceTree) throws -> Companions? {
    guard !tree.isSingleFile else { return nil }
    let unread = Companions.candidates(try tree.files()).filter { !ParquetFile.isNamed($0.path) }
    return try Companions(unread, in: tree, isKnownOnly: true)
  }

  package func run(
    _ tree: any SourceTree, _ options: ImportOptions, deliver: (ImportedBatch) throws -> Void
  ) throws -> FinishedImport {
    try options.refuse([.size], for: format)
    guard options.labelSeparator == nil else {
      throw FormatError.unusedOption("--label-separator", format: format)
    }
    let sources = try ParquetLayout.files(tree)
    guard !sources.isEmpty else {
      throw FormatError.mismatch(
        name: tree.name, format: format, reason: "it has no .parquet file")
    }
    let shown = ParquetTree(tree, listsRows: false)
    let layout = try ParquetLayout(shown, sources, format, options)
    guard layout.columns.isMultiLabel == withLabels else {
      throw FormatError.mismatch(
        name: tree.name, format: format,
        reason: withLabels
          ? "its images have no sets of labels; import it as parquet"
          : "its images have sets of labels; import it as parquet-labels")
    }
    var notes: [String] = []
    if let objects = layout.columns.objects, !objects.isStated {
      let check = try ParquetBoxCheck(layout, objects, in: shown)
      do {
        notes += [try check.note(objects, image: layout.columns.image)].compactMap(\.self)
      } catch let problem as ParquetProblem {
        throw ParquetError(file: tree.name, problem: problem)
      }
    }
    if layout.columns.mask != nil {
      var finished = try ParquetMasks.plan(layout, options, in: shown)
        .run(shown, options, deliver: deliver)
      finished.notes += notes
      return finished
    }
    var pass = try RegionImport(shown, ParquetSource(layout, options), options)
    var finished = try pass.run(deliver)
    if layout.columns.objects == nil { finished.lists = nil }
    finished.notes += notes
    return finished
  }
}
