import AssayCore
import AssayImaging

/// The colors that a mask's palette gives to the values that occur in it. Programs that save pictures with few
/// colors as palettes number the colors as they like, so that the numbers need not be classes.
struct MaskPalette: Sendable {
  /// The colors, red in the upper bits, by value.
  private(set) var colors: [UInt8: UInt32] = [:]

  /// - Parameter bytes: a PNG with a palette.
  /// - Throws: `ImageError`.
  init(_ bytes: [UInt8]) throws {
    let values = try ImageCodec.decode(bytes, as: .stored, oriented: false)
    let shown = try ImageCodec.decode(bytes, as: .rgb8, oriented: false)
    guard values.channels == 1 else { return }
    var isKnown = Array(repeating: false, count: 256)
    for (place, value) in values.elements.enumerated() where !isKnown[Int(value)] {
      isKnown[Int(value)] = true
      colors[value] = shown.elements[3 * place..<3 * place + 3].reduce(0) { $0 << 8 | UInt32($1) }
    }
  }

  /// The reason why the values cannot be taken for those of an index mask, in which 0 is the background; `nil` if
  /// they can, or classes are named.
  func refusal(_ classes: IndexClasses) -> String? {
    guard classes.hasBackground, let background = colors[0], background != 0 else { return nil }
    // One class that is named can be told from its background if neither is black.
    guard classes.isOpen || classes.only != nil && colors.values.contains(0) else { return nil }
    return
      "its palette shows 0, which is the background of index masks, as \(Self.text(background)); if the masks "
      + "are pictures, save them as gray or RGB images, with a label_colors.txt (R G B name) for colors; if 0 is "
      + "the background all the same, save them without a palette"
  }

  /// The value that two masks show in different colors; `nil` for none.
  func conflict(_ other: MaskPalette) -> UInt8? {
    colors.keys.sorted().first { value in
      other.colors[value].map { $0 != colors[value] } ?? false
    }
  }

  /// A color as in `(255, 0, 0)`.
  static func text(_ color: UInt32) -> String {
    "(\(color >> 16), \(color >> 8 & 255), \(color & 255))"
  }

  /// Adds the colors of values that are not known yet.
  mutating func add(_ other: MaskPalette) { colors.merge(other.colors) { first, _ in first } }
}
