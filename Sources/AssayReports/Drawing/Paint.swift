/// A color with its opacity in `0...1`.
struct Paint: Hashable, Sendable {
  let color: RGB
  let opacity: Double

  init(_ ink: Ink, opacity: Double = 1) {
    color = ink.light
    self.opacity = opacity
  }

  init(_ color: RGB, opacity: Double = 1) {
    self.color = color
    self.opacity = opacity
  }
}

/// A point on the paper: layout pixels, x right, y down.
struct Point: Hashable, Sendable {
  let x: Double
  let y: Double
}

/// The part of a text that is at its position.
enum TextAnchor: String, Sendable {
  case start
  case middle
  case end
}
