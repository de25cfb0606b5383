package import AssayCore

/// The positions of each class's regions: the mean mask of each class as a heat map, one class per column, as
/// one PNG.
///
/// All columns share one scale from 0 to the largest value of all, which is drawn with its numbers;
/// below each column is its largest value.
package struct MeanMaskSheet: Sendable {
  /// One class's mean mask.
  package struct Column: Sendable {
    /// The class's name.
    package var name: String
    /// The number of images in the mean: those that contain the class.
    package var count: Int
    /// The share of these images whose mask covers a position, in `0...1`: one channel, in image
    /// coordinates scaled to the grid (for example 64 × 64), the same size in all columns.
    package var mean: Raster<Double>

    package init(name: String, count: Int, mean: Raster<Double>) {
      self.name = name
      self.count = count
      self.mean = mean
    }

    /// The largest value; `nil` without images.
    package var largest: Double? { count == 0 ? nil : mean.elements.max() }
  }

  /// The classes from left to right.
  package var columns: [Column]
  /// A line of text above.
  package var title: String?

  package init(columns: [Column], title: String? = nil) {
    self.columns = columns
    self.title = title
  }

  /// The upper end of the scale that all columns share; 1 if nothing is covered.
  package var scaleEnd: Double {
    let largest = columns.compactMap(\.largest).max() ?? 0
    return largest > 0 ? largest : 1
  }

  /// Renders the sheet as an 8-bit RGB PNG; the same columns give the same bytes.
  ///
  /// - Throws: ``ReportError/noFont``, ``ReportError/pictureTooLarge(width:height:)``.
  package func png() throws(ReportError) -> [UInt8] {
    let pictures = columns.map {
      Enlargement.reduced(HeatColor.picture(of: $0.mean, largest: scaleEnd), longest: 256)
    }
    let longest = pictures.map { max($0.width, $0.height) }.max() ?? 1
    let multiple = Enlargement.multiple(longest: longest, target: 96)
    let cell = max((pictures.map(\.width).max() ?? 1) * multiple, 88)
    let side = (pictures.map(\.height).max() ?? 1) * multiple
    // Each row has as many columns as fit on a page.
    let perBand = max(1, min(columns.count, (1_100 - 2 * margin - scaleWidth) / (cell + gap)))
    let bands = max(1, (columns.count + perBand - 1) / perBand)
    let top = margin + (title == nil ? 0 : 30)
    let bandHeight = head + side + foot
    let canvas = try Canvas(
      width: max(2 * margin + perBand * (cell + gap) + scaleWidth, 420),
      height: top + bands * bandHeight + (bands - 1) * gap + margin)
    if let title {
      let text = try canvas.fitted(title, to: Double(canvas.width - 2 * margin), size: 15)
      try canvas.drawText(
        text, x: Double(margin), y: Double(margin + 14), size: 15, Paint(.text), bold: true)
    }
    for index in columns.indices {
      let band = index / perBand
      let y = top + band * (bandHeight + gap)
      let x = margin + index % perBand * (cell + gap)
      try draw(columns[index], pictures[index], x: x, y: y, cell: cell, multiple, on: canvas)
      // Each row ends with a scale.
      if index % perBand == perBand - 1 || index == columns.count - 1 {
        try drawScale(x: x + cell + 2 * gap, y: y + head, height: side, on: canvas)
      }
    }
    return try canvas.png()
  }

  private var margin: Int { 16 }
  private var gap: Int { 8 }
  private var scaleWidth: Int { 64 }
  /// The room for name and number above an image.
  private var head: Int { 40 }
  /// The room for the largest value below.
  private var foot: Int { 20 }

  private func draw(
    _ column: Column, _ picture: Raster<UInt8>, x: Int, y: Int, cell: Int, _ multiple: Int,
    on canvas: Canvas
  ) throws(ReportError) {
    let middle = Double(x) + Double(cell) / 2
    let name = try canvas.fitted(column.name, to: Double(cell + gap - 4), size: 13)
    try canvas.drawText(
      name, x: middle, y: Double(y + 15), size: 13, Paint(.text), anchor: .middle)
    try canvas.drawText(
      "n = " + NumberText.count(column.count), x: middle, y: Double(y + 31), size: 11,
      Paint(.muted), anchor: .middle)
    let (width, height) = (picture.width * multiple, picture.height * multiple)
    let left = x + (cell - width) / 2
    try canvas.drawRaster(picture, x: left, y: y + head, multiple: multiple)
    canvas.strokeRectangle(
      x: Double(left) - 0.5, y: Double(y + head) - 0.5, width: Double(width) + 1,
      height: Double(height) + 1, Paint(.line))
    try canvas.drawText(
      column.largest.map { "max " + NumberText.fixed($0, 2) } ?? NumberText.undefined,
      x: middle, y: Double(y + head + height + 14), size: 11, Paint(.muted), anchor: .middle)
  }

  private func drawScale(x: Int, y: Int, height: Int, on canvas: Canvas) throws(ReportError) {
    let rows = max(height, 2)
    for row in 0..<rows {
      let share = 1 - Double(row) / Double(rows - 1)
      canvas.fillRectangle(
        x: Double(x), y: Double(y + row), width: 12, height: 1, Paint(HeatColor.color(of: share)))
    }
    canvas.strokeRectangle(
      x: Double(x) - 0.5, y: Double(y) - 0.5, width: 13, height: Double(rows) + 1, Paint(.line))
    for (value, offset) in [(scaleEnd, 9.0), (0, Double(rows))] {
      try canvas.drawText(
        NumberText.fixed(value, 2), x: Double(x + 18), y: Double(y) + offset, size: 11,
        Paint(.muted))
    }
  }
}
