/// The colors and classes of the Pascal VOC challenges.
enum VOCPalette {
  /// The color of each value, `red << 16 | green << 8 | blue`: the bits of the value are spread over
  /// the three channels, the lowest bits first. Value 255 is (224, 224, 192).
  static let colors: [UInt32] = (0..<256).map { value in
    var color: UInt32 = 0
    for bit in 0..<8 {
      for channel in 0..<3 {
        // The bits of red, green and blue come from bits 0, 1 and 2, then 3, 4 and 5, then 6 and 7.
        let place = 3 * bit + channel
        guard place < 8, value >> place & 1 == 1 else { continue }
        color |= 1 << UInt32(8 * (2 - channel) + 7 - bit)
      }
    }
    return color
  }

  /// The 20 classes of VOC2007 to VOC2012, of the values 1 to 20.
  static let classes = [
    "aeroplane", "bicycle", "bird", "boat", "bottle", "bus", "car", "cat", "chair", "cow",
    "diningtable", "dog", "horse", "motorbike", "person", "pottedplant", "sheep", "sofa", "train",
    "tvmonitor",
  ]

  /// All values with their colors, to read color masks.
  static let labels = LabelColors(
    colors.enumerated().map { LabelColors.Entry(color: $1, name: "\($0)") })
}
