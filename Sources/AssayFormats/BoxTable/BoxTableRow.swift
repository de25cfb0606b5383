import AssayCore

/// One row of a table of boxes.
struct BoxTableRow: Sendable {
  /// The reason why a row is not an object.
  struct Problem: Error {
    var kind: IssueKind
    var text: String
  }

  /// `nil` if the table has no column of labels.
  var label: String?
  /// The four numbers of a box: left, top, and right and bottom or width and height.
  var box: [Double]?
  var polygon: [Double]?
  var split: String?
  var size: ImageSize?
  var attributes: [JSONValue.Member] = []

  private static let range = -0.01...1.01

  /// Reads a row; `nil` for one without an object: its label, box and polygon are empty.
  ///
  /// - Throws: ``Problem``.
  init?(_ line: UnsafeRawBufferPointer, _ form: BoxTableForm) throws(Problem) {
    let fields = CSVFields(line, delimiter: form.delimiter)
    guard fields.ranges.count == form.count, !fields.isOpen, fields.junk == nil else {
      throw Problem(
        kind: .fieldCount,
        text: fields.isOpen || fields.junk != nil
          ? "a quote is not closed, or text follows it"
          : "\(Counted.text(fields.ranges.count, "field", "fields")) where the first line has \(form.count)"
      )
    }
    func text(_ column: Int) throws(Problem) -> String {
      guard let text = fields.text(column, of: line) else {
        throw Problem(kind: .badUTF8, text: "field \(column + 1) is not UTF-8")
      }
      return text
    }
    func number(_ column: Int, _ name: String) throws(Problem) -> Double? {
      let text = try text(column)
      guard !text.isEmpty else { return nil }
      guard let number = PlainNumber.parse(text[...]) else {
        throw Problem(kind: .badField, text: "\(name) is “\(text.prefix(40))”, no number")
      }
      return number
    }
    if let column = form.size, let width = try number(column.width, "the width"),
      let height = try number(column.height, "the height")
    {
      guard let columns = Int(exactly: width), let rows = Int(exactly: height),
        let found = ImageSize.checked(width: columns, height: rows)
      else {
        throw Problem(kind: .badField, text: "the image's size is \(width)×\(height)")
      }
      size = found
    }
    if let column = form.split {
      let name = try text(column)
      if !name.isEmpty { split = name }
    }
    let name = try form.label.map { column throws(Problem) in try text(column) }
    try readBox(form, text)
    if let column = form.polygon {
      let points = try text(column)
      if !points.isEmpty {
        guard let numbers = PlainNumber.list(points) else {
          throw Problem(kind: .badField, text: "the polygon has something that is no number")
        }
        try Self.check(numbers, form)
        polygon = numbers
      }
    }
    if let box, let polygon, form.coordinates == .pixels,
      Self.seemsRelative(box) != Self.seemsRelative(polygon)
    {
      throw Problem(
        kind: .badShape,
        text: Self.seemsRelative(box)
          ? "the box seems relative (0 to 1), and the polygon has pixels"
          : "the polygon seems relative (0 to 1), and the box has pixels")
    }
    if box == nil, polygon == nil, !form.isOfLabels || name?.isEmpty ?? true {
      if name?.isEmpty ?? true { return nil }
      throw Problem(kind: .missingField, text: "the row has a label and no box or polygon")
    }
    guard name != "" else { throw Problem(kind: .missingLabel, text: "the row has no label") }
    label = name
    if let column = form.score, let score = try number(column, "the score") {
      attributes.append(.init("score", .number(score)))
    }
    for (column, name) in form.attributes {
      let value = try text(column)
      guard !value.isEmpty, !attributes.contains(where: { $0.name == name }) else { continue }
      attributes.append(
        .init(name, PlainNumber.parse(value[...]).map(PlainNumber.value) ?? .string(value)))
    }
  }

  private mutating func readBox(
    _ form: BoxTableForm, _ text: (Int) throws(Problem) -> String
  ) throws(Problem) {
    guard let columns = form.box else { return }
    var texts: [String] = []
    for column in columns { texts.append(try text(column)) }
    guard texts.contains(where: { !$0.isEmpty }) else { return }
    var numbers: [Double] = []
    if texts.count == 1 {
      numbers = PlainNumber.list(texts[0]) ?? []
    } else {
      for text in texts { if let number = PlainNumber.parse(text[...]) { numbers.append(number) } }
    }
    guard numbers.count == 4 else {
      throw Problem(
        kind: .badField,
        text: "expected four numbers of a box, found “\(texts.joined(separator: ", ").prefix(80))”")
    }
    try Self.check(numbers, form)
    box = numbers
  }

  private static func seemsRelative(_ numbers: [Double]) -> Bool {
    numbers.allSatisfy { (0...1).contains($0) }
  }

  private static func check(_ numbers: [Double], _ form: BoxTableForm) throws(Problem) {
    guard form.coordinates == .relative, let odd = numbers.first(where: { !range.contains($0) })
    else { return }
    throw Problem(kind: .badShape, text: "\(odd) is no relative coordinate (0 to 1)")
  }

  /// The box in pixels.
  ///
  /// - Parameter scale: the factors of x and y.
  func box(_ form: BoxTableForm, scale: (x: Double, y: Double)) -> Box? {
    guard let box else { return nil }
    return Box(
      x: box[0] * scale.x, y: box[1] * scale.y,
      width: (form.isSized ? box[2] : box[2] - box[0]) * scale.x,
      height: (form.isSized ? box[3] : box[3] - box[1]) * scale.y)
  }

  /// The points of the polygon in pixels.
  func points(scale: (x: Double, y: Double)) -> [Double]? {
    polygon.map { points in
      points.enumerated().map { $1 * ($0.isMultiple(of: 2) ? scale.x : scale.y) }
    }
  }
}
