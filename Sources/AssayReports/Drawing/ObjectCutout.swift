package import AssayCore
package import AssayImaging

/// A crop of an image around some objects, with its overlay.
package struct ObjectCutout: Sendable {
  /// The crop's pixels, 1 or 3 channels, downscaled if there are more than a page shows.
  package let raster: Raster<UInt8>
  package let overlay: BoxOverlay

  /// Crops an image.
  ///
  /// - Parameters:
  ///   - raster: the whole image, at any size.
  ///   - frame: the image size that the boxes refer to.
  ///   - boxes: the boxes to show; the crop includes some context around them.
  ///   - objects: the objects to draw.
  package init(
    of raster: Raster<UInt8>, frame: ImageSize, around boxes: [Box], objects: [BoxOverlay.Object]
  ) {
    let window = Self.window(around: boxes, in: frame)
    overlay = BoxOverlay(window: window, objects: objects)
    let across = Double(raster.width) / Double(frame.width)
    let down = Double(raster.height) / Double(frame.height)
    let isWhole = raster.width == frame.width && raster.height == frame.height
    let pixels =
      isWhole
      ? window
      : PixelRect(
        x: Int(Double(window.x) * across), y: Int(Double(window.y) * down),
        width: max(1, Int((Double(window.width) * across).rounded())),
        height: max(1, Int((Double(window.height) * down).rounded())))
    self.raster = PictureLimits.cutout(Crop.apply(raster, to: pixels) ?? raster)
  }

  /// Shows a whole image, with the space around it that boxes outside of it need: up to half a side in
  /// each direction, light gray.
  ///
  /// - Parameters:
  ///   - raster: the whole image, at any size.
  ///   - frame: the image size that the boxes refer to.
  ///   - boxes: the boxes that must be visible.
  ///   - objects: the objects to draw.
  package init(
    showing raster: Raster<UInt8>, frame: ImageSize, including boxes: [Box],
    objects: [BoxOverlay.Object]
  ) {
    let shown = PictureLimits.cutout(raster)
    let (left, right) = Self.space(boxes.map { ($0.x, $0.x + $0.width) }, beyond: frame.width)
    let (top, bottom) = Self.space(boxes.map { ($0.y, $0.y + $0.height) }, beyond: frame.height)
    overlay = BoxOverlay(
      window: PixelRect(
        x: -left, y: -top, width: left + frame.width + right, height: top + frame.height + bottom),
      objects: objects)
    guard left + right + top + bottom > 0 else {
      self.raster = shown
      return
    }
    func across(_ pixels: Int) -> Int { pixels * shown.width / max(frame.width, 1) }
    func down(_ pixels: Int) -> Int { pixels * shown.height / max(frame.height, 1) }
    var padded = Raster<UInt8>(
      repeating: Self.outside, width: across(left) + shown.width + across(right),
      height: down(top) + shown.height + down(bottom), channels: shown.channels)
    let count = shown.width * shown.channels
    for row in 0..<shown.height {
      let start = ((row + down(top)) * padded.width + across(left)) * shown.channels
      padded.elements.replaceSubrange(
        start..<start + count, with: shown.elements[row * count..<(row + 1) * count])
    }
    self.raster = padded
  }

  /// The gray value around an image.
  private static let outside: UInt8 = 0xD4

  /// The pixels before and after a side that intervals need, with a margin; at most half the side each.
  private static func space(_ spans: [(Double, Double)], beyond side: Int) -> (Int, Int) {
    func needed(_ excess: Double?) -> Int {
      guard let excess, excess > 0 else { return 0 }
      let most = Double(max(1, side / 2))
      return Int(min(excess + max(4, Double(side) / 40), most).rounded(.up))
    }
    let finite = spans.filter { $0.0.isFinite && $0.1.isFinite }
    return (
      needed(finite.map { -$0.0 }.max()), needed(finite.map { $0.1 - Double(side) }.max())
    )
  }

  /// Returns the crop with its overlay drawn, RGB, `longest` pixels on its longer side.
  ///
  /// - Throws: ``ReportError``.
  package func drawn(longest: Int) throws(ReportError) -> Raster<UInt8> {
    try overlay.drawn(over: raster, longest: longest)
  }

  /// The maximum size of a crop in layout pixels: small crops are enlarged by an integer factor,
  /// large ones are fitted.
  static let room = (width: 252, height: 189)
  /// The maximum enlargement of a pixel.
  private static let mostEnlarged = 3
  /// The margin around the boxes on each side, as a share of their longer side.
  private static let margin = 0.35

  /// Returns the boxes' bounds with a margin, in the aspect ratio of ``room``, inside the image;
  /// the whole image without boxes.
  package static func window(around boxes: [Box], in size: ImageSize) -> PixelRect {
    let (width, height) = (Double(size.width), Double(size.height))
    // The part of a box outside the image cannot be shown.
    let clipped = boxes.compactMap { box -> (Double, Double, Double, Double)? in
      let left = min(max(box.x, 0), width)
      let top = min(max(box.y, 0), height)
      let right = min(max(box.x + box.width, 0), width)
      let bottom = min(max(box.y + box.height, 0), height)
      return left <= right && top <= bottom ? (left, top, right, bottom) : nil
    }
    guard let left = clipped.map(\.0).min(), let top = clipped.map(\.1).min(),
      let right = clipped.map(\.2).max(), let bottom = clipped.map(\.3).max()
    else { return PixelRect(size) }
    let around = max(right - left, bottom - top) * margin
    let shape = Double(room.width) / Double(room.height)
    let needed = max(right - left + 2 * around, (bottom - top + 2 * around) * shape)
    let enlarged = needed < 1 ? mostEnlarged : Int(min(Double(room.width) / needed, 99))
    let factor = min(enlarged, mostEnlarged)
    let across = factor > 0 ? room.width / factor : Int(needed.rounded(.up))
    let down = factor > 0 ? room.height / factor : Int((needed / shape).rounded(.up))
    let (x, columns) = span(middle: (left + right) / 2, length: across, limit: size.width)
    let (y, rows) = span(middle: (top + bottom) / 2, length: down, limit: size.height)
    return PixelRect(x: x, y: y, width: columns, height: rows)
  }

  /// Returns an interval of some length around a middle, moved inside `0..<limit`.
  private static func span(middle: Double, length: Int, limit: Int) -> (Int, Int) {
    let count = min(max(1, length), limit)
    let start = Int((middle - Double(count) / 2).rounded())
    return (min(max(start, 0), limit - count), count)
  }
}

extension ObjectCutout {
  /// Returns a blank image to use if the image is unavailable: boxes alone are still informative.
  package static func blank(_ size: ImageSize) -> Raster<UInt8> {
    Raster(repeating: 0xEC, width: size.width, height: size.height)
  }
}
