import AssayCore

/// The reasons against the formats that a source looks like, for the error that refuses it: one line
/// each, the most likely one first.
enum FormatHints {
  /// The maximum number of hints.
  private static let limit = 4

  /// - Parameter reasons: the reason against each format.
  static func lines(
    for tree: any SourceTree, _ reasons: [DatasetFormat: String]
  ) -> [String] {
    guard let files = try? tree.files() else { return [] }
    guard !tree.isSingleFile else {
      return imageList(files, tree).map { [$0] } ?? table(files, tree, reasons)
    }
    var lines: [String] = []
    lines += archives(files, tree)
    if let problem = JSONFileProblem.first(in: files, of: tree) { lines.append(problem) }
    for kind in Companions.annotationKinds(of: Companions.candidates(files), in: tree) {
      guard let format = kind.format, let reason = reasons[format] else { continue }
      let line = "\(format.rawValue): \(reason)"
      if !lines.contains(line), !reason.hasSuffix(FormatDetector.isMoreSpecific) {
        lines.append(line)
      }
    }
    let whole = openImages(files, tree).union(
      files.lazy.filter {
        $0.path.hasSuffix(ignoringCase: ".csv")
          && Companions.kind(of: $0, in: tree) == .labelStudioTable
      }.prefix(opened).map(\.path))
    let tables = SourceContent.tables(of: files).filter { !whole.contains($0) }
    if !tables.isEmpty {
      let proposals = proposals(files.filter { !whole.contains($0.path) }, tree)
      lines = Array(lines.prefix(limit - 1 - proposals.count)) + proposals
      lines.append(
        "to import a CSV file, name it: \(tables.prefix(8).joined(separator: ", "))")
    }
    return Array(lines.prefix(limit))
  }

  /// The commands for a text each line of which is the path of an image; `nil` for another file.
  private static func imageList(_ files: [SourceFile], _ tree: any SourceTree) -> String? {
    guard let file = files.first, let head = try? TableHead.read(tree, file),
      head.lines.allSatisfy({
        PairPath.isImageName(String(decoding: $0, as: UTF8.self).trimmingBlanks)
      })
    else { return nil }
    return
      "each line is the path of an image: \(tree.name):\(DatasetFormat.frames.rawValue) imports them in this "
      + "order as the frames of a film; a folder of images is imported by its own path"
  }

  /// The tables of Open Images, which are imported as one folder.
  private static func openImages(_ files: [SourceFile], _ tree: any SourceTree) -> Set<String> {
    let (tables, others) = OpenImagesTable.find(files, in: tree)
    guard !tables.isEmpty else { return [] }
    let lists = (try? OpenImagesClasses(files, others, in: tree))?.files ?? []
    return lists.union(tables.map(\.file.path))
  }

  /// The commands for tables whose columns have a likely meaning.
  private static func proposals(_ files: [SourceFile], _ tree: any SourceTree) -> [String] {
    let tables = files.filter {
      $0.path.hasSuffix(ignoringCase: ".csv") && FileNameKind($0.path) != .harmless
    }.prefix(opened)
    let lines = tables.lazy.compactMap { file -> String? in
      guard let head = try? TableHead.read(tree, file) else { return nil }
      let command = "assay import \(ShellText.below(file.path)):\(DatasetFormat.csv.rawValue) "
      if let labels = LabelColumnProposal(head) {
        return "\(file.path): if each image has one label, \(command)\(labels.options)"
      }
      if let tags = tags(head) {
        return
          "\(file.path): if its column \(tags) lists labels with blanks between them, assay import "
          + "\(ShellText.below(file.path)):\(DatasetFormat.multiLabelCSV.rawValue) --label-separator space "
          + "--images DIR"
      }
      return BoxTableProposal(head).map { "\(file.path): \(command)\($0.options)" }
    }
    return Array(lines.prefix(2))
  }

  /// The column of a table that lists several labels with blanks between them; `nil` for none.
  private static func tags(_ head: TableHead) -> String? {
    let fields = head.firstFields
    let rows = head.lines.dropFirst().map { CSVFields.texts(of: $0) }.filter {
      $0.count == fields.count
    }
    return fields.indices.first {
      LabelColumnProposal.isTags(fields[$0].lowercased(), rows, $0)
    }.map { fields[$0] }
  }

  /// The archives of a folder that has no images, which are sources of their own.
  private static func archives(_ files: [SourceFile], _ tree: any SourceTree) -> [String] {
    guard !files.contains(where: { FileNameKind($0.path) == .image }) else { return [] }
    let found = files.lazy.filter { FileNameKind($0.path) == .unknown }.prefix(opened)
      .compactMap { file -> (path: String, kind: ArchiveKind)? in
        guard let kind = try? ArchiveKind.detect(tree, file.path) else { return nil }
        return (file.path, kind)
      }
    var readable: [String] = []
    for (path, kind) in found {
      switch kind {
      case .zip, .tar, .gzippedTar: readable.append(path)
      case .packed(let packing):
        return ["\(ArchiveError.packed(path, packing))".replacing("\n", with: "; ")]
      }
    }
    guard let first = readable.first else { return [] }
    let command = "assay import \(ShellText.below(first))"
    return [
      readable.count == 1
        ? "\(first) is an archive, which is read in place; import it: \(command)"
        : "it has \(readable.count) archives, which are read in place; import them one at a time "
          + "(\(command)), or unpack them into one folder"
    ]
  }

  /// The maximum number of files that are opened to find archives.
  private static let opened = 64

  /// The reasons against the formats of tables; that of a table of boxes alone if it is one.
  private static func table(
    _ files: [SourceFile], _ tree: any SourceTree, _ reasons: [DatasetFormat: String]
  ) -> [String] {
    let formats: [DatasetFormat] =
      files.first.flatMap { try? TableHead.read(tree, $0) }.flatMap { BoxTableProposal($0) } == nil
      ? [.fer, .pixelCSV, .multiLabelCSV, .csv] : [.csv]
    // A table of a format of folders is not imported alone.
    let folder = files.first.flatMap { Companions.kind(of: $0, in: tree) }?.format
    return ([folder].compactMap(\.self) + formats).compactMap { format in
      reasons[format].map { "\(format.rawValue): \($0)" }
    }
  }
}

/// A JSON file that no format can read, because of its encoding or its syntax.
enum JSONFileProblem {
  /// The number of files that are looked at, and of bytes of each.
  private static let opened = 64
  private static let headBytes = 1 << 16

  /// The problem of the first such file, one clause; `nil` if there is none.
  static func first(in files: [SourceFile], of tree: any SourceTree) -> String? {
    files.lazy.filter { JSONImageFiles.isNamed($0.path) }.prefix(opened)
      .compactMap { problem(of: $0, in: tree) }.first
  }

  private static func problem(of file: SourceFile, in tree: any SourceTree) -> String? {
    var head = [UInt8](repeating: 0, count: headBytes)
    guard let count = try? SourceContent.readHead(tree, file.path, into: &head) else { return nil }
    head.removeLast(headBytes - count)
    if let encoding = TextEncoding(head) {
      return "\(file.path) is text in \(encoding.rawValue); \(encoding.advice(file.path))"
    }
    guard head.contains(where: { $0 > 0x20 }),
      let outline = try? JSONOutline(head: head, takesList: true), let problem = outline.problem,
      !problem.isTruncation || count < headBytes
    else { return nil }
    return
      "\(file.path): broken JSON at byte \(problem.offset): \(problem.text); fetch or write the file "
      + "again"
  }
}

/// An encoding of text that is not read.
enum TextEncoding: String {
  case utf16 = "UTF-16"
  case utf16LittleEndian = "UTF-16LE"
  case utf16BigEndian = "UTF-16BE"

  /// - Returns: `nil` for text in UTF-8, and for anything that is no text.
  init?(_ head: [UInt8]) {
    if head.starts(with: [0xFF, 0xFE]) || head.starts(with: [0xFE, 0xFF]) {
      self = .utf16
      return
    }
    // JSON and XML begin with an ASCII character.
    let starts = Array("{[<\" \n\r\t".utf8)
    guard head.count >= 4 else { return nil }
    if starts.contains(head[0]), head[1] == 0, head[2] != 0, head[3] == 0 {
      self = .utf16LittleEndian
    } else if head[0] == 0, starts.contains(head[1]), head[2] == 0, head[3] != 0 {
      self = .utf16BigEndian
    } else {
      return nil
    }
  }

  /// The command that makes a file that is read.
  func advice(_ path: String) -> String {
    let name = path.split(separator: "/").last.map(String.init) ?? path
    return "convert it to UTF-8: iconv -f \(rawValue) -t UTF-8 \(ShellText.quoted(name)) > "
      + ShellText.quoted("utf8-" + name)
  }
}
