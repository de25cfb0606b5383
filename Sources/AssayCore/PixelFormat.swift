/// The layout of embedded pixels in memory and in the catalog's `pixels` table.
package enum PixelFormat: String, CaseIterable, Sendable, Codable {
  /// One byte per pixel, row-major.
  case gray8
  /// Three bytes per pixel (red, green, blue), row-major, interleaved.
  case rgb8

  /// Bytes per pixel.
  package var channels: Int {
    switch self {
    case .gray8: 1
    case .rgb8: 3
    }
  }
}
