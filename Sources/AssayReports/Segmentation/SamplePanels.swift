import AssayCore
import AssayImaging

/// The images of an evaluated sample for the page: one photo with outlines, or a photo next
/// to two label maps.
struct SamplePanels: Sendable {
  /// One image.
  struct Panel: Sendable {
    /// The label of the panel's content; empty if there is only one panel.
    let name: String
    /// The size in layout units.
    let size: ImageSize
    /// The image as a data URI.
    let source: String
    /// True if its pixels are larger than a layout unit.
    let isEnlarged: Bool
    /// The SVG drawn over the image.
    let overlay: String

    /// The number of bytes it takes on the page.
    var bytes: Int { source.utf8.count + overlay.utf8.count }

    /// Returns the image and its overlay as one SVG element.
    func svg(spoken: String) -> String {
      let (width, height) = (size.width, size.height)
      let style = isEnlarged ? "photo pixels" : "photo"
      return "<svg class=\"\(style)\" viewBox=\"0 0 \(width) \(height)\" width=\"\(width)\""
        + " height=\"\(height)\" role=\"img\" aria-label=\"\(spoken.markupEscaped)\">"
        + "<image href=\"\(source)\" width=\"\(width)\" height=\"\(height)\"/>\(overlay)</svg>"
    }
  }

  let panels: [Panel]

  /// The number of bytes that all panels take on the page.
  var bytes: Int { panels.reduce(0) { $0 + $1.bytes } }

  /// - Throws: ``ReportError/channels(_:)``, ``ReportError/drawing(_:)``.
  init(_ picture: EvaluatedImage, hasBackground: Bool) throws(ReportError) {
    func map(_ labels: Raster<UInt8>) -> Raster<UInt8> {
      LabelMap.picture(of: PictureLimits.photoLabels(labels), hasBackground: hasBackground)
    }
    switch picture.content {
    case .masks(let truth, let prediction, let void):
      let overlay = MaskOverlay.evaluated(truth: truth, prediction: prediction, void: void)
      panels = [try Self.panel("", picture.raster, overlay)]
    case .labels(let truth, let prediction):
      panels = [
        try Self.panel("image", picture.raster, nil),
        try Self.panel("ground truth", map(truth), nil, isPhoto: false),
        try Self.panel(
          "prediction", map(prediction), Self.pale(truth, prediction), isPhoto: false),
      ]
    }
  }

  /// Returns an overlay that fades correct and void pixels, so that wrong ones stand out.
  private static func pale(_ truth: Raster<UInt8>, _ prediction: Raster<UInt8>) -> MaskOverlay? {
    guard truth.width == prediction.width, truth.height == prediction.height,
      ImageSize.checked(width: truth.width, height: truth.height) != nil
    else { return nil }
    var right = truth
    for index in right.elements.indices {
      let isRight =
        truth.elements[index] == prediction.elements[index]
        || truth.elements[index] == LabelMap.void
      right.elements[index] = isRight ? 1 : 0
    }
    return MaskOverlay(
      layers: [.init(mask: Mask(right), fill: (RGB(255, 255, 255), paleOpacity))])
  }

  private static let paleOpacity = 0.7

  /// The minimum displayed length of small images, which are shown at integer
  /// multiples of their pixels.
  private static let leastShown = 320

  private static func panel(
    _ name: String, _ raster: Raster<UInt8>, _ overlay: MaskOverlay?, isPhoto: Bool = true
  ) throws(ReportError) -> Panel {
    guard raster.channels == 1 || raster.channels == 3 else { throw .channels(raster.channels) }
    let longest = max(raster.width, raster.height)
    let size = PhotoSize.shown(
      width: raster.width, height: raster.height, longest: max(longest, leastShown))
    return Panel(
      name: name, size: size, source: try source(raster, isPhoto: isPhoto),
      isEnlarged: size.width > raster.width,
      overlay: overlay?.svg(width: Double(size.width), height: Double(size.height)) ?? "")
  }

  /// Encodes photos as JPEG, small images and label maps as PNG.
  private static func source(
    _ raster: Raster<UInt8>, isPhoto: Bool
  ) throws(ReportError) -> String {
    do {
      guard isPhoto, max(raster.width, raster.height) > PictureLimits.longest else {
        return "data:image/png;base64," + Base64.text(of: try ImageCodec.encodePNG(raster))
      }
      let jpeg = try ImageCodec.encodeJPEG(raster, quality: 84)
      return "data:image/jpeg;base64," + Base64.text(of: jpeg)
    } catch {
      throw .drawing("\(error)")
    }
  }
}
