package import AssayCore
package import AssayImaging

/// A drawing over an image, or over a part of it, that shows objects: the box of each object, or
/// its region if it has one, with a plate that names it.
///
/// Colors are fixed, on dark screens too: they are drawn on photos, not on the page. Plates of
/// predictions are above their boxes and those of the ground truth below, so that both are readable
/// if the boxes agree.
package struct BoxOverlay: Sendable {
  /// The source of an object, which determines its color.
  package enum Side: Sendable, Hashable {
    /// Blue.
    case truth
    /// Orange.
    case prediction
    /// An object of another run that this one is compared with: dashes of black and white.
    case earlier
    /// An object in an image that shows only one side: the class's place in the legend determines
    /// the color; `nil`, for objects excluded from the evaluation, is gray.
    case annotation(place: Int?)
  }

  /// One object.
  package struct Object: Sendable {
    package var side: Side
    /// The box in pixels of the whole image.
    package var box: Box
    /// The mask, of the size of the whole image; drawn instead of the box.
    package var mask: Mask?
    /// x and y in pixels of the whole image, and a score, of each keypoint, drawn as dots.
    package var keypoints: [Double]
    /// The text on the plate; without a name there is no plate.
    package var name: String
    /// The score, written after the name.
    package var score: Double?
    /// True if the object is only context: a thin line without a plate.
    package var isFaint: Bool

    package init(
      _ side: Side, box: Box, mask: Mask? = nil, keypoints: [Double] = [], name: String = "",
      score: Double? = nil, isFaint: Bool = false
    ) {
      self.side = side
      self.box = box
      self.mask = mask
      self.keypoints = keypoints
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

  /// The objects from bottom to top; plates of earlier objects are placed first.
  package var objects: [Object]
  /// The visible part of the image, in its pixels; at least one pixel.
  package let window: PixelRect

  /// Creates an overlay over a whole image.
  package init(size: ImageSize, objects: [Object]) {
    self.init(window: PixelRect(size), objects: objects)
  }

  /// Creates an overlay over a part of an image; objects keep the coordinates of the whole image.
  package init(window: PixelRect, objects: [Object]) {
    self.window = PixelRect(
      x: window.x, y: window.y, width: max(window.width, 1), height: max(window.height, 1))
    self.objects = objects
  }
}

extension BoxOverlay.Side {
  var color: RGB {
    switch self {
    case .truth: Ink.truth.light
    case .prediction: Ink.prediction.light
    case .earlier: RGB(0, 0, 0)
    case .annotation(let place): place.map(ClassColor.of) ?? ClassColor.void.0
    }
  }

  /// The colors of the plate and its text: dark enough for white letters or light
  /// enough for black ones.
  var plate: (paper: RGB, ink: RGB) {
    let black = RGB(0, 0, 0)
    let white = RGB(255, 255, 255)
    return switch self {
    case .truth: (color, white)
    case .prediction: (black.mixed(over: color, opacity: 0.15), white)
    case .earlier: (RGB(0x33, 0x33, 0x33), white)
    case .annotation: (white.mixed(over: color, opacity: 0.55), black)
    }
  }

  /// True if the plate goes below the box when there is room.
  var standsBeneath: Bool { self == .truth }
}

extension BoxOverlay {
  /// Returns the image, or the visible part of it, resized to `longest` pixels on its longer side
  /// with the overlay drawn over it, RGB.
  ///
  /// - Parameter raster: 1 or 3 channels, the pixels of ``window`` and nothing else, at any size.
  /// - Throws: ``ReportError``.
  package func drawn(
    over raster: Raster<UInt8>, longest: Int
  ) throws(ReportError) -> Raster<UInt8> {
    let canvas = try Canvas(showing: raster, longest: longest)
    let layout = BoxLayout(self, width: Double(canvas.width), height: Double(canvas.height))
    for outline in layout.outlines {
      if outline.fill > 0 {
        canvas.fillRings(outline.shape.rings, Paint(outline.color, opacity: outline.fill))
      }
      canvas.strokeRings(
        outline.shape.rings, Paint(outline.color, opacity: outline.opacity),
        lineWidth: outline.lineWidth, dash: outline.dash.lengths)
    }
    for dot in layout.dots {
      canvas.fillCircle(x: dot.x, y: dot.y, radius: dot.radius, Paint(dot.color))
    }
    for plate in layout.plates {
      canvas.fillRectangle(
        x: plate.x, y: plate.y, width: plate.width, height: BoxLayout.Plate.height,
        Paint(plate.paper))
      try canvas.drawText(
        plate.text, x: plate.x + 4, y: plate.y + 11.5, size: BoxLayout.Plate.size,
        Paint(plate.ink))
    }
    return try canvas.raster()
  }
}

extension BoxOverlay {
  /// Returns the overlay as an SVG group over an image of `width` × `height` units; lines keep
  /// their width at every size.
  func svg(width: Double, height: Double) -> String {
    let layout = BoxLayout(self, width: width, height: height)
    var text = "<g class=\"overlay\"><g transform=\"scale(.5)\" stroke-linejoin=\"round\">"
    for outline in layout.outlines { text += outline.svg }
    text += "</g>"
    for dot in layout.dots { text += dot.svg }
    for plate in layout.plates { text += plate.svg }
    return text + "</g>"
  }
}

extension BoxLayout.Outline {
  fileprivate var svg: String {
    var text = "<path"
    if fill > 0 {
      text += " fill=\"\(color.css)\" fill-opacity=\"\(NumberText.short(fill))\""
      text += " fill-rule=\"evenodd\""
    } else {
      text += " fill=\"none\""
    }
    text += " stroke=\"\(color.css)\" stroke-width=\"\(NumberText.short(lineWidth))\""
    if opacity < 1 { text += " stroke-opacity=\"\(NumberText.short(opacity))\"" }
    if dash != .solid {
      let lengths = dash.lengths.map { NumberText.short($0) }
      text += " stroke-dasharray=\"\(lengths.joined(separator: " "))\""
    }
    return text + " vector-effect=\"non-scaling-stroke\" d=\"\(shape.pathData)\"/>"
  }
}

extension BoxLayout.Dot {
  fileprivate var svg: String {
    func number(_ value: Double) -> String { NumberText.short((value * 2).rounded() / 2).ascii }
    return "<circle cx=\"\(number(x))\" cy=\"\(number(y))\" r=\"\(number(radius))\""
      + " fill=\"\(color.css)\"/>"
  }
}

extension BoxLayout.Plate {
  fileprivate var svg: String {
    func number(_ value: Double) -> String { NumberText.short((value * 2).rounded() / 2).ascii }
    return "<rect x=\"\(number(x))\" y=\"\(number(y))\" width=\"\(number(width))\""
      + " height=\"\(number(Self.height))\" fill=\"\(paper.css)\"/>"
      + "<text x=\"\(number(x + 4))\" y=\"\(number(y + 11.5))\" font-size=\"\(number(Self.size))\""
      + " fill=\"\(ink.css)\">\(text.markupEscaped)</text>"
  }
}

extension String {
  /// The number in machine-readable form: an ASCII minus, no commas.
  fileprivate var ascii: String { replacing("−", with: "-").replacing(",", with: "") }
}
