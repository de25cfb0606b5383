package import AssayImaging

/// Names of image files.
package enum ImageName {
  /// The suffixes that are tried for an image that is named without one: the most frequent first.
  static let suffixes = [
    ".jpg", ".png", ".jpeg", ".JPG", ".PNG", ".JPEG", ".webp", ".bmp", ".tif", ".tiff", ".BMP",
    ".TIF", ".TIFF", ".ppm", ".pgm",
  ]

  /// The names that an image with a stem can have.
  ///
  /// - Parameter stem: a name or path without its suffix.
  static func candidates(_ stem: some StringProtocol) -> [String] {
    suffixes.map { stem + $0 }
  }

  /// Returns whether a file has the suffix of an image that can be a mask.
  package static func isMask(_ path: String) -> Bool {
    ImageKind(named: path)?.keepsValues ?? false
  }

  /// The suffix of a path, with the dot, in lower case; empty for a name without one.
  static func suffix(_ path: String) -> String {
    path.lastIndex(of: ".").map { path[$0...].lowercased() } ?? ""
  }
}
