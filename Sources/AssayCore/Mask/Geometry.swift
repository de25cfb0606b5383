/// An annotation's outline or region, as its source defines it.
package enum Geometry: Hashable, Sendable {
  /// Polygons `x0, y0, x1, y1, …` in pixels; the region is their union.
  case polygons([[Double]])
  /// Run lengths.
  case mask(Mask)
  /// Open lines `x0, y0, x1, y1, …` in pixels.
  case polylines([[Double]])
  /// Points `x0, y0, x1, y1, …` in pixels.
  case points([Double])

  /// The region's pixels in an image; none for lines and points.
  ///
  /// Run lengths with a different size than the image are cropped or extended at the right and the
  /// bottom.
  package func mask(in size: ImageSize) -> Mask {
    switch self {
    case .polygons(let polygons): Mask(polygons: polygons, size: size)
    case .mask(let mask):
      mask.size == size
        ? mask : mask.cropped(x: 0, y: 0, width: size.width, height: size.height)
    case .polylines, .points: Mask(emptyOf: size)
    }
  }
}
