package import AssayCore

extension ResizePlan {
  /// The target raster, bilinear, rounded to 8 bits as OpenCV does.
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
