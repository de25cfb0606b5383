import AssayCore
import AssayImaging

/// The images of an Open Images dataset with their boxes, masks and labels, for ``RegionImport``.
struct OpenImagesSource: RegionSource {
  let name: String
  /// The numbers of the images.
  let items: [Int32]
  let classes: [Category]
  let issues: [Issue]

  private let tree: any SourceTree
  private let files: OpenImagesFiles
  private let index: OpenImagesIndex
  private let meanings: OpenImagesClasses

  private static let maskLimit = 64 << 20

  init(
    _ tree: any SourceTree, _ files: OpenImagesFiles, _ index: OpenImagesIndex,
    _ classes: OpenImagesClasses
  ) {
    name = tree.name
    items = files.images.indices.map { Int32($0) }
    self.classes = classes.declared
    issues = classes.issues + index.issues
    self.tree = tree
    self.files = files
    self.index = index
    meanings = classes
  }

  func path(of item: Int32) -> String { files.path(item) }

  func split(of item: Int32) -> String? {
    let split = index.splits[Int(item)]
    return split < 0 ? nil : index.splitNames[Int(split)]
  }

  /// A row with its place.
  private struct Placed {
    var row: OpenImagesRow
    var location: IssueLocation
    /// The row of the mask that was drawn in this box.
    var mask: Int?
    /// True if the row is a mask that was drawn in the box of another row.
    var isUsed = false
  }

  func read(_ item: Int32, image: ImageProbe?) -> LabeledImage {
    var result = LabeledImage()
    let key = path(of: item)
    var rows: [Placed] = []
    var seen: Set<[UInt8]> = []
    for segment in index.segments.of(item) {
      let table = index.tables[Int(segment.file)]
      do {
        try RowSegments.read(segment, of: table.file.path, in: tree) { line, number in
          let location = IssueLocation(file: table.file.path, line: number)
          func note(_ kind: IssueKind, _ severity: Issue.Severity, _ message: String) {
            result.issues.append(Issue(kind, severity, at: location, sampleKey: key, message))
          }
          result.annotationsRead += 1
          guard seen.insert(Array(line)).inserted else {
            note(.duplicateID, .warning, "the row repeats another one of the image; counted once")
            return
          }
          do throws(OpenImagesRow.Problem) {
            let row = try OpenImagesRow(line, table)
            if let oddity = row.oddity { note(.badField, .warning, "\(oddity); not kept") }
            rows.append(Placed(row: row, location: location))
          } catch {
            note(error.kind, .error, "\(error.text); left out")
          }
        }
      } catch {
        result.isRejected = true
        result.issues.append(
          Issue(
            .unsupportedFile, .error, at: IssueLocation(file: table.file.path), sampleKey: key,
            "\(error); the image is left out"))
      }
    }
    // Another problem with the image is reported by the import.
    guard case .success(let size)? = image?.size, !result.isRejected else {
      result.isRejected = true
      return result
    }
    if image?.orientation != .up, rows.contains(where: { !$0.row.isTag }) {
      result.issues.append(
        Issue(
          .imageSize, .warning, at: IssueLocation(file: key), sampleKey: key,
          "the image's EXIF orientation rotates it, and the rows are probably for the unrotated image; "
            + "kept as they are"))
    }
    Self.pair(&rows)
    var absent: [String] = []
    for place in rows.indices where !rows[place].isUsed {
      guard rows[place].row.isAbsent else {
        add(place, rows, size, key, &result)
        continue
      }
      let label = rows[place].row.label
      absent.append(meanings.category(label)?.name ?? label)
    }
    if !absent.isEmpty {
      result.attributes.append(.init("absentLabels", .array(absent.map { .string($0) })))
    }
    // A mask and its box are one object; a class that is not there is no annotation.
    result.annotationsRead -= rows.count { $0.isUsed || $0.row.isAbsent }
    return result
  }

  /// Assigns each mask to the box in which it was drawn.
  private static func pair(_ rows: inout [Placed]) {
    guard rows.contains(where: { $0.row.mask != nil }) else { return }
    var boxes: [String: [Int]] = [:]
    for place in rows.indices where rows[place].row.mask == nil && !rows[place].row.isTag {
      boxes[rows[place].row.label, default: []].append(place)
    }
    for place in rows.indices where rows[place].row.mask != nil {
      let found = boxes[rows[place].row.label]?.first { box in
        rows[box].mask == nil && rows[place].row.isMask(of: rows[box].row)
      }
      guard let found else { continue }
      rows[found].mask = place
      rows[place].isUsed = true
    }
  }

  /// The class of a row.
  private func category(
    of placed: Placed, _ key: String, _ image: inout LabeledImage
  ) -> Category {
    if let known = meanings.category(placed.row.label) { return known }
    if !meanings.isOpen {
      image.issues.append(
        Issue(
          .unknownLabel, .warning, at: placed.location, sampleKey: key,
          "no list of classes names \(placed.row.label); the id is its name"))
    }
    return Category(name: placed.row.label, sourceID: .text(placed.row.label))
  }

  private func add(
    _ place: Int, _ rows: [Placed], _ size: ImageSize, _ key: String, _ image: inout LabeledImage
  ) {
    let placed = rows[place]
    let drawn = placed.row.mask == nil ? placed.mask.map { rows[$0] } : placed
    func note(_ kind: IssueKind, _ severity: Issue.Severity, _ message: String, at: IssueLocation) {
      image.issues.append(Issue(kind, severity, at: at, sampleKey: key, message))
    }
    let category = category(of: placed, key, &image)
    let box = placed.row.box(in: size)
    var shape: LabeledRegion.Shape?
    if let drawn {
      do throws(MaskProblem) {
        shape = .mask(try mask(drawn.row.mask ?? "", size))
      } catch {
        note(
          error.kind, box == nil ? .error : .warning,
          error.message + (box == nil ? "; left out" : "; its box is kept"), at: drawn.location)
      }
    }
    if placed.row.isTag { shape = .tag }
    guard let shape = shape ?? box.map({ .box($0) }) else {
      if drawn == nil {
        note(
          .badShape, .error, "the row has neither a box nor a mask; left out", at: placed.location)
      }
      return
    }
    var region = LabeledRegion(
      category: category, shape: shape, box: drawn == nil ? nil : box, at: placed.location,
      title: "“\(category.name)”")
    region.isCrowd = placed.row.isGroup
    region.attributes = placed.row.attributes
    if let drawn, placed.row.mask == nil { region.attributes += drawn.row.attributes }
    region.sourceID = (drawn?.row.boxID).map { .text($0) }
    image.regions.append(region)
  }

  /// A mask of the image's size; masks of other sizes are scaled to the nearest pixel, as OpenCV does.
  private func mask(_ name: String, _ size: ImageSize) throws(MaskProblem) -> Mask {
    guard let path = files.mask(name) else {
      throw MaskProblem(.unpairedMask, at: name, "the mask \(name) is not there")
    }
    let raster: Raster<UInt8>
    do {
      raster = try ImageCodec.decode(try tree.readAll(path, limit: Self.maskLimit), as: .gray8)
    } catch {
      throw MaskProblem(.unreadableImage, at: path, "\(path): \(error)")
    }
    let mask = Mask(Self.scaled(raster, to: size))
    guard !mask.isEmpty else {
      throw MaskProblem(.badShape, at: path, "the mask \(path) is empty")
    }
    return mask
  }

  private static func scaled(_ raster: Raster<UInt8>, to size: ImageSize) -> Raster<UInt8> {
    guard raster.width != size.width || raster.height != size.height else { return raster }
    var scaled = Raster<UInt8>(repeating: 0, width: size.width, height: size.height)
    let columns = (0..<size.width).map { min(raster.width - 1, $0 * raster.width / size.width) }
    for y in 0..<size.height {
      let row = min(raster.height - 1, y * raster.height / size.height) * raster.width
      for x in 0..<size.width {
        scaled.elements[y * size.width + x] = raster.elements[row + columns[x]]
      }
    }
    return scaled
  }
}
