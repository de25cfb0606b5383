package import AssayCore

/// A label map as a picture: each class in its color, void striped.
package enum LabelMap {
  /// The label of pixels that are left out of every judgment.
  package static let void: UInt8 = 255

  /// - Parameters:
  ///   - labels: one channel; values are labels, ``void`` where left out.
  ///   - hasBackground: whether label 0 is no class, drawn pale.
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
        // Stripes 3 pixels wide, from the top right to the bottom left.
        let isStripe = value == void && (x + y) % 6 < 3
        let color = isStripe ? ClassColor.void.1 : colors[Int(value)]
        picture.elements[pixel * 3] = color.red
        picture.elements[pixel * 3 + 1] = color.green
        picture.elements[pixel * 3 + 2] = color.blue
      }
    }
    return picture
  }

  /// The color of a label.
  static func color(of label: Int, hasBackground: Bool) -> RGB {
    if label == Int(void) { return ClassColor.void.0 }
    guard hasBackground else { return ClassColor.of(label) }
    return label == 0 ? ClassColor.background : ClassColor.of(label - 1)
  }
}
