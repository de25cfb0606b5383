import AssayCore

/// One row of boxes, masks or labels of images.
struct OpenImagesRow: Sendable {
  /// The reason why a row is not an object.
  struct Problem: Error {
    var kind: IssueKind
    var text: String
  }

  var label: String
  /// Left, right, top, bottom, relative to the image's size; `nil` for a mask without a box.
  var corners: (left: Double, right: Double, top: Double, bottom: Double)?
  /// The name of the mask's file; `nil` for a box.
  var mask: String?
  var boxID: String?
  var isGroup = false
  /// True for a label of the whole image.
  var isTag = false
  /// True for a label that says that the class is not in the image.
  var isAbsent = false
  var attributes: [JSONValue.Member] = []
  /// The problem with a field that is not kept; `nil` for none.
  var oddity: String?

  /// The range of relative coordinates, with room for rounding.
  private static let range = -0.01...1.01
  /// The columns of 0, 1 and -1 for unknown, with their attributes.
  private static let flags = [
    ("IsOccluded", "occluded"), ("IsTruncated", "truncated"), ("IsDepiction", "IsDepiction"),
    ("IsInside", "IsInside"),
  ]

  /// Reads a row.
  ///
  /// - Throws: ``Problem``.
  init(_ line: UnsafeRawBufferPointer, _ table: OpenImagesTable) throws(Problem) {
    let fields = CSVFields(line)
    guard fields.ranges.count == table.count, !fields.isOpen, fields.junk == nil else {
      throw Problem(
        kind: .fieldCount,
        text: fields.isOpen || fields.junk != nil
          ? "a quote is not closed, or text follows it"
          : "\(Counted.text(fields.ranges.count, "field", "fields")) where the header has \(table.count)"
      )
    }
    func text(_ name: String) throws(Problem) -> String? {
      guard let column = table[name] else { return nil }
      guard let text = fields.text(column, of: line) else {
        throw Problem(kind: .badUTF8, text: "\(name) is not UTF-8")
      }
      return text
    }
    func number(_ name: String) throws(Problem) -> Double? {
      guard let column = table[name] else { return nil }
      let bytes = UnsafeRawBufferPointer(rebasing: line[fields.ranges[column]])
      // Datumaro writes masks without boxes.
      if table.kind == .masks, bytes.isEmpty { return nil }
      guard let number = DecimalNumber.parse(bytes, as: Double.self), number.isFinite else {
        throw Problem(
          kind: .badField, text: "\(name) is not a number (“\(try text(name)?.prefix(40) ?? "")”)")
      }
      return number
    }
    guard let label = try text("LabelName"), !label.isEmpty else {
      throw Problem(kind: .missingField, text: "the row has no LabelName")
    }
    self.label = label
    if table.kind == .masks {
      mask = try text("MaskPath") ?? ""
      boxID = try text("BoxID").flatMap { $0.isEmpty ? nil : $0 }
      for name in ["PredictedIoU", "Clicks"] {
        guard let value = try text(name), !value.isEmpty else { continue }
        attributes.append(
          .init(name, PlainNumber.parse(value[...]).map { .number($0) } ?? .string(value)))
      }
    }
    let prefix = table.kind == .masks ? "Box" : ""
    if let left = try number(prefix + "XMin"), let right = try number(prefix + "XMax"),
      let top = try number(prefix + "YMin"), let bottom = try number(prefix + "YMax")
    {
      if let odd = [left, right, top, bottom].first(where: { !Self.range.contains($0) }) {
        throw Problem(kind: .badShape, text: "\(odd) is no relative coordinate (0 to 1)")
      }
      corners = (left, right, top, bottom)
      if table.kind == .masks, right <= left || bottom <= top { corners = nil }
    }
    if table.kind == .labels {
      isTag = true
      let confidence = try number("Confidence") ?? 1
      isAbsent = confidence == 0
      keepSource(try text("Source"), confidence)
      return
    }
    guard table.kind == .boxes else { return }
    for (name, attribute) in Self.flags {
      guard let value = try text(name) else { continue }
      if let flag = flag(value, name) { attributes.append(.init(attribute, .bool(flag))) }
    }
    isGroup = try text("IsGroupOf").flatMap { flag($0, "IsGroupOf") } ?? false
    keepSource(try text("Source"), try number("Confidence") ?? 1)
  }

  private mutating func keepSource(_ source: String?, _ confidence: Double) {
    if let source, !source.isEmpty { attributes.append(.init("Source", .string(source))) }
    if confidence != 1 { attributes.append(.init("score", .number(confidence))) }
  }

  /// True for 1, false for 0, `nil` for -1 (unknown) and, noted, for other values.
  private mutating func flag(_ value: String, _ name: String) -> Bool? {
    switch value {
    case "1", "true", "True": return true
    case "0", "false", "False": return false
    case "-1", "": return nil
    default:
      oddity = "\(name) is “\(value.prefix(40))”, expected 0, 1 or -1"
      return nil
    }
  }

  /// Returns whether a mask was drawn in a box: the same class and the same corners up to rounding.
  func isMask(of box: OpenImagesRow) -> Bool {
    guard let a = corners, let b = box.corners, label == box.label else { return false }
    return abs(a.left - b.left) < 1e-5 && abs(a.right - b.right) < 1e-5
      && abs(a.top - b.top) < 1e-5 && abs(a.bottom - b.bottom) < 1e-5
  }

  /// The box in pixels.
  func box(in size: ImageSize) -> Box? {
    guard let corners else { return nil }
    let (width, height) = (Double(size.width), Double(size.height))
    return Box(
      x: corners.left * width, y: corners.top * height,
      width: (corners.right - corners.left) * width, height: (corners.bottom - corners.top) * height
    )
  }
}
