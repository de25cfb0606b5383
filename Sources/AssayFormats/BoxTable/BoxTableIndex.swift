import AssayCore

/// The images of a table of boxes and where their rows are; made in one pass that holds no row.
struct BoxTableIndex: Sendable {
  /// The paths of the images below their root, by number.
  private(set) var paths: [String] = []
  /// The split of each image as its first row states it; -1 for none.
  private(set) var splits: [Int16] = []
  private(set) var splitNames: [String] = []
  private(set) var segments = RowSegments()
  private(set) var issues: [Issue] = []
  /// The number of rows without an image that can be named.
  private(set) var dropped = 0
  private(set) var rows = 0

  private let form: BoxTableForm
  private var numbers: [String: Int32] = [:]
  private var limit = IssueLimit()

  /// - Parameter images: the folder of the images.
  /// - Throws: ``FormatError`` for too many rows or splits; any error that the tree throws.
  init(_ tree: any SourceTree, _ form: BoxTableForm, images: COCOImageFolder) throws {
    self.form = form
    var name: [UInt8] = []
    var image: Int32 = -1
    var isFirst = true
    var isHeader = form.hasHeader
    try LineScan.run(tree, form.file) { line in
      guard !isHeader else {
        isHeader = false
        return
      }
      rows += 1
      guard rows <= PixelTableMerge.rowLimit else {
        throw FormatError.tooManyRows(form.file, limit: PixelTableMerge.rowLimit)
      }
      let bytes =
        CSVFields.field(form.image, of: line.bytes, delimiter: form.delimiter)
        ?? UnsafeRawBufferPointer(start: nil, count: 0)
      if isFirst || !bytes.elementsEqual(name) {
        isFirst = false
        name = Array(bytes)
        image = try self.image(name, line, images)
      }
      guard image >= 0 else {
        dropped += 1
        return
      }
      guard segments.add(line, image: image, file: 0) else {
        throw FormatError.table(
          form.file, line: line.number,
          problem:
            "the rows of one image are not together in more than \(RowSegments.limit) places; "
            + "sort the file by its images")
      }
    }
    numbers = [:]
    segments.sort(images: paths.count)
    issues += limit.remainder(in: form.file)
  }

  /// The number of an image; -1, with an issue, for one that cannot be named.
  private mutating func image(
    _ name: [UInt8], _ line: LineScan.Line, _ images: COCOImageFolder
  ) throws(FormatError) -> Int32 {
    func note(_ kind: IssueKind, _ message: String) {
      guard limit.admits(kind) else { return }
      issues.append(
        Issue(kind, .error, at: IssueLocation(file: form.file, line: line.number), message))
    }
    guard !name.isEmpty else {
      note(.missingField, "the row names no image; left out")
      return -1
    }
    guard let text = String(validating: name, as: UTF8.self) else {
      note(.badUTF8, "the name of the image is not UTF-8; the rows are left out")
      return -1
    }
    let path: String
    switch Self.place(
      of: text.contains("\"\"") ? text.replacing("\"\"", with: "\"") : text, in: images)
    {
    case .path(let found, _), .repaired(let found, _, _): path = found
    case .outside:
      note(.outsideRoot, "“\(text)” is outside the image folder; the rows are left out")
      return -1
    }
    if let known = numbers[path] { return known }
    let number = Int32(paths.count)
    numbers[path] = number
    paths.append(path)
    splits.append(try split(line))
    return number
  }

  /// The names that an image can have: its own, or that with a suffix.
  static func names(of name: String) -> [String] {
    PairPath.isImageName(name) ? [name] : [name] + ImageName.candidates(name)
  }

  /// The place of an image; VoTT writes `a%201.jpg` of `a 1.jpg`, and many tables leave out the suffix. A
  /// name without one that several images have is none of them.
  static func place(of name: String, in images: COCOImageFolder) -> COCOImageFolder.Place {
    let place = images.place(of: name)
    guard case .path(_, isThere: false) = place else { return place }
    var others = names(of: name).dropFirst()[...]
    if name.contains("%") { others.append(LabelStudioName.decoded(name)) }
    let found = others.map { images.place(of: $0) }.filter {
      if case .path(_, isThere: true) = $0 { true } else { false }
    }
    return found.count == 1 ? found[0] : place
  }

  private mutating func split(_ line: LineScan.Line) throws(FormatError) -> Int16 {
    guard let column = form.split,
      let bytes = CSVFields.field(column, of: line.bytes, delimiter: form.delimiter),
      let name = String(validating: bytes, as: UTF8.self), !name.isEmpty
    else { return -1 }
    if let place = splitNames.firstIndex(of: name) { return Int16(place) }
    guard splitNames.count < PixelTableMerge.splitLimit else {
      throw .tooManySplits(form.file, limit: PixelTableMerge.splitLimit)
    }
    splitNames.append(name)
    return Int16(splitNames.count - 1)
  }
}
