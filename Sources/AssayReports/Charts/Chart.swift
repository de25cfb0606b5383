/// A chart as a value: its content, laid out for any width and drawn as SVG text or PNG.
protocol Chart: Sendable {
  /// The stem of the file name: `confusion`.
  var name: String { get }
  /// One line above the PNG.
  var title: String { get }
  /// The chart's content in words, for readers who cannot see it.
  var summary: String { get }
  /// Returns the chart's marks for a page `width` layout pixels wide; the figure is
  /// wider only if necessary.
  func figure(width: Double) -> Figure
}

extension Chart {
  /// Returns the chart as a PNG with its title, 1,280 pixels wide (640 layout pixels at
  /// double density) or more.
  ///
  /// - Throws: ``ReportError``.
  func png() throws(ReportError) -> [UInt8] {
    let figure = figure(width: 608)
    let margin = 16.0
    let head = 34.0
    let canvas = try Canvas(
      width: Int((figure.width + 2 * margin).rounded(.up)),
      height: Int((figure.height + 2 * margin + head).rounded(.up)), scale: 2)
    let title = try canvas.fitted(title, to: figure.width, size: 15)
    try canvas.drawText(title, x: margin, y: margin + 14, size: 15, Paint(.text), bold: true)
    try figure.draw(on: canvas, x: margin, y: margin + head)
    return try canvas.png()
  }
}
