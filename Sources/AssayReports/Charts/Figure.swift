/// A laid-out chart: marks with places, which SVG text and cairo draw alike.
///
/// Coordinates are layout pixels, x right and y down from the top left corner.
struct Figure: Sendable {
  let width: Double
  var height: Double
  var marks: [Mark] = []

  /// Shown where there is not enough room: the figure keeps its size and its box scrolls.
  var keepsSize = false
}

/// One thing to draw.
enum Mark: Sendable {
  case rectangle(
    x: Double, y: Double, width: Double, height: Double, fill: Ink, opacity: Double = 1)
  case outline(x: Double, y: Double, width: Double, height: Double, ink: Ink, lineWidth: Double = 1)
  case line([Point], ink: Ink, lineWidth: Double = 1, dash: Dash = .solid)
  case area([Point], fill: Ink, opacity: Double)
  case dot(x: Double, y: Double, radius: Double, fill: Ink)
  case text(Label)
  /// Marks that are one link on the page, with what a screen reader says and a pointer shows.
  indirect case link(to: String, title: String, [Mark])
  /// Marks that belong together, with what a pointer shows.
  indirect case group(title: String?, [Mark])
}

/// The dash pattern of a line.
enum Dash: Sendable {
  case solid
  case dashed
  case dotted

  /// Lengths of drawn and left-out pieces, in layout pixels.
  var lengths: [Double] {
    switch self {
    case .solid: []
    case .dashed: [6, 4]
    case .dotted: [1.5, 3]
    }
  }
}

/// Text at a place; `y` is the baseline.
struct Label: Sendable {
  var text: String
  var x: Double
  var y: Double
  var size: Double = 12
  var ink: LabelInk = .plain(.text)
  var anchor: TextAnchor = .start
  var isBold = false
  /// Turned counter-clockwise by a quarter, to read upwards.
  var isTurned = false
}

/// A label's color.
enum LabelInk: Sendable {
  case plain(Ink)
  /// Over a heat map's cell of this strength in `0...1`: whatever can be read on it.
  case over(strength: Double)
}
