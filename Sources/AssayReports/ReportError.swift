/// An error in drawing an image, a chart or a report.
package enum ReportError: Error, Equatable {
  /// Cairo finds no font, so text would silently be missing from an image.
  case noFont
  /// An image of this size cannot be drawn; cairo's limit is 32,767 pixels per side.
  case pictureTooLarge(width: Int, height: Int)
  /// Cairo failed to draw; the value is its error message.
  case drawing(String)
  /// A raster has neither one channel (gray) nor three (red, green, blue).
  case channels(Int)
  /// A built-in template does not parse: a bug in this program.
  case template(name: String, reason: String)
  /// Two lists that belong together have different lengths.
  case mismatch(what: String, expected: Int, found: Int)
}

extension ReportError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .noFont:
      "no font for the text in images: install one with 'apt-get install fonts-dejavu-core'"
    case .pictureTooLarge(let width, let height):
      "an image of \(width)×\(height) pixels is too large to draw (maximum 32,767 per side): "
        + "show fewer samples with --limit"
    case .drawing(let reason):
      "cairo could not draw: \(reason)"
    case .channels(let count):
      "unsupported image with \(count) channels: expected 1 (gray) or 3 (color)"
    case .template(let name, let reason):
      "the built-in template '\(name)' is invalid: \(reason)"
    case .mismatch(let what, let expected, let found):
      "the report's \(what) is invalid: expected \(expected) entries, found \(found)"
    }
  }
}
