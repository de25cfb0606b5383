package import AssayCore
import AssayImaging

/// A drawing over an image that shows regions: filled shapes and outlines, from bottom to top.
///
/// Colors are fixed, on dark screens too: they are drawn on photos, not on the page.
package struct MaskOverlay: Sendable {
  /// One class's region in an image that shows only one side.
  package struct Region: Sendable {
    /// The class's place in the legend, which determines the color; `nil`, for regions excluded
    /// from the evaluation, is gray.
    package var place: Int?
    /// The text written on the region; empty for none.
    package var name: String
    package var mask: Mask

    package init(place: Int?, name: String = "", mask: Mask) {
      self.place = place
      self.name = name
      self.mask = mask
    }
  }

  /// One shape with its fill and line.
  struct Layer: Sendable {
    var mask: Mask
    /// The color and opacity of the interior; `nil` for none.
    var fill: (color: RGB, opacity: Double)?
    /// The color and width of the outline in displayed pixels; `nil` for none.
    var line: (color: RGB, width: Double, dash: Dash)?
  }

  /// A name at a position in the image, in the mask's pixels.
  struct Name: Sendable {
    var text: String
    var x: Double
    var y: Double
  }

  var layers: [Layer]
  var names: [Name] = []

  /// The number of classes with distinct colors; further classes have darker and lighter shades
  /// of the same colors.
  package static let distinctColors = ClassColor.distinct

  /// The width of outlines in displayed pixels.
  static let lineWidth = 2.0
  /// The line width for outlines of many regions on one small image.
  static let regionLineWidth = 1.5
  /// The opacity of filled misses and false positives.
  static let differenceOpacity = 0.35

  /// Returns an overlay of ground truth and prediction as outlines; misses are filled in the
  /// ground truth's color, false positives in the prediction's, both at 35 %; void pixels are
  /// gray and in neither.
  package static func evaluated(truth: Mask, prediction: Mask, void: Mask? = nil) -> MaskOverlay {
    var misses = truth.subtracting(prediction)
    var extra = prediction.subtracting(truth)
    var layers: [Layer] = []
    if let void, !void.isEmpty {
      misses = misses.subtracting(void)
      extra = extra.subtracting(void)
      layers.append(Layer(mask: void, fill: (ClassColor.void.0, 0.6)))
    }
    layers += [
      Layer(mask: misses, fill: (Ink.truth.light, differenceOpacity)),
      Layer(mask: extra, fill: (Ink.prediction.light, differenceOpacity)),
    ]
    return MaskOverlay(layers: layers + lines(truth: truth, prediction: prediction))
  }

  /// Returns an overlay of the ground truth and the predictions of two runs, each as an outline;
  /// the earlier run's in dashes of black and white.
  package static func compared(truth: Mask, first: Mask, second: Mask) -> MaskOverlay {
    MaskOverlay(
      layers: [
        Layer(mask: first, line: (RGB(255, 255, 255), lineWidth, .solid)),
        Layer(mask: first, line: (RGB(0, 0, 0), lineWidth, .dashed)),
      ] + lines(truth: truth, prediction: second))
  }

  /// Returns an overlay of the ground truth's regions and of predicted ones as outlines only; the
  /// names of the predicted regions are written on them, their places are ignored.
  package static func outlined(truth: [Mask], prediction: [Region]) -> MaskOverlay {
    var overlay = MaskOverlay(layers: [])
    for mask in truth {
      overlay.layers.append(Layer(mask: mask, line: (Ink.truth.light, lineWidth, .solid)))
    }
    for region in prediction {
      overlay.layers.append(
        Layer(mask: region.mask, line: (Ink.prediction.light, lineWidth, .solid)))
      if !region.name.isEmpty, let center = region.mask.centerOfMass {
        overlay.names.append(Name(text: region.name, x: center.x, y: center.y))
      }
    }
    if !prediction.isEmpty {
      for mask in truth {
        overlay.layers.append(Layer(mask: mask, line: (Ink.truth.light, lineWidth, .dashed)))
      }
    }
    return overlay
  }

  /// Returns an overlay of the regions of one side, the largest at the bottom: each outlined and
  /// lightly filled in its class's color, with its name if it has one.
  package static func regions(_ regions: [Region]) -> MaskOverlay {
    let sorted = regions.enumerated().map { ($0.offset, $0.element, $0.element.mask.area) }
      .filter { $0.2 > 0 }.sorted { ($1.2, $0.0) < ($0.2, $1.0) }.map(\.1)
    var overlay = MaskOverlay(layers: [])
    for region in sorted {
      guard let place = region.place else {
        overlay.layers.append(Layer(mask: region.mask, fill: (ClassColor.void.0, 0.6)))
        continue
      }
      let color = ClassColor.of(place)
      overlay.layers.append(
        Layer(
          mask: region.mask, fill: (color, 0.25), line: (color, regionLineWidth, .solid)))
      if !region.name.isEmpty, let center = region.mask.centerOfMass {
        overlay.names.append(Name(text: region.name, x: center.x, y: center.y))
      }
    }
    return overlay
  }

  /// Returns the outlines of ground truth and prediction, with the ground truth repeated in dashes
  /// above both: a shared line shows both colors.
  private static func lines(truth: Mask, prediction: Mask) -> [Layer] {
    [
      Layer(mask: truth, line: (Ink.truth.light, lineWidth, .solid)),
      Layer(mask: prediction, line: (Ink.prediction.light, lineWidth, .solid)),
      Layer(mask: truth, line: (Ink.truth.light, lineWidth, .dashed)),
    ]
  }
}

extension MaskOverlay {
  /// Returns the image resized to `longest` pixels on its longer side with the overlay
  /// drawn over it, RGB.
  ///
  /// - Parameter raster: 1 or 3 channels, of any size: masks are scaled to it.
  /// - Throws: ``ReportError``.
  package func drawn(
    over raster: Raster<UInt8>, longest: Int
  ) throws(ReportError) -> Raster<UInt8> {
    let canvas = try Canvas(showing: raster, longest: longest)
    try draw(on: canvas, x: 0, y: 0, width: Double(canvas.width), height: Double(canvas.height))
    return try canvas.raster()
  }

  /// Draws the overlay over an image whose top left corner is at (x, y).
  ///
  /// - Throws: ``ReportError/noFont``.
  func draw(
    on canvas: Canvas, x: Double, y: Double, width: Double, height: Double
  ) throws(ReportError) {
    for layer in layers {
      let rings = RegionShape(layer.mask, width: width, height: height).rings.map { ring in
        ring.map { Point(x: $0.x + x, y: $0.y + y) }
      }
      if let fill = layer.fill {
        canvas.fillRings(rings, Paint(fill.color, opacity: fill.opacity))
      }
      if let line = layer.line {
        canvas.strokeRings(
          rings, Paint(line.color), lineWidth: line.width, dash: line.dash.lengths)
      }
    }
    guard let size = layers.first?.mask.size else { return }
    for name in names {
      let at = Point(
        x: x + name.x * width / Double(size.width), y: y + name.y * height / Double(size.height))
      try canvas.drawNamePlate(name.text, at: at, within: x...max(x, x + width))
    }
  }
}

extension MaskOverlay {
  /// Returns the overlay as an SVG group over an image of `width` × `height` units; lines keep
  /// their width at every size.
  func svg(width: Double, height: Double) -> String {
    var text = "<g class=\"overlay\" transform=\"scale(.5)\">"
    for layer in layers {
      let shape = RegionShape(layer.mask, width: width, height: height)
      guard !shape.rings.isEmpty else { continue }
      text += "<path"
      if let fill = layer.fill {
        text += " fill=\"\(fill.color.css)\" fill-opacity=\"\(NumberText.short(fill.opacity))\""
        text += " fill-rule=\"evenodd\""
      } else {
        text += " fill=\"none\""
      }
      if let line = layer.line {
        text += " stroke=\"\(line.color.css)\" stroke-width=\"\(NumberText.short(line.width))\""
        text += " stroke-linejoin=\"round\" vector-effect=\"non-scaling-stroke\""
        if line.dash != .solid {
          let lengths = line.dash.lengths.map { NumberText.short($0) }
          text += " stroke-dasharray=\"\(lengths.joined(separator: " "))\""
        }
      }
      text += " d=\"\(shape.pathData)\"/>"
    }
    return text + "</g>"
  }
}
