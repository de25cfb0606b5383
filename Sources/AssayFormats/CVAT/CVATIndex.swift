import AssayCore

/// The places of images and shapes in one CVAT file, so that each image can be read alone.
struct CVATIndex: Sendable {
  /// A part of the file: an element with its content.
  struct Slice: Sendable {
    var offset: Int
    var length: Int
    /// The 1-based line of its start tag.
    var line: Int
    /// The track of a shape; -1 for an image.
    var track: Int32 = -1
    /// The point of a skeleton that a track inside a track describes; -1 for others.
    var point: Int32 = -1
  }

  /// An image.
  struct Image: Sendable {
    var name: String
    var id: String
    var subset: String?
    var task: String?
    var slice: Slice
  }

  /// A shape of a track on a frame.
  struct Shape: Sendable {
    var frame: Int
    var slice: Slice
  }

  /// An object of a video.
  struct Track: Sendable {
    var id: String
    var label: String
    var subset: String?
    /// The other attributes of the element.
    var attributes: [XMLAttribute]
  }

  /// The path of the file.
  let file: String
  private(set) var meta = CVATMeta()
  private(set) var images: [Image] = []
  /// Shapes that are not outside of their frame, in file order.
  private(set) var shapes: [Shape] = []
  /// The tracks and frames of shapes that are outside of their frame, without points of skeletons.
  private(set) var outsides: [(track: Int32, frame: Int)] = []
  private(set) var tracks: [Track] = []
  /// The names of the points of skeletons in tracks.
  private(set) var points: [String] = []
  private(set) var issues: [Issue] = []
  /// The number of shapes without a usable frame, which are left out.
  private(set) var lost = 0
  /// The encoding of parts of the file; `nil` for UTF-8.
  private(set) var encoding: String?

  private static let chunk = 4 << 20
  private static let shapeLimit = 50_000_000
  private static let metaLimit = 1_000_000

  /// Reads a file in parts; memory grows with the number of images and shapes of tracks, not with
  /// their content.
  ///
  /// - Parameter isMetaOnly: whether to stop after the description.
  /// - Throws: ``FormatError`` if the file is not well-formed or is beyond a limit; any error that
  ///   the tree throws.
  init(_ tree: any SourceTree, _ file: String, isMetaOnly: Bool = false) throws {
    self.file = file
    var scan = Scan()
    var offset = 0
    do {
      let reader = try XMLReader()
      var isFirst = true
      while true {
        let bytes = try [UInt8](unsafeUninitializedCapacity: Self.chunk) { buffer, count in
          count = try tree.read(file, at: offset, into: UnsafeMutableRawBufferPointer(buffer))
        }
        if isFirst { encoding = Self.wide(bytes) }
        isFirst = false
        offset += bytes.count
        try reader.parse(bytes, isLast: bytes.isEmpty)
        for event in reader.takeEvents() { try add(event, &scan) }
        if bytes.isEmpty || (isMetaOnly && scan.hasMeta) { break }
      }
      if encoding == nil, let declared = reader.encoding?.uppercased(), declared != "UTF-8" {
        encoding = declared
      }
    } catch let problem as XMLProblem {
      throw FormatError.table(file, line: problem.line, problem: problem.text)
    }
  }

  /// The encoding of a document that starts with a byte order mark of UTF-16.
  private static func wide(_ bytes: [UInt8]) -> String? {
    if bytes.starts(with: [0xFF, 0xFE]) { return "UTF-16LE" }
    return bytes.starts(with: [0xFE, 0xFF]) ? "UTF-16BE" : nil
  }

  // MARK: Events

  /// The state between events.
  private struct Scan {
    /// The names of the open elements.
    var open: [String] = []
    var meta: XMLTree?
    var hasMeta = false
    var image: Image?
    /// The shape that is open, and whether it is left out.
    var shape: Shape?
    var isOutside = false
    /// The indices of the open track and of the point that an inner track describes.
    var track: Int32 = -1
    var point: Int32 = -1
    var pointPlaces: [String: Int32] = [:]
  }

  /// The elements of tracks that are no shapes.
  private static let inner: Set<String> = ["track", "attribute"]

  private mutating func add(_ event: XMLReader.Event, _ scan: inout Scan) throws {
    switch event {
    case .start(let name, let attributes, let line, let offset):
      scan.open.append(name)
      try start(name, attributes, line, offset, &scan)
      if scan.meta != nil { _ = try scan.meta?.add(event) }
    case .text:
      if scan.meta != nil { _ = try scan.meta?.add(event) }
    case .end(_, let offset):
      if let element = try scan.meta?.add(event) {
        meta = CVATMeta(element)
        scan.meta = nil
        scan.hasMeta = true
      }
      let depth = scan.open.count
      let name = scan.open.popLast() ?? ""
      if depth == 2, name == "image", var image = scan.image {
        image.slice.length = max(0, offset - image.slice.offset)
        images.append(image)
        scan.image = nil
      } else if depth == 2, name == "track" {
        scan.track = -1
      } else if depth == 3, name == "track" {
        scan.point = -1
      }
      guard var shape = scan.shape, depth == (scan.point >= 0 ? 4 : 3), !Self.inner.contains(name)
      else { return }
      shape.slice.length = max(0, offset - shape.slice.offset)
      if !scan.isOutside {
        shapes.append(shape)
      } else if shape.slice.point < 0 {
        outsides.append((shape.slice.track, shape.frame))
      }
      scan.shape = nil
    }
  }

  private mutating func start(
    _ name: String, _ attributes: [XMLAttribute], _ line: Int, _ offset: Int, _ scan: inout Scan
  ) throws {
    func value(_ key: String) -> String? { attributes.first { $0.name == key }?.value }
    func trimmed(_ key: String) -> String? {
      value(key).map(\.trimmingBlanks).flatMap { $0.isEmpty ? nil : $0 }
    }
    let depth = scan.open.count
    let slice = Slice(offset: offset, length: 0, line: line)
    switch (depth, name) {
    case (1, _):
      guard name == "annotations" else {
        throw XMLProblem(line: line, text: "the root is '\(name)', expected annotations")
      }
    case (2, "meta"): scan.meta = XMLTree(limit: Self.metaLimit)
    case (2, "image"):
      scan.image = Image(
        name: value("name") ?? "", id: value("id") ?? "", subset: trimmed("subset"),
        task: trimmed("task_id"), slice: slice)
    case (2, "track"):
      scan.track = Int32(clamping: tracks.count)
      let rest = attributes.filter { !["id", "label", "subset"].contains($0.name) }
      tracks.append(
        Track(
          id: value("id") ?? "", label: value("label") ?? "", subset: trimmed("subset"),
          attributes: rest))
    case (3, "track") where scan.track >= 0:
      let label = value("label") ?? ""
      if let place = scan.pointPlaces[label] {
        scan.point = place
      } else {
        scan.point = Int32(clamping: points.count)
        scan.pointPlaces[label] = scan.point
        points.append(label)
      }
    default:
      let isShape = scan.track >= 0 && depth == (scan.point >= 0 ? 4 : 3)
      guard isShape, !Self.inner.contains(name) else { return }
      guard shapes.count < Self.shapeLimit else {
        throw XMLProblem(line: line, text: "more than \(Self.shapeLimit) shapes of tracks")
      }
      let frame = value("frame").flatMap { Int($0) }
      scan.isOutside = value("outside") == "1"
      if frame == nil || frame.map({ $0 < 0 || $0 > 1 << 40 }) == true {
        if !scan.isOutside {
          lost += 1
          issues.append(
            Issue(
              .badField, .error, at: IssueLocation(file: file, line: line),
              "the frame of the \(name) is \(value("frame").map { "'\($0)'" } ?? "missing"), expected "
                + "a number; left out"))
        }
        scan.isOutside = true
      }
      var shape = Shape(frame: frame ?? 0, slice: slice)
      shape.slice.track = scan.track
      shape.slice.point = scan.point
      scan.shape = shape
    }
  }
}
