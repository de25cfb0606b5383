package import AssayCore

/// The encodings that assay reads.
package enum ImageKind: String, CaseIterable, Sendable {
  case png
  case jpeg
  case webp
  case tiff
  case bmp
  /// Netpbm's PBM, PGM and PPM.
  case pnm

  /// The format according to the first bytes, whatever the file's name; `nil` for all others.
  ///
  /// - Parameter bytes: the first ``detectedLength`` bytes of the file, or all of a shorter one.
  package static func detect(_ bytes: UnsafeRawBufferPointer) -> ImageKind? {
    allCases.first { $0.format.isStart(bytes) }
  }

  /// The number of first bytes that tell the format.
  package static let detectedLength = 32

  /// The format that a file's suffix names; `nil` for other suffixes. The bytes of the file decide, see
  /// ``detect(_:)``.
  ///
  /// - Parameter path: a path or name; upper and lower case are the same.
  package init?(named path: String) {
    // The longest suffix has five bytes.
    let tail = path.utf8.suffix(5)
    guard let dot = tail.lastIndex(of: UInt8(ascii: ".")) else { return nil }
    switch String(decoding: tail[dot...], as: UTF8.self).lowercased() {
    case ".jpg", ".jpeg", ".jpe", ".jfif": self = .jpeg
    case ".png": self = .png
    case ".webp": self = .webp
    case ".tif", ".tiff": self = .tiff
    case ".bmp", ".dib": self = .bmp
    case ".pnm", ".ppm", ".pgm", ".pbm": self = .pnm
    default: return nil
    }
  }

  /// The usual suffix of the format's files, without the dot.
  package var suffix: String {
    switch self {
    case .jpeg: "jpg"
    case .png: "png"
    case .webp: "webp"
    case .tiff: "tif"
    case .bmp: "bmp"
    case .pnm: "ppm"
    }
  }

  /// True for the formats whose files usually keep each value, so that they can be masks. WebP has a lossless
  /// kind, which is rare.
  package var keepsValues: Bool { self != .jpeg && self != .webp }
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
  /// True if the values are not those that were stored: of JPEG, of WebP but for its lossless kind, and of
  /// JPEG within TIFF. Such a file is no mask.
  package var isLossy = false

  /// The displayed size of the image, which decoding returns: ``size`` with its sides swapped if
  /// the orientation is a quarter turn.
  package var orientedSize: ImageSize {
    orientation.swapsSides ? ImageSize(width: size.height, height: size.width) : size
  }
}
