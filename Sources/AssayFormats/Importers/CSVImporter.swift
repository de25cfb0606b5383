package import AssayCore

/// A table of boxes or polygons, one object per row, or of one label per image, whose columns `--columns`
/// names; the headers of TensorFlow and VoTT, and of images and labels, need no option.
///
/// The images are separate files, below the table's folder or the given one. Key and location of a
/// sample: its image's path below that folder.
package struct CSVImporter: DatasetImporter {
  package init() {}

  package var format: DatasetFormat { .csv }

  package var summary: String {
    "a CSV of boxes or polygons, one object per row, or of one label per image"
  }

  package var recognizedBy: String {
    """
    a header with filename, width, height, class, xmin, ymin, xmax and ymax, or VoTT's image, xmin, ymin, \
    xmax, ymax, label, or assay's own image, split, class, xmin, ymin, xmax, ymax, or a column of image files and a column label or class with one label each; also \
    a folder of such tables beside their images, such as train_labels.csv and test_labels.csv, and \
    Roboflow's _annotations.csv with _classes.csv; \
    every other table needs --columns image=…,label=…,box=…:…:…:…
    """
  }

  package func probe(_ tree: any SourceTree) throws -> Probe {
    guard tree.isSingleFile, let file = try tree.files().first else { return try probeFolder(tree) }
    return Self.probe(try TableHead.read(tree, file))
  }

  /// Checks a folder: tables whose columns are certain, each beside its images, and no annotations of
  /// another format.
  private func probeFolder(_ tree: any SourceTree) throws -> Probe {
    let folder = try BoxTableFolder(tree)
    if let problem = folder.problem { return .noMatch(problem) }
    let files = try tree.files()
    let others = try Companions(
      Companions.candidates(files).filter { !folder.known.contains($0.path) }, in: tree,
      isKnownOnly: true)
    if let other = others.findings.first { return .noMatch("it has other annotations: \(other)") }
    let sorted = SortedFiles(files)
    for table in folder.tables {
      let form = try Self.form(of: table)
      let names = BoxTableFolder.names(table.head, form)
      let images = folder.images(of: table, form, in: sorted).images
      if let tie = FolderTables.tie(images) {
        return .noMatch("of \(table.file.path), \(tie), and the table itself")
      }
      let missing = names.filter { name in
        switch BoxTableIndex.place(of: name, in: images) {
        case .path(_, let isThere), .repaired(_, let isThere, _): !isThere
        case .outside: true
        }
      }
      guard missing.count < names.count else {
        return .noMatch("the images of \(table.file.path) are not below its folder or beside it")
      }
      // Folders of classes may say something else about images that the table does not reach.
      if form.isOfLabels, let first = missing.first {
        return .noMatch(
          "\(first), an image of \(table.file.path), is not there: name the file to import it")
      }
    }
    let what = try Self.form(of: folder.tables[0]).isOfLabels ? "labels" : "boxes"
    return .match(
      folder.tables.count == 1
        ? "\(folder.tables[0].file.path) is a table of \(what) beside its images"
        : "\(folder.tables[0].file.path) and \(folder.tables.count - 1) more are tables of \(what) beside "
          + "their images")
  }

  /// The columns of a table in a folder.
  private static func form(of table: BoxTableFolder.Table) throws(FormatError) -> BoxTableForm {
    let columns: BoxTableColumns
    do throws(BoxTableColumns.Problem) {
      columns = try BoxTableColumns(parsing: table.columns)
    } catch {
      throw .table(table.file.path, line: 1, problem: error.description)
    }
    return try BoxTableForm(columns, .pixels, table.head)
  }

  package func companions(in tree: any SourceTree) throws -> Companions? {
    guard !tree.isSingleFile else { return nil }
    let folder = try BoxTableFolder(tree)
    guard folder.problem == nil else { return nil }
    return try Companions(
      Companions.candidates(try tree.files()).filter { !folder.known.contains($0.path) }, in: tree,
      isKnownOnly: true)
  }

  /// Imports the tables of a folder.
  private func runFolder(
    _ tree: any SourceTree, _ options: ImportOptions, deliver: (ImportedBatch) throws -> Void
  ) throws -> FinishedImport {
    let folder = try BoxTableFolder(tree)
    if options.columns != nil {
      let tables = try tree.files().map(\.path).filter {
        $0.hasSuffix(ignoringCase: ".csv") || $0.hasSuffix(ignoringCase: ".tsv")
      }
      let names = tables.prefix(3).map(ShellText.below).joined(separator: " or ")
      throw FormatError.mismatch(
        name: tree.name, format: format,
        reason: "it is a folder, and --columns describes one table: name the file"
          + (tables.isEmpty ? "" : ", \(names)"))
    }
    if let problem = folder.problem {
      throw FormatError.mismatch(name: tree.name, format: format, reason: problem)
    }
    let files = SortedFiles(try (options.images ?? tree).files())
    var sources: [BoxTableSource] = []
    var notes: [String] = []
    var dropped = 0
    for table in folder.tables {
      let form = try Self.form(of: table)
      let (base, images) = folder.images(of: table, form, in: files)
      try Self.refuse(images, table.file)
      let index = try BoxTableIndex(tree, form, images: images)
      dropped += index.dropped
      if !images.folder.isEmpty || base != table.folder {
        let place = SortedFiles.join(base, images.folder)
        notes.append(
          "the images of \(table.file.path) were found in \(place.isEmpty ? "the folder" : place + "/")"
        )
      }
      sources.append(
        BoxTableSource(
          tree, form, index, given: options.classes, folder: base, split: folder.split(of: table)))
    }
    var classes: [String] = []
    for name in options.classes ?? folder.tables.flatMap({ $0.classes ?? [] })
    where !classes.contains(name) { classes.append(name) }
    var pass = try RegionImport(
      tree, BoxTablesSource(sources, classes: classes, name: tree.name, files: files.files), options
    )
    var finished = try pass.run(deliver)
    finished.lists?.annotationsRead += dropped
    finished.notes += notes
    return finished
  }

  /// Returns whether a table has the header of TensorFlow or VoTT.
  static func probe(_ head: TableHead) -> Probe {
    if let proposal = LabelColumnProposal(head) {
      return proposal.isCertain
        ? .match("its header has a column of images and a column with one label each")
        : .noMatch(
          "the meaning of its columns must be stated: import PATH:\(DatasetFormat.csv.rawValue) "
            + "\(proposal.options) if each image has one label")
    }
    guard let proposal = BoxTableProposal(head) else {
      return .noMatch(
        "its first lines do not look like boxes; --columns names the columns of any table")
    }
    guard proposal.isCertain else {
      return .noMatch("the meaning of its columns must be stated: \(Self.advice(proposal))")
    }
    guard !head.file.hasSuffix(ignoringCase: ".gz") else {
      return .noMatch("it holds boxes, but is packed; unpack it: \(ShellText.gunzip(head.file))")
    }
    let names =
      [BoxTableProposal.voTT, BoxTableProposal.own].first { $0 == head.firstFields }
      ?? BoxTableProposal.tensorFlow
    return .match("its header has the columns \(names.joined(separator: ", "))")
  }

  private static func refuse(
    _ images: COCOImageFolder, _ file: SourceFile
  ) throws(FormatError) {
    guard let tie = FolderTables.tie(images) else { return }
    throw .table(file.path, line: 1, problem: tie)
  }

  private static func advice(_ proposal: BoxTableProposal) -> String {
    "import PATH:\(DatasetFormat.csv.rawValue) \(proposal.options)"
  }

  package func run(
    _ tree: any SourceTree, _ options: ImportOptions, deliver: (ImportedBatch) throws -> Void
  ) throws -> FinishedImport {
    try options.refuse([.size], for: format)
    guard tree.isSingleFile, let file = try tree.files().first else {
      return try runFolder(tree, options, deliver: deliver)
    }
    let head = try TableHead.read(tree, file)
    let form = try form(head, options)
    guard try !ByteStream(tree, file).isCompressed else {
      throw FormatError.mismatch(
        name: tree.name, format: format,
        reason: "it is packed; unpack it first: \(ShellText.gunzip(file.path, suffix: ".csv"))")
    }
    guard head.lines.count > (form.hasHeader ? 1 : 0) else { throw FormatError.noRows(file.path) }
    let names = BoxTableFolder.names(head, form)
    let images = options.images ?? NoImages()
    let folder = FolderTables.images(
      ofTable: file.path, names, listed: Set(try images.files().map(\.path)))
    try Self.refuse(folder, file)
    let index = try BoxTableIndex(tree, form, images: folder)
    let source = BoxTableSource(tree, form, index, given: options.classes)
    var pass = try RegionImport(images, source, options)
    var finished = try pass.run(deliver)
    finished.lists?.annotationsRead += index.dropped
    if !folder.folder.isEmpty {
      finished.notes.append("the images were found in \(folder.folder)/")
    }
    if form.isOfLabels {
      finished.notes.append(
        "each image has the label of its row; if the column lists several, import "
          + "PATH:\(DatasetFormat.multiLabelCSV.rawValue)")
    }
    if form.label == nil {
      finished.notes.append(
        "there is no column of labels; every object has the class \(BoxTableSource.unnamed)")
    }
    if options.columns != nil, options.coordinates == nil, !form.isOfLabels {
      finished.notes.append(
        "the coordinates are read as pixels, because each of the first rows has one above 1")
    }
    if form.coordinates == .pixels, source.tally.isAllSmall {
      finished.notes.append(
        "all coordinates are from 0 to 1; if they are relative, import again with "
          + "--coordinates relative")
    }
    return finished
  }

  /// The columns of a table: those that are stated, else those of TensorFlow or VoTT.
  private func form(_ head: TableHead, _ options: ImportOptions) throws(FormatError) -> BoxTableForm
  {
    let proposal = BoxTableProposal(head)
    if let columns = options.columns {
      if let problem = columns.tableProblem {
        throw .table(head.file, line: 1, problem: "--columns: \(problem)")
      }
      let pixels = try BoxTableForm(columns, .pixels, head)
      if pixels.isOfLabels {
        if options.coordinates != nil {
          throw .unusedOption("--coordinates without a box or polygon", format: format)
        }
        return pixels
      }
      guard let coordinates = options.coordinates else {
        guard pixels.exceedsOne(head) else {
          throw .table(
            head.file, line: 1,
            problem:
              "the first rows do not show that the coordinates are pixels (each would have one above "
              + "1); add --coordinates pixels or --coordinates relative")
        }
        return pixels
      }
      return coordinates == .pixels ? pixels : try BoxTableForm(columns, coordinates, head)
    }
    let labels = LabelColumnProposal(head)
    let certain =
      proposal.flatMap { $0.isCertain ? $0.columns : nil }
      ?? labels.flatMap { $0.isCertain ? $0.columns : nil }
    guard let certain else {
      throw .table(
        head.file, line: 1,
        problem: "the meaning of the columns must be stated: "
          + (proposal.map(Self.advice) ?? labels?.options
            ?? "--columns image=…,label=…,box=…:…:…:… --coordinates pixels (or relative)"))
    }
    let columns: BoxTableColumns
    do throws(BoxTableColumns.Problem) {
      columns = try BoxTableColumns(parsing: certain)
    } catch {
      throw .table(head.file, line: 1, problem: error.description)
    }
    return try BoxTableForm(columns, options.coordinates ?? .pixels, head)
  }
}

/// A folder without files, where the images are not known.
private struct NoImages: SourceTree {
  let name = ""
  let isSingleFile = false

  func files() throws -> [SourceFile] { [] }

  func read(
    _ path: String, at offset: Int, into buffer: UnsafeMutableRawBufferPointer
  ) throws -> Int { 0 }
}
