package import AssayCore
package import AssayImaging

/// A drawing over an image, or over a part of it, that shows objects: the box of each one, or its region if it
/// has one, with a plate that names it.
///
/// Colors are fixed, on dark screens too: they lie on photos, not on the page. Plates of predictions are above
/// their boxes and those of the ground truth below, so that both can be read if the boxes agree.
package struct BoxOverlay: Sendable {
  /// The source of an object, which determines its color.
  package enum Side: Sendable, Hashable {
    /// Blue.
    case truth
    /// Vermilion.
    case prediction
    /// Another run's, that this one is compared with: dashes of black and white.
    case earlier
    /// In a picture that shows one side alone: the class's place in the legend chooses the color; gray
    /// where `nil`, for what is left out of every judgment.
    case annotation(place: Int?)
  }

  /// One object.
  package struct Object: Sendable {
    package var side: Side
    /// In pixels of the whole picture.
    package var box: Box
    /// Of the whole picture's size; drawn instead of the box.
    package var mask: Mask?
    /// Written on the plate; there is none without a name.
    package var name: String
    /// The score, written behind the name.
    package var score: Double?
    /// True if the object is only context: a thin line without a plate.
    package var isFaint: Bool

    package init(
      _ side: Side, box: Box, mask: Mask? = nil, name: String = "", score: Double? = nil,
      isFaint: Bool = false
    ) {
      self.side = side
      self.box = box
      self.mask = mask
      self.name = name
      self.score = score
      self.isFaint = isFaint
    }

    /// `person 0.93`.
    var words: String {
      guard !isFaint, !name.isEmpty else { return "" }
      return score.map { "\(name) \(NumberText.fixed($0, 2))" } ?? name
    }
  }

  /// From beneath to above; plates of earlier ones get their places first.
  package var objects: [Object]
  /// The piece of the picture that is shown, in its pixels; at least one pixel.
  package let window: PixelRect

  /// Over a whole picture.
  package init(size: ImageSize, objects: [Object]) {
    self.init(window: PixelRect(size), objects: objects)
  }

  /// Over a piece of a picture; objects keep the whole picture's coordinates.
  package init(window: PixelRect, objects: [Object]) {
    self.window = PixelRect(
      x: window.x, y: window.y, width: max(window.width, 1), height: max(window.height, 1))
    self.objects = objects
  }
}

extension BoxOverlay.Side {
  var colour: RGB {
    switch self {
    case .truth: Ink.truth.light
    case .prediction: Ink.prediction.light
    case .earlier: RGB(0, 0, 0)
    case .annotation(let place): place.map(ClassColor.of) ?? ClassColor.void.0
    }
  }

  /// The plate beneath its text, dark enough for white letters or light enough for black ones.
  var plate: (paper: RGB, ink: RGB) {
    let black = RGB(0, 0, 0)
    let white = RGB(255, 255, 255)
    return switch self {
    case .truth: (colour, white)
    case .prediction: (black.mixed(over: colour, opacity: 0.15), white)
    case .earlier: (RGB(0x33, 0x33, 0x33), white)
    case .annotation: (white.mixed(over: colour, opacity: 0.55), black)
    }
  }

  /// True if the plate goes below the box when there is room.
  var standsBeneath: Bool { self == .truth }
}
