package import AssayCore
import AssayImaging

/// The mean above the standard deviation, one class per column, as one PNG.
///
/// All means share one gray scale and all standard deviations another; both scales are
/// drawn with their numbers.
package struct MeanFaceSheet: Sendable {
  /// One class's images.
  package struct Column: Sendable {
    /// The class's name.
    package var name: String
    /// The number of images in the mean.
    package var count: Int
    /// The mean, in the units of the pixels (0…255 for 8-bit images), 1 or 3 channels.
    package var mean: Raster<Double>
    /// The population standard deviation, of the same size as the mean.
    package var deviation: Raster<Double>

    package init(name: String, count: Int, mean: Raster<Double>, deviation: Raster<Double>) {
      self.name = name
      self.count = count
      self.mean = mean
      self.deviation = deviation
    }
  }

  /// The classes from left to right.
  package var columns: [Column]
  /// A line of text above.
  package var title: String?

  package init(columns: [Column], title: String? = nil) {
    self.columns = columns
    self.title = title
  }

  /// Renders the sheet as an 8-bit RGB PNG; the same columns give the same bytes.
  ///
  /// - Throws: ``ReportError/noFont``, ``ReportError/pictureTooLarge(width:height:)``,
  ///   ``ReportError/channels(_:)``.
  package func png() throws(ReportError) -> [UInt8] {
    let meanScale = Scaling.printed(columns.map(\.mean))
    let deviationScale = Scaling.printed(columns.map(\.deviation))
    let means = columns.map { Enlargement.reduced(meanScale.apply(to: $0.mean), longest: 256) }
    let deviations = columns.map {
      Enlargement.reduced(deviationScale.apply(to: $0.deviation), longest: 256)
    }
    let longest = (means + deviations).map { max($0.width, $0.height) }.max() ?? 1
    let multiple = Enlargement.multiple(longest: longest, target: 96)
    let cell = max((means.map(\.width).max() ?? 1) * multiple, 88)
    let rowHeight = (means.map(\.height).max() ?? 1) * multiple
    // Long taxonomies continue in a second row: a page has room for 16 classes.
    let perBand = max(1, min(columns.count, 16))
    let bands = max(1, (columns.count + perBand - 1) / perBand)
    let top = margin + (title == nil ? 0 : 30)
    let bandHeight = 40 + 2 * rowHeight + gap
    let width = max(
      label + perBand * (cell + gap) + scaleWidth + margin, 420)
    let height = top + bands * bandHeight + (bands - 1) * 2 * gap + margin
    let canvas = try Canvas(width: width, height: height)
    if let title {
      let text = try canvas.fitted(title, to: Double(width - 2 * margin), size: 15)
      try canvas.drawText(
        text, x: Double(margin), y: Double(margin + 14), size: 15, Paint(.text), bold: true)
    }
    for band in 0..<bands {
      let y = top + band * (bandHeight + 2 * gap)
      let meanTop = y + 40
      let deviationTop = meanTop + rowHeight + gap
      for (text, rowTop) in [("mean", meanTop), ("std", deviationTop)] {
        try canvas.drawText(
          text, x: Double(label - gap), y: Double(rowTop) + Double(rowHeight) / 2 + 4, size: 12,
          Paint(.muted), anchor: .end)
      }
      let range = band * perBand..<min(columns.count, (band + 1) * perBand)
      for (place, index) in range.enumerated() {
        let left = label + place * (cell + gap)
        let middle = Double(left) + Double(cell) / 2
        let name = try canvas.fitted(columns[index].name, to: Double(cell + gap - 4), size: 13)
        try canvas.drawText(
          name, x: middle, y: Double(y + 15), size: 13, Paint(.text), anchor: .middle)
        try canvas.drawText(
          "n = " + NumberText.count(columns[index].count), x: middle, y: Double(y + 31), size: 11,
          Paint(.muted), anchor: .middle)
        let x = left + (cell - means[index].width * multiple) / 2
        try canvas.drawRaster(means[index], x: x, y: meanTop, multiple: multiple)
        try canvas.drawRaster(deviations[index], x: x, y: deviationTop, multiple: multiple)
      }
      let x = label + range.count * (cell + gap) + gap
      try drawScale(meanScale, x: x, y: meanTop, height: rowHeight, on: canvas)
      try drawScale(deviationScale, x: x, y: deviationTop, height: rowHeight, on: canvas)
    }
    return try canvas.png()
  }

  private var margin: Int { 16 }
  private var gap: Int { 8 }
  private var label: Int { 92 }
  private var scaleWidth: Int { 72 }

  private func drawScale(
    _ scale: Scaling, x: Int, y: Int, height: Int, on canvas: Canvas
  ) throws(ReportError) {
    var bar = Raster<UInt8>(repeating: 0, width: 12, height: max(height, 2))
    for row in 0..<bar.height {
      let share = 1 - Double(row) / Double(bar.height - 1)
      for column in 0..<bar.width { bar[column, row] = UInt8((share * 255).rounded()) }
    }
    try canvas.drawRaster(bar, x: x, y: y, multiple: 1)
    canvas.strokeRectangle(
      x: Double(x) - 0.5, y: Double(y) - 0.5, width: 13, height: Double(height) + 1, Paint(.line))
    let numbers = [(scale.high, 9.0), (scale.low, Double(height))]
    for (value, offset) in numbers {
      try canvas.drawText(
        NumberText.fixed(value, 1), x: Double(x + 18), y: Double(y) + offset, size: 11,
        Paint(.muted))
    }
  }
}
