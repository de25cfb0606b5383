import AssayCore

/// An overlay of objects laid out over an image of some size: lines, fills and plates in layout
/// pixels, which SVG text and cairo draw alike.
struct BoxLayout: Sendable {
  /// A box or a region.
  struct Outline: Sendable {
    let shape: RegionShape
    let color: RGB
    /// The opacity of the interior; 0 for none.
    let fill: Double
    let lineWidth: Double
    let dash: Dash
    let opacity: Double
  }

  /// Text on a rectangle.
  struct Plate: Sendable {
    let text: String
    let x: Double
    let y: Double
    let width: Double
    let paper: RGB
    let ink: RGB

    static let height = 15.0
    static let size = 11.0

    func overlaps(_ other: Plate) -> Bool {
      x < other.x + other.width && other.x < x + width && y < other.y + Self.height
        && other.y < y + Self.height
    }
  }

  /// A keypoint, or the light ground below it.
  struct Dot: Sendable {
    let x: Double
    let y: Double
    let radius: Double
    let color: RGB
  }

  private(set) var outlines: [Outline] = []
  private(set) var dots: [Dot] = []
  private(set) var plates: [Plate] = []

  private let width: Double
  private let height: Double
  private let across: Double
  private let down: Double
  private let overlay: BoxOverlay

  /// - Parameters:
  ///   - width: the width, in layout pixels, at which the overlay's window
  ///     is shown; `height` likewise.
  init(_ overlay: BoxOverlay, width: Double, height: Double) {
    self.overlay = overlay
    self.width = width
    self.height = height
    across = width / Double(overlay.window.width)
    down = height / Double(overlay.window.height)
    for object in overlay.objects { append(object) }
    // A line shared by ground truth and prediction shows both colors.
    for object in overlay.objects where object.side == .truth && !object.isFaint {
      guard let shape = shape(of: object) else { continue }
      outlines.append(
        Outline(
          shape: shape, color: object.side.color, fill: 0, lineWidth: Self.line, dash: .dashed,
          opacity: 1))
    }
    for object in overlay.objects { addDots(of: object) }
    for object in overlay.objects { name(object) }
  }

  /// Adds an object's keypoints: with a white ground if there are few, and none if they would cover the object.
  private mutating func addDots(of object: BoxOverlay.Object) {
    guard !object.isFaint, !object.keypoints.isEmpty, let place = place(of: object.box),
      min(place.right - place.left, place.bottom - place.top) >= Self.leastSide
    else { return }
    let isMesh = object.keypoints.count > 3 * Self.meshPoints
    let shown = stride(from: 0, to: object.keypoints.count - 2, by: 3).map { index in
      Point(
        x: (object.keypoints[index] - Double(overlay.window.x)) * across,
        y: (object.keypoints[index + 1] - Double(overlay.window.y)) * down)
    }.filter { (0...width).contains($0.x) && (0...height).contains($0.y) }
    if !isMesh {
      dots += shown.map { Dot(x: $0.x, y: $0.y, radius: 3, color: Self.casing.color) }
    }
    dots += shown.map {
      Dot(x: $0.x, y: $0.y, radius: isMesh ? 1 : 2, color: object.side.color)
    }
  }

  /// The minimum side of an object whose keypoints are drawn, in layout pixels.
  private static let leastSide = 40.0
  /// The number of keypoints from which they are a mesh, whose dots are small.
  private static let meshPoints = 40

  private static let line = 2.0
  private static let faintLine = 1.0
  /// White under a line keeps it visible on a photo of the same color.
  private static let casing = (color: RGB(255, 255, 255), width: 3.5, opacity: 0.55)
  private static let fill = 0.2

  /// Returns the position of an object's box on the image; `nil` if it is invalid or outside the image.
  private func place(of box: Box) -> (left: Double, top: Double, right: Double, bottom: Double)? {
    // Lines far outside the image are not visible, and cairo's coordinates have 24 bits.
    func near(_ value: Double, _ size: Double) -> Double { min(max(value, -99), size + 99) }
    let left = (box.x - Double(overlay.window.x)) * across
    let top = (box.y - Double(overlay.window.y)) * down
    let right = left + box.width * across
    let bottom = top + box.height * down
    guard left.isFinite, top.isFinite, right.isFinite, bottom.isFinite, right >= left,
      bottom >= top, right >= 0, bottom >= 0, left <= width, top <= height
    else { return nil }
    return (near(left, width), near(top, height), near(right, width), near(bottom, height))
  }

  private func shape(of object: BoxOverlay.Object) -> RegionShape? {
    if let mask = object.mask {
      let window = overlay.window
      let shape = RegionShape(
        mask.cropped(x: window.x, y: window.y, width: window.width, height: window.height),
        width: width, height: height)
      return shape.rings.isEmpty ? nil : shape
    }
    guard let place = place(of: object.box) else { return nil }
    return RegionShape(
      x: place.left, y: place.top, width: place.right - place.left,
      height: place.bottom - place.top)
  }

  private mutating func append(_ object: BoxOverlay.Object) {
    guard let shape = shape(of: object) else { return }
    func add(_ color: RGB, _ lineWidth: Double, _ opacity: Double, _ dash: Dash, fill: Double = 0) {
      outlines.append(
        Outline(
          shape: shape, color: color, fill: fill, lineWidth: lineWidth, dash: dash,
          opacity: opacity))
    }
    guard !object.isFaint else { return add(object.side.color, Self.faintLine, 0.8, .solid) }
    let fill = object.mask == nil ? 0 : Self.fill
    switch object.side {
    case .earlier:
      add(RGB(255, 255, 255), Self.line, 1, .solid)
      add(object.side.color, Self.line, 1, .dashed)
    case .truth, .prediction:
      add(Self.casing.color, Self.casing.width, Self.casing.opacity, .solid)
      add(object.side.color, Self.line, 1, .solid, fill: fill)
    case .annotation:
      add(object.side.color, MaskOverlay.regionLineWidth, 1, .solid, fill: fill)
    }
  }

  /// Places an object's plate where it covers no other plate; the plate is left out if there
  /// is no such place.
  private mutating func name(_ object: BoxOverlay.Object) {
    let words = object.words
    guard !words.isEmpty, let place = place(of: object.box) else { return }
    let text = TextWidth.fitted(words, to: max(width - 8, 8), size: Plate.size)
    let needed = TextWidth.of(text, size: Plate.size) + 8
    let above = place.top - Plate.height - 1
    let below = place.bottom + 1
    let inside = (top: place.top + 1, bottom: place.bottom - Plate.height - 1)
    let rows =
      object.side.standsBeneath
      ? [below, inside.bottom, above, inside.top] : [above, inside.top, below, inside.bottom]
    let colors = object.side.plate
    for y in rows where y >= 0 && y + Plate.height <= height {
      for x in [place.left - 1, place.right - needed + 1] {
        let plate = Plate(
          text: text, x: min(max(x, 0), max(width - needed, 0)), y: y,
          width: min(needed, width), paper: colors.paper, ink: colors.ink)
        guard !plates.contains(where: { $0.overlaps(plate) }) else { continue }
        plates.append(plate)
        return
      }
    }
  }
}
