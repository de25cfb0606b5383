import AssayCore

/// Compares the boxes of the first images with the sizes of the images: `x, y, width, height` and
/// corners can only be told apart where one of them does not fit.
struct ParquetBoxCheck {
  private var evidence = BoxFormEvidence()

  /// The number of images that are looked at, in up to as many files.
  private static let imageLimit = 128
  private static let fileLimit = 8

  /// - Throws: ``ParquetError``; any error that the tree throws.
  init(_ layout: ParquetLayout, _ objects: ParquetColumns.Objects, in tree: ParquetTree) throws {
    let column = objects.parent ?? objects.box
    let files = layout.files.prefix(Self.fileLimit)
    for file in files {
      guard let node = file.table.schema.node(at: objects.path(objects.box)),
        let top = file.table.schema.columns.first(where: { $0.name == column })
      else { continue }
      let records = ParquetRecords(file.table, [Self.only(node.name, of: top)])
      for row in 0..<min(file.table.footer.rows, Self.imageLimit / files.count) {
        guard let value = try records.values(ofRow: row).first else { continue }
        let path = file.image.location(file.table, row: row)
        let source = SourceFile(path: path, size: file.table.size, modified: file.table.modified)
        guard case .success(let size) = ImageProbe(tree, source).size else { continue }
        add(objects.parent == nil ? .object([.init(objects.box, value)]) : value, objects, size)
      }
    }
  }

  /// A column with one of its members.
  private static func only(_ member: String, of node: ParquetSchema.Node) -> ParquetSchema.Node {
    var node = node
    switch node.content {
    case .group(let members): node.content = .group(members.filter { $0.name == member })
    case .list(let repetition, let definition, let element) where !element.innerMembers.isEmpty:
      node.content = .list(
        repetition: repetition, definition: definition, only(member, of: element))
    case .list, .leaf: break
    }
    return node
  }

  private mutating func add(
    _ value: JSONValue, _ objects: ParquetColumns.Objects, _ size: ImageSize
  ) {
    let fields = HFObjects.Fields(box: [objects.box], category: [])
    guard let list = try? HFObjects(value, fields) else { return }
    evidence.add(list, in: size)
  }

  /// The assumption, one sentence without a period, if the boxes do not show it.
  ///
  /// - Throws: ``ParquetProblem`` if only another reading fits.
  func note(_ objects: ParquetColumns.Objects, image: String) throws -> String? {
    let (boxes, fittingSized, fittingCorners) =
      (evidence.boxes, evidence.fittingSized, evidence.fittingCorners)
    guard boxes > 0 else { return nil }
    let path = objects.path(objects.box)
    func option(_ key: String) -> String {
      "--columns image=\(image)"
        + (objects.category.map { ",label=" + objects.path($0) } ?? "") + ",\(key)=\(path)"
    }
    guard !evidence.isRelative else {
      throw ParquetProblem(
        "all numbers of “\(path)” in the first images are from 0 to 1, so that they are probably "
          + "relative to the size of the image; state it: \(option("boxwh")) for x, y, width, height, or "
          + "\(option("box")) for corners, with --coordinates relative (or pixels)")
    }
    if fittingSized < boxes, fittingCorners == boxes {
      throw ParquetProblem(
        "\(boxes - fittingSized) of \(boxes) boxes of “\(path)” leave their image as x, y, width, "
          + "height, and all fit as corners; state it: \(option("box")) --coordinates pixels for corners, "
          + "or \(option("boxwh")) --coordinates pixels")
    }
    if fittingSized == boxes, fittingCorners < boxes { return nil }
    return "“\(path)” is read as x, y, width, height in pixels, as in COCO"
      + (fittingSized == boxes
        ? "; the first \(boxes) boxes also fit as corners, which \(option("box")) --coordinates pixels "
          + "reads"
        : "; \(boxes - fittingSized) of the first \(boxes) boxes leave their image")
  }
}
