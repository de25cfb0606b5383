package import AssayCore

/// The rule that resizes an image of any aspect ratio to a model's input size.
package enum ResizeRule: Hashable, Sendable {
  /// Width and height scaled independently; the aspect ratio can change.
  case stretch
  /// The largest centered rectangle with the target's aspect ratio; the rest is cropped.
  case centerCrop
  /// The whole image with its aspect ratio kept; the rest of the target is filled with one value
  /// (0...255, all channels).
  case letterbox(fill: UInt8, anchor: LetterboxAnchor)
}

/// The position of a letterboxed image in its target.
package enum LetterboxAnchor: String, CaseIterable, Sendable, Codable {
  case topLeft = "top-left"
  case center
}

/// A resize rule applied to one pair of sizes: the mapping from source pixels to target pixels.
package struct ResizePlan: Hashable, Sendable {
  package let source: ImageSize
  package let target: ImageSize
  /// The value around the image.
  package let fill: UInt8
  /// The source pixels that are used.
  package let crop: PixelRect
  /// Their position in the target.
  package let placement: PixelRect

  /// For odd remainders, the smaller half is before the image. A letterboxed side is rounded down
  /// to whole pixels, as in YOLOX, to at least 1.
  package init(_ rule: ResizeRule, from source: ImageSize, to target: ImageSize) {
    self.source = source
    self.target = target
    // Compares source.width/source.height with target.width/target.height.
    let (wide, tall) = (source.width * target.height, source.height * target.width)
    switch rule {
    case .stretch:
      fill = 0
      crop = PixelRect(source)
      placement = PixelRect(target)
    case .centerCrop:
      fill = 0
      var (width, height) = (source.width, source.height)
      if wide > tall { width = max(1, (2 * tall + target.height) / (2 * target.height)) }
      if wide < tall { height = max(1, (2 * wide + target.width) / (2 * target.width)) }
      crop = PixelRect(
        x: (source.width - width) / 2, y: (source.height - height) / 2, width: width,
        height: height)
      placement = PixelRect(target)
    case .letterbox(let fill, let anchor):
      self.fill = fill
      crop = PixelRect(source)
      var (width, height) = (target.width, target.height)
      if wide > tall { height = max(1, source.height * target.width / source.width) }
      if wide < tall { width = max(1, source.width * target.height / source.height) }
      let isCentred = anchor == .center
      placement = PixelRect(
        x: isCentred ? (target.width - width) / 2 : 0,
        y: isCentred ? (target.height - height) / 2 : 0, width: width, height: height)
    }
  }

  /// A source point in the target's coordinates (origin at the corner of the top-left pixel).
  package func targetPoint(x: Double, y: Double) -> (x: Double, y: Double) {
    (
      (x - Double(crop.x)) * Double(placement.width) / Double(crop.width) + Double(placement.x),
      (y - Double(crop.y)) * Double(placement.height) / Double(crop.height) + Double(placement.y)
    )
  }

  /// The source point for a target point: the inverse of ``targetPoint(x:y:)``.
  package func sourcePoint(x: Double, y: Double) -> (x: Double, y: Double) {
    (
      (x - Double(placement.x)) * Double(crop.width) / Double(placement.width) + Double(crop.x),
      (y - Double(placement.y)) * Double(crop.height) / Double(placement.height) + Double(crop.y)
    )
  }
}

extension ResizePlan {
  /// The target raster, bilinear, rounded to 8 bits as in OpenCV.
  ///
  /// - Precondition: `raster` has the plan's source size.
  package func apply(to raster: Raster<UInt8>) -> Raster<UInt8> {
    let resized = Resize.bilinear(cropped(raster), to: placementSize)
    return placed(resized, fill: fill)
  }

  /// The target raster, bilinear, in float32 (0...255), not rounded.
  ///
  /// - Precondition: `raster` has the plan's source size.
  package func applyUnrounded(to raster: Raster<UInt8>) -> Raster<Float> {
    let resized = Resize.bilinearUnrounded(cropped(raster), to: placementSize)
    return placed(resized, fill: Float(fill))
  }

  private var placementSize: ImageSize {
    ImageSize(width: placement.width, height: placement.height)
  }

  private func cropped(_ raster: Raster<UInt8>) -> Raster<UInt8> {
    precondition(raster.width == source.width && raster.height == source.height)
    return Crop.apply(raster, to: crop) ?? raster
  }

  private func placed<Element>(_ picture: Raster<Element>, fill: Element) -> Raster<Element> {
    if placement == PixelRect(target) { return picture }
    var result = Raster(
      repeating: fill, width: target.width, height: target.height, channels: picture.channels)
    let length = picture.width * picture.channels
    for row in 0..<picture.height {
      let start = ((placement.y + row) * target.width + placement.x) * picture.channels
      result.elements.replaceSubrange(
        start..<start + length, with: picture.elements[row * length..<(row + 1) * length])
    }
    return result
  }
}
