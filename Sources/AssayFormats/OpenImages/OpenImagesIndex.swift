import AssayCore

/// The places of the rows of each image, and what the tables say about images; made in one pass over
/// each table, which holds no row.
struct OpenImagesIndex: Sendable {
  /// The tables of boxes, masks and labels of images; the file of a segment is a place in this list.
  let tables: [OpenImagesTable]
  private(set) var segments = RowSegments()
  /// The number of each image's split; -1 for none.
  private(set) var splits: [Int16]
  private(set) var splitNames: [String] = []
  private(set) var issues: [Issue] = []
  /// The number of annotations of missing images, which are not kept.
  private(set) var dropped = 0

  /// A run of rows of one image.
  private struct Run {
    var name: [UInt8] = []
    var image: Int32 = -1
  }

  /// - Throws: ``FormatError/table(_:line:problem:)`` for rows that are too scattered or too long; any
  ///   error that the tree throws.
  init(
    _ tables: [OpenImagesTable], _ files: OpenImagesFiles, in tree: any SourceTree
  ) throws {
    self.tables =
      tables.filter { $0.kind == .boxes || $0.kind == .masks }
      + tables.filter { $0.kind == .labels }
    splits = Array(repeating: -1, count: files.images.count)
    for table in tables where table.kind == .images { try readImages(table, files, tree) }
    for (number, table) in self.tables.enumerated() {
      try readRows(table, Int32(number), files, tree)
    }
    for table in tables {
      guard case .other(let name) = table.kind else { continue }
      note(.unsupportedField, table, nil, "the file holds \(name), which are not read")
    }
    if let (count, first) = files.repeated {
      issues.append(
        Issue(
          .duplicateID, .warning, at: IssueLocation(file: first),
          "\(count) \(count == 1 ? "image has" : "images have") the name of another image; rows belong "
            + "to the one in a folder of the table's split, else to the first"))
    }
    segments.sort(images: files.images.count)
    for image in splits.indices where splits[image] < 0 {
      splits[image] = split(ofFolder: files.path(Int32(image)), Int32(image))
    }
  }

  private mutating func note(
    _ kind: IssueKind, _ table: OpenImagesTable, _ line: Int?, _ message: String
  ) {
    issues.append(
      Issue(kind, .warning, at: IssueLocation(file: table.file.path, line: line), message))
  }

  private mutating func number(of split: String) -> Int16 {
    if let place = splitNames.firstIndex(of: split) { return Int16(place) }
    guard splitNames.count < PixelTableMerge.splitLimit else { return -1 }
    splitNames.append(split)
    return Int16(splitNames.count - 1)
  }

  /// The split of an image that no list of images names: its folder, else the name of its table.
  private mutating func split(ofFolder path: String, _ image: Int32) -> Int16 {
    if let folder = MaskPairing.split(of: path) { return number(of: folder) }
    guard let segment = segments.of(image).first, let name = tables[Int(segment.file)].split else {
      return -1
    }
    return number(of: name)
  }

  // MARK: Rows

  /// Goes through the rows of a table.
  ///
  /// - Parameter body: receives the line, the image (-1 if it is not there), and true for the first
  ///   of several rows of one image.
  private func scan(
    _ table: OpenImagesTable, _ files: OpenImagesFiles, _ tree: any SourceTree,
    _ body: (LineScan.Line, Int32, Bool) throws -> Void
  ) throws {
    guard let column = table["ImageID"] else { return }
    var run = Run()
    var isHeader = true
    try LineScan.run(tree, table.file.path) { line in
      guard !isHeader else {
        isHeader = false
        return
      }
      let name =
        CSVFields.field(column, of: line.bytes) ?? UnsafeRawBufferPointer(start: nil, count: 0)
      let isNew = !name.elementsEqual(run.name)
      if isNew {
        run.name = Array(name)
        run.image = name.isEmpty ? -1 : files.image(named: name, split: table.split)
      }
      try body(line, run.image, isNew)
    }
  }

  private mutating func readRows(
    _ table: OpenImagesTable, _ number: Int32, _ files: OpenImagesFiles, _ tree: any SourceTree
  ) throws {
    var lost = (rows: 0, images: 0, first: 0)
    try scan(table, files, tree) { line, image, isNew in
      guard image >= 0 else {
        if lost.rows == 0 { lost.first = line.number }
        lost.rows += 1
        if isNew { lost.images += 1 }
        return
      }
      guard segments.add(line, image: image, file: number) else {
        throw FormatError.table(
          table.file.path, line: line.number,
          problem:
            "the rows of one image are not together in more than \(RowSegments.limit) places; "
            + "sort the file by its column ImageID")
      }
    }
    if lost.rows > 0 {
      dropped += lost.rows
      issues.append(
        Issue(
          .missingImage, .error, at: IssueLocation(file: table.file.path, line: lost.first),
          "\(lost.rows) \(lost.rows == 1 ? "row is" : "rows are") for images that are not there "
            + "(\(lost.images)); left out"
            + (table.kind == .labels ? "" : ", because coordinates are relative to an image's size")
        ))
    }
    let ignored = table.ignored
    if !ignored.isEmpty {
      note(
        .unsupportedField, table, 1,
        "columns that are not kept: \(ignored.prefix(12).joined(separator: ", "))")
    }
  }

  // MARK: Images

  /// Reads the subsets and rotations of images.
  private mutating func readImages(
    _ table: OpenImagesTable, _ files: OpenImagesFiles, _ tree: any SourceTree
  ) throws {
    var turned = (count: 0, first: 0)
    var repeated = (count: 0, first: 0)
    try scan(table, files, tree) { line, image, _ in
      guard image >= 0 else { return }
      let fields = CSVFields(line.bytes)
      func text(_ name: String) -> String? {
        table[name].flatMap { $0 < fields.ranges.count ? fields.text($0, of: line.bytes) : nil }
      }
      if let subset = text("Subset") ?? (table["Subset"] == nil ? table.split : nil),
        !subset.isEmpty
      {
        let split = number(of: subset)
        if splits[Int(image)] >= 0, splits[Int(image)] != split {
          if repeated.count == 0 { repeated.first = line.number }
          repeated.count += 1
        } else {
          splits[Int(image)] = split
        }
      }
      if let rotation = text("Rotation").flatMap(Double.init), rotation.isFinite, rotation != 0 {
        if turned.count == 0 { turned.first = line.number }
        turned.count += 1
      }
    }
    if repeated.count > 0 {
      note(
        .duplicateID, table, repeated.first,
        "\(repeated.count) \(repeated.count == 1 ? "image is" : "images are") listed before with "
          + "another subset; the first counts")
    }
    if turned.count > 0 {
      note(
        .unsupportedField, table, turned.first,
        "\(turned.count) \(turned.count == 1 ? "image has" : "images have") a Rotation other than 0: "
          + "boxes and masks fit the image as it is stored, and neither is rotated")
    }
  }
}
