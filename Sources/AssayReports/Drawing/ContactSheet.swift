package import AssayCore

/// A grid of small images, each with a frame and caption lines, as one PNG.
///
/// Every tile is enlarged by the same integer factor, so that the largest one is about 96 pixels
/// long; images longer than 256 pixels are reduced by an integer factor instead.
package struct ContactSheet: Sendable {
  /// The meaning of a tile's frame.
  package enum Frame: Sendable {
    /// A thin gray line: no evaluation.
    case none
    /// Blue: the prediction is correct.
    case right
    /// Orange: the prediction is wrong.
    case wrong
  }

  /// One image of the sheet.
  package struct Tile: Sendable {
    /// One channel (gray) or three (red, green, blue), 0…255.
    package var raster: Raster<UInt8>
    /// Lines of text below, truncated with an ellipsis if the tile is narrower.
    package var caption: [String]
    /// The frame around it.
    package var frame: Frame
    /// The key of the sample; not drawn.
    package var key: String

    package init(
      raster: Raster<UInt8>, caption: [String] = [], frame: Frame = .none, key: String = ""
    ) {
      self.raster = raster
      self.key = key
      self.caption = caption
      self.frame = frame
    }
  }

  /// The tiles in reading order.
  package var tiles: [Tile]
  /// The number of tiles per row, at least 1; `nil` for as many as fit into about 1,100 pixels.
  package var columns: Int?
  /// A line of text above.
  package var title: String?
  /// The classes whose colors the tiles use, in the order of their colors; listed below the title.
  package var legend: [String]
  /// The meanings of the objects' colors, in their order, listed instead of the classes.
  package var sides: [(side: BoxOverlay.Side, name: String)] = []

  package init(
    tiles: [Tile], columns: Int? = nil, title: String? = nil, legend: [String] = []
  ) {
    self.tiles = tiles
    self.columns = columns
    self.title = title
    self.legend = legend
  }

  /// Returns an image at the size of its tile, so that sheets of large photos need
  /// not keep them whole.
  package static func reduced(_ raster: Raster<UInt8>) -> Raster<UInt8> {
    Enlargement.reduced(raster, longest: 256)
  }

  /// Renders the sheet as an 8-bit RGB PNG; the same tiles give the same bytes.
  ///
  /// - Throws: ``ReportError/noFont``, ``ReportError/pictureTooLarge(width:height:)``,
  ///   ``ReportError/channels(_:)``.
  package func png() throws(ReportError) -> [UInt8] {
    let pictures = tiles.map { Self.reduced($0.raster) }
    let longest = pictures.map { max($0.width, $0.height) }.max() ?? 1
    let multiple = Enlargement.multiple(longest: longest, target: 96)
    // A caption such as "surprise → neutral 0.93" needs more room than a small image.
    let captionWidth = tiles.contains { !$0.caption.isEmpty } ? 128 : 0
    let cell = max((pictures.map(\.width).max() ?? 1) * multiple, captionWidth)
    let pictureHeight = (pictures.map(\.height).max() ?? 1) * multiple
    let lines = tiles.map(\.caption.count).max() ?? 0
    let perRow = max(1, min(columns ?? (1_100 - margin + gap) / (cell + gap), max(tiles.count, 1)))
    let rows = (tiles.count + perRow - 1) / perRow
    let width = max(2 * margin + perRow * cell + (perRow - 1) * gap, 320)
    let room = Double(width - 2 * margin)
    let key =
      sides.isEmpty
      ? try ClassKey(legend, width: room)
      : try ClassKey(sides.map { ($0.name, $0.side.color) }, width: room)
    let top = margin + (title == nil ? 0 : 30) + key.height
    let rowHeight = pictureHeight + lines * lineHeight + 6
    let height = top + rows * (rowHeight + gap) - (rows > 0 ? gap : 0) + margin
    let canvas = try Canvas(width: width, height: height)
    if let title {
      let text = try canvas.fitted(title, to: Double(width - 2 * margin), size: 15)
      try canvas.drawText(
        text, x: Double(margin), y: Double(margin + 14), size: 15, Paint(.text), bold: true)
    }
    try key.draw(on: canvas, x: Double(margin), y: Double(top - key.height))
    for (index, tile) in tiles.enumerated() {
      let left = margin + index % perRow * (cell + gap)
      let y = top + index / perRow * (rowHeight + gap)
      let picture = pictures[index]
      // Whole pixels: centering an image of odd width would blur the frame.
      let x = left + (cell - picture.width * multiple) / 2
      let under = y + pictureHeight - picture.height * multiple
      try draw(picture, frame: tile.frame, x: x, y: under, multiple: multiple, on: canvas)
      for (line, text) in tile.caption.enumerated() {
        try canvas.drawText(
          canvas.fitted(text, to: Double(cell + gap - 4), size: 11),
          x: Double(left) + Double(cell) / 2,
          y: Double(y + pictureHeight + (line + 1) * lineHeight), size: 11,
          Paint(line == 0 ? .text : .muted), anchor: .middle)
      }
    }
    return try canvas.png()
  }

  private var margin: Int { 16 }
  private var gap: Int { 12 }
  private var lineHeight: Int { 15 }

  private func draw(
    _ picture: Raster<UInt8>, frame: Frame, x: Int, y: Int, multiple: Int, on canvas: Canvas
  ) throws(ReportError) {
    try canvas.drawRaster(picture, x: x, y: y, multiple: multiple)
    let (ink, thickness): (Ink, Double) =
      switch frame {
      case .none: (.line, 1)
      case .right: (.truth, 2)
      case .wrong: (.prediction, 2)
      }
    // The frame is outside the image, so it covers none of its pixels.
    canvas.strokeRectangle(
      x: Double(x) - thickness / 2, y: Double(y) - thickness / 2,
      width: Double(picture.width * multiple) + thickness,
      height: Double(picture.height * multiple) + thickness, Paint(ink), lineWidth: thickness)
  }
}

/// The names of classes next to their colors, in rows.
struct ClassKey {
  private struct Entry {
    let name: String
    let color: RGB
    let x: Double
    let row: Int
  }

  private let entries: [Entry]
  private let rows: Int

  /// Creates a key from names in the order of their colors, broken into rows of a width.
  ///
  /// - Throws: ``ReportError/noFont``.
  init(_ names: [String], width: Double) throws(ReportError) {
    try self.init(
      names.enumerated().map { ($0.element, ClassColor.of($0.offset)) }, width: width)
  }

  /// Creates a key from names with their colors, broken into rows of a width.
  ///
  /// - Throws: ``ReportError/noFont``.
  init(_ names: [(name: String, color: RGB)], width: Double) throws(ReportError) {
    let paper = try Canvas(width: 1, height: 1)
    var entries: [Entry] = []
    var (x, row) = (0.0, 0)
    for (name, color) in names {
      let name = try paper.fitted(name, to: 180, size: Self.size)
      let needed = try Self.swatch + 5 + paper.textWidth(name, size: Self.size)
      if x > 0, x + needed > width { (x, row) = (0, row + 1) }
      entries.append(Entry(name: name, color: color, x: x, row: row))
      x += needed + 16
    }
    self.entries = entries
    rows = entries.isEmpty ? 0 : row + 1
  }

  private static let size = 12.0
  private static let swatch = 14.0
  private static let rowHeight = 20

  /// The height of the key, with some space below it.
  var height: Int { rows == 0 ? 0 : rows * Self.rowHeight + 8 }

  /// Draws the key with its top left corner at (x, y).
  ///
  /// - Throws: ``ReportError/noFont``.
  func draw(on canvas: Canvas, x: Double, y: Double) throws(ReportError) {
    for entry in entries {
      let top = y + Double(entry.row * Self.rowHeight)
      canvas.fillRectangle(
        x: x + entry.x, y: top, width: Self.swatch, height: 11, Paint(entry.color))
      try canvas.drawText(
        entry.name, x: x + entry.x + Self.swatch + 5, y: top + 10, size: Self.size, Paint(.text))
    }
  }
}
