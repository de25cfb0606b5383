/// The fixed colors of classes: Okabe and Ito's palette, which color-blind readers can distinguish;
/// from the eighth class on, the same hues darker, then lighter.
///
/// Source: M. Okabe and K. Ito, "Color Universal Design" (2008), without its black and with its
/// pale yellow last: thin lines in that color are invisible on white.
enum ClassColor {
  private static let hues = [
    RGB(0xE6, 0x9F, 0x00), RGB(0x56, 0xB4, 0xE9), RGB(0x00, 0x9E, 0x73), RGB(0xCC, 0x79, 0xA7),
    RGB(0x00, 0x72, 0xB2), RGB(0xD5, 0x5E, 0x00), RGB(0xF0, 0xE4, 0x42),
  ]

  /// The number of distinct colors before shades of the same hues follow.
  static let distinct = hues.count

  /// Returns the color of the class with this place among those shown, from 0 on.
  static func of(_ place: Int) -> RGB {
    let hue = hues[place % hues.count]
    return switch place / hues.count % 4 {
    case 0: hue
    case 1: RGB(0, 0, 0).mixed(over: hue, opacity: 0.4)
    case 2: RGB(255, 255, 255).mixed(over: hue, opacity: 0.5)
    default: RGB(0, 0, 0).mixed(over: hue, opacity: 0.65)
    }
  }

  /// The color of pixels that belong to no class.
  static let background = RGB(0xF2, 0xF3, 0xF5)
  /// The colors of pixels that are excluded from the evaluation: two grays,
  /// drawn in diagonal stripes.
  static let void = (RGB(0x9A, 0xA0, 0xA6), RGB(0xC4, 0xC8, 0xCC))
}
