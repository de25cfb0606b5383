package import AssayCore

/// A table of boxes or polygons, one object per row, whose columns `--columns` names; the headers of
/// TensorFlow and VoTT need no option.
///
/// The images are separate files, below the table's folder or the given one. Key and location of a
/// sample: its image's path below that folder.
package struct CSVImporter: DatasetImporter {
  package init() {}

  package var format: DatasetFormat { .csv }

  package var summary: String { "a CSV of boxes or polygons, one object per row" }

  package var recognizedBy: String {
    """
    a header with filename, width, height, class, xmin, ymin, xmax and ymax, or VoTT's image, xmin, ymin, \
    xmax, ymax, label; every other table needs \
    --columns image=…,label=…,box=…:…:…:… and --coordinates
    """
  }

  package func probe(_ tree: any SourceTree) throws -> Probe {
    guard tree.isSingleFile, let file = try tree.files().first else {
      return .noMatch("it is a folder, and a table of boxes is one file")
    }
    return Self.probe(try TableHead.read(tree, file))
  }

  /// Returns whether a table has the header of TensorFlow or VoTT.
  static func probe(_ head: TableHead) -> Probe {
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
      head.firstFields == BoxTableProposal.voTT
      ? BoxTableProposal.voTT : BoxTableProposal.tensorFlow
    return .match("its header has the columns \(names.joined(separator: ", "))")
  }

  private static func advice(_ proposal: BoxTableProposal) -> String {
    "import PATH:\(DatasetFormat.csv.rawValue) \(proposal.options)"
  }

  package func run(
    _ tree: any SourceTree, _ options: ImportOptions, deliver: (ImportedBatch) throws -> Void
  ) throws -> FinishedImport {
    guard tree.isSingleFile, let file = try tree.files().first else {
      throw FormatError.mismatch(name: tree.name, format: format, reason: "it is a folder")
    }
    try options.refuse([.size], for: format)
    let head = try TableHead.read(tree, file)
    let form = try form(head, options)
    guard try !ByteStream(tree, file).isCompressed else {
      throw FormatError.mismatch(
        name: tree.name, format: format,
        reason: "it is packed; unpack it first: \(ShellText.gunzip(file.path, suffix: ".csv"))")
    }
    guard head.lines.count > (form.hasHeader ? 1 : 0) else { throw FormatError.noRows(file.path) }
    let names = head.lines.dropFirst(form.hasHeader ? 1 : 0).compactMap { line -> String? in
      let fields = CSVFields.texts(of: line, delimiter: form.delimiter)
      return form.image < fields.count ? fields[form.image] : nil
    }
    let images = options.images ?? NoImages()
    let folder = COCOImageFolder(
      for: names, in: [""], listed: Set(try images.files().map(\.path)))
    let index = try BoxTableIndex(tree, form, images: folder)
    let source = BoxTableSource(tree, form, index, given: options.classes)
    var pass = try RegionImport(images, source, options)
    var finished = try pass.run(deliver)
    finished.lists?.annotationsRead += index.dropped
    if !folder.folder.isEmpty {
      finished.notes.append("the images were found in \(folder.folder)/")
    }
    if form.label == nil {
      finished.notes.append(
        "there is no column of labels; every object has the class \(BoxTableSource.unnamed)")
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
      guard let coordinates = options.coordinates else {
        throw .table(
          head.file, line: 1,
          problem: "--columns needs --coordinates pixels or --coordinates relative")
      }
      return try BoxTableForm(columns, coordinates, head)
    }
    guard let proposal, proposal.isCertain else {
      throw .table(
        head.file, line: 1,
        problem: "the meaning of the columns must be stated: "
          + (proposal.map(Self.advice)
            ?? "--columns image=…,label=…,box=…:…:…:… --coordinates pixels (or relative)"))
    }
    let columns: BoxTableColumns
    do throws(BoxTableColumns.Problem) {
      columns = try BoxTableColumns(parsing: proposal.columns)
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
