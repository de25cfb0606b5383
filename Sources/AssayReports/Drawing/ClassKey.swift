/// The names of classes beside their colours, in rows.
struct ClassKey {
  private struct Entry {
    let name: String
    let colour: RGB
    let x: Double
    let row: Int
  }

  private let entries: [Entry]
  private let rows: Int

  /// Names in the order of their colours' places, broken into rows of a width.
  ///
  /// - Throws: ``ReportError/noFont``.
  init(_ names: [String], width: Double) throws(ReportError) {
    try self.init(
      names.enumerated().map { ($0.element, ClassColor.of($0.offset)) }, width: width)
  }

  /// Names with their colours, broken into rows of a width.
  ///
  /// - Throws: ``ReportError/noFont``.
  init(_ names: [(name: String, colour: RGB)], width: Double) throws(ReportError) {
    let paper = try Canvas(width: 1, height: 1)
    var entries: [Entry] = []
    var (x, row) = (0.0, 0)
    for (name, colour) in names {
      let name = try paper.fitted(name, to: 180, size: Self.size)
      let needed = try Self.swatch + 5 + paper.textWidth(name, size: Self.size)
      if x > 0, x + needed > width { (x, row) = (0, row + 1) }
      entries.append(Entry(name: name, colour: colour, x: x, row: row))
      x += needed + 16
    }
    self.entries = entries
    rows = entries.isEmpty ? 0 : row + 1
  }

  private static let size = 12.0
  private static let swatch = 14.0
  private static let rowHeight = 20

  /// The room that it takes, with some beneath it.
  var height: Int { rows == 0 ? 0 : rows * Self.rowHeight + 8 }

  /// Draws it with its top left corner at (x, y).
  ///
  /// - Throws: ``ReportError/noFont``.
  func draw(on canvas: Canvas, x: Double, y: Double) throws(ReportError) {
    for entry in entries {
      let top = y + Double(entry.row * Self.rowHeight)
      canvas.fillRectangle(
        x: x + entry.x, y: top, width: Self.swatch, height: 11, Paint(entry.colour))
      try canvas.drawText(
        entry.name, x: x + entry.x + Self.swatch + 5, y: top + 10, size: Self.size, Paint(.text))
    }
  }
}
