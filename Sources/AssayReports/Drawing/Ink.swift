/// The meaning of a color in a chart; the page's style sheet and ``Ink/light`` give it its value.
///
/// Raw values are CSS class names. Correct and ground truth share one blue, wrong and prediction
/// one orange, both from Okabe and Ito's palette, which color-blind readers can distinguish.
enum Ink: String, CaseIterable, Sendable {
  /// Body text.
  case text
  /// Secondary text and lines: ticks, axis titles, counts.
  case muted
  /// Faint lines.
  case line
  /// The paper.
  case surface
  /// The single hue of heat maps, and of charts with a single line.
  case accent
  /// Text on a heat map's dark end.
  case inverse
  /// The ground truth, and correct predictions.
  case truth
  /// The prediction, and wrong predictions.
  case prediction

  /// The color on white paper, as in the style sheet's light half.
  var light: RGB {
    switch self {
    case .text: RGB(0x1B, 0x1F, 0x24)
    case .muted: RGB(0x5C, 0x64, 0x6E)
    case .line: RGB(0xDD, 0xE1, 0xE6)
    case .surface: RGB(0xFF, 0xFF, 0xFF)
    case .accent: RGB(0x4A, 0x3A, 0x90)
    case .inverse: RGB(0xFF, 0xFF, 0xFF)
    case .truth: RGB(0x00, 0x72, 0xB2)
    case .prediction: RGB(0xD5, 0x5E, 0x00)
    }
  }

  /// The color on a dark screen: the same hue, lighter.
  var dark: RGB {
    switch self {
    case .text: RGB(0xE6, 0xE9, 0xED)
    case .muted: RGB(0x9C, 0xA6, 0xB2)
    case .line: RGB(0x2E, 0x35, 0x3D)
    case .surface: RGB(0x14, 0x17, 0x1B)
    case .accent: RGB(0xB9, 0xA8, 0xF7)
    case .inverse: RGB(0x14, 0x17, 0x1B)
    case .truth: RGB(0x4F, 0xAE, 0xE6)
    case .prediction: RGB(0xF2, 0x8A, 0x3F)
    }
  }

  /// The beginning of the style sheet: one CSS variable per color for light and dark screens (paper
  /// is light), and the classes that charts use.
  static var styleSheet: String {
    func variables(_ color: (Ink) -> RGB) -> String {
      allCases.map { "--\($0.rawValue):\(color($0).css)" }.joined(separator: ";")
    }
    let classes = allCases.map {
      ".f-\($0.rawValue){fill:var(--\($0.rawValue))}"
        + ".s-\($0.rawValue){stroke:var(--\($0.rawValue));fill:none}"
    }
    return ":root{\(variables(\.light))}\n"
      + "@media screen and (prefers-color-scheme:dark){:root{\(variables(\.dark))}}\n"
      + classes.joined() + "\n"
      + ".k0,.k1{fill:var(--text)}.k2{fill:var(--inverse)}"
      + "@media screen and (prefers-color-scheme:dark){.k1{fill:var(--inverse)}}\n"
  }
}

/// A color with 8 bits per channel.
struct RGB: Hashable, Sendable {
  let red: UInt8
  let green: UInt8
  let blue: UInt8

  init(_ red: UInt8, _ green: UInt8, _ blue: UInt8) {
    self.red = red
    self.green = green
    self.blue = blue
  }

  /// `#` and six hexadecimal digits.
  var css: String {
    "#"
      + [red, green, blue].map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  /// Returns this color laid over `under` with an opacity in `0...1`.
  func mixed(over under: RGB, opacity: Double) -> RGB {
    func mix(_ top: UInt8, _ bottom: UInt8) -> UInt8 {
      UInt8((Double(top) * opacity + Double(bottom) * (1 - opacity)).rounded())
    }
    return RGB(mix(red, under.red), mix(green, under.green), mix(blue, under.blue))
  }
}
