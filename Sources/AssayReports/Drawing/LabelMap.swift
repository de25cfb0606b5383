package import AssayCore

/// A label map as an image: each class in its color, void pixels striped.
package enum LabelMap {
  /// The label of pixels that are excluded from the evaluation.
  package static let void: UInt8 = 255

  /// - Parameters:
  ///   - labels: one channel; values are labels, ``void`` for excluded pixels.
  ///   - hasBackground: true if label 0 is not a class; it is drawn pale.
  package static func picture(
    of labels: Raster<UInt8>, hasBackground: Bool = true
  ) -> Raster<UInt8> {
    var picture = Raster<UInt8>(
      repeating: 0, width: labels.width, height: labels.height, channels: 3)
    let colors = (0...255).map { color(of: $0, hasBackground: hasBackground) }
    for y in 0..<labels.height {
      for x in 0..<labels.width {
        let pixel = y * labels.width + x
        let value = labels.elements[pixel * labels.channels]
        // Stripes are 3 pixels wide, from the top right to the bottom left.
        let isStripe = value == void && (x + y) % 6 < 3
        let color = isStripe ? ClassColor.void.1 : colors[Int(value)]
        picture.elements[pixel * 3] = color.red
        picture.elements[pixel * 3 + 1] = color.green
        picture.elements[pixel * 3 + 2] = color.blue
      }
    }
    return picture
  }

  /// Returns the color of a label.
  static func color(of label: Int, hasBackground: Bool) -> RGB {
    if label == Int(void) { return ClassColor.void.0 }
    guard hasBackground else { return ClassColor.of(label) }
    return label == 0 ? ClassColor.background : ClassColor.of(label - 1)
  }
}
