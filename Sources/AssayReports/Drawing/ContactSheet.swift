package import AssayCore

/// A picture of many small pictures in rows, each with a frame and caption lines, as one PNG.
///
/// Every tile is enlarged by the same whole number, so that the largest one is about 96 pixels long;
/// pictures above 256 pixels are reduced by a whole number instead.
package struct ContactSheet: Sendable {
  /// The meaning of a tile's frame.
  package enum Frame: Sendable {
    /// A thin gray line: nothing is judged.
    case none
    /// Blue: the prediction is right.
    case right
    /// Vermilion: the prediction is wrong.
    case wrong
  }

  /// One picture of the sheet.
  package struct Tile: Sendable {
    /// One channel (gray) or three (red, green, blue), 0…255.
    package var raster: Raster<UInt8>
    /// Lines of text beneath, cut with an ellipsis where the tile is narrower.
    package var caption: [String]
    /// The frame around it.
    package var frame: Frame

    package init(raster: Raster<UInt8>, caption: [String] = [], frame: Frame = .none) {
      self.raster = raster
      self.caption = caption
      self.frame = frame
    }
  }

  /// The tiles in reading order.
  package var tiles: [Tile]
  /// Tiles a row, at least 1; `nil` takes as many as fit about 1,100 pixels.
  package var columns: Int?
  /// A line of text above.
  package var title: String?
  /// The classes whose colors the tiles use, in the order of their places; named beneath the title.
  package var legend: [String]
  /// The meanings of the colors of objects, in their order, named instead of the classes.
  package var sides: [(side: BoxOverlay.Side, name: String)] = []

  package init(
    tiles: [Tile], columns: Int? = nil, title: String? = nil, legend: [String] = []
  ) {
    self.tiles = tiles
    self.columns = columns
    self.title = title
    self.legend = legend
  }

  /// A picture as a tile shows it: sheets of large photos need not keep them whole.
  package static func reduced(_ raster: Raster<UInt8>) -> Raster<UInt8> {
    Enlargement.reduced(raster, longest: 256)
  }

  /// The sheet's PNG, 8-bit RGB; the same tiles give the same bytes.
  ///
  /// - Throws: ``ReportError/noFont``, ``ReportError/pictureTooLarge(width:height:)``,
  ///   ``ReportError/channels(_:)``.
  package func png() throws(ReportError) -> [UInt8] {
    let pictures = tiles.map { Self.reduced($0.raster) }
    let longest = pictures.map { max($0.width, $0.height) }.max() ?? 1
    let multiple = Enlargement.multiple(longest: longest, target: 96)
    // A caption such as "surprise → neutral 0.93" needs more room than a small picture.
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
      : try ClassKey(sides.map { ($0.name, $0.side.colour) }, width: room)
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
      // Whole pixels: a centered picture of odd width would blur the frame.
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
    // The frame lies outside the picture: no pixel of it is covered.
    canvas.strokeRectangle(
      x: Double(x) - thickness / 2, y: Double(y) - thickness / 2,
      width: Double(picture.width * multiple) + thickness,
      height: Double(picture.height * multiple) + thickness, Paint(ink), lineWidth: thickness)
  }
}
