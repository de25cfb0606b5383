package import AssayCore

/// The encodings that assay reads.
package enum ImageKind: String, CaseIterable, Sendable {
  case png
  case jpeg

  /// The format according to the first bytes, whatever the file's name; `nil` for all others.
  package static func detect(_ bytes: UnsafeRawBufferPointer) -> ImageKind? {
    if bytes.starts(with: PNGHeader.signature) { return .png }
    if bytes.starts(with: [0xFF, 0xD8, 0xFF]) { return .jpeg }
    return nil
  }
}

/// The facts in an image file's header, known before its pixels are decoded.
package struct ImageHeader: Hashable, Sendable {
  package var kind: ImageKind
  /// The size as stored, in pixels, within ``ImageSize/pixelLimit``.
  package var size: ImageSize
  /// The number of values per pixel in the file: 1 gray or palette index, 2 gray and alpha, 3 RGB
  /// or YCbCr, 4 RGB and alpha or CMYK.
  package var channels: Int
  /// Bits per value in the file: 1, 2, 4, 8 or 16.
  package var bitDepth: Int
  /// True if the values are indices into a palette.
  package var isPalette: Bool
  /// The rotation and flip that the stored pixels need for viewing.
  package var orientation: Orientation
  /// True for a JPEG that stores the image in several scans of growing detail.
  package var isProgressive = false

  /// The displayed size of the image, which decoding returns: ``size`` with its sides swapped if
  /// the orientation is a quarter turn.
  package var orientedSize: ImageSize {
    orientation.swapsSides ? ImageSize(width: size.height, height: size.width) : size
  }
}
