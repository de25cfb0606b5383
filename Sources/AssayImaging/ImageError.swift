import AssayCore

/// The reasons why an image could not be read or written.
package enum ImageError: Error, Hashable, Sendable {
  /// No bytes at all.
  case empty
  /// None of ``ImageKind``; up to 8 of the first bytes.
  case unknownKind(firstBytes: [UInt8])
  /// The file ends before its image does, or is too short for the size in its header.
  case truncated(ImageKind)
  /// The bytes violate the format; with the decoder's reason.
  case damaged(ImageKind, reason: String)
  /// A valid file of a kind that assay does not decode.
  case unsupported(ImageKind, reason: String)
  /// A side of zero or below.
  case noPixels(ImageKind)
  /// More pixels than ``ImageSize/pixelLimit``.
  case tooLarge(ImageKind, width: Int, height: Int)
  /// A raster that PNG or JPEG cannot store.
  case notEncodable(width: Int, height: Int, channels: Int)
  /// There is not enough memory for the decoder.
  case outOfMemory(ImageKind)
}

extension ImageError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .empty:
      "the file is empty"
    case .unknownKind(let bytes):
      Self.foreign(bytes).map {
        "\($0), which is not read; convert it to PNG (ImageMagick: mogrify -format png FILE)"
      } ?? """
        no JPEG, PNG, WebP, TIFF, BMP or PNM (it starts with \(Self.hexadecimal(bytes))); convert it to one \
        of them
        """
    case .truncated(let kind):
      "the \(kind.name) ends before its image does; fetch or copy the file again"
    case .damaged(let kind, let reason):
      "the \(kind.name) is damaged: \(reason)"
    case .unsupported(let kind, let reason):
      "unsupported \(kind.name): \(reason); save it as an 8-bit PNG"
    case .noPixels(let kind):
      "the \(kind.name) has a size of 0 pixels"
    case .tooLarge(let kind, let width, let height):
      """
      the \(kind.name) has \(width)×\(height) pixels, over the limit of \
      \(ImageSize.pixelLimit / 1_000_000) megapixels; make it smaller
      """
    case .notEncodable(let width, let height, let channels):
      "a raster of \(width)×\(height) with \(channels) channels cannot be written as an image"
    case .outOfMemory(let kind):
      "there is not enough memory to decode the \(kind.name)"
    }
  }

  /// The name of a known format that is not read, with its article; `nil` for others.
  private static func foreign(_ bytes: [UInt8]) -> String? {
    let names: [(start: [UInt8], name: String)] = [
      (Array("GIF8".utf8), "a GIF"), ([0, 0, 0, 0x0C, 0x6A, 0x50], "a JPEG 2000 image"),
      ([0xFF, 0x4F, 0xFF, 0x51], "a JPEG 2000 image"), ([0xFF, 0x0A], "a JPEG XL image"),
      ([0, 0, 0, 0x0C, 0x4A, 0x58], "a JPEG XL image"), (Array("8BPS".utf8), "a Photoshop file"),
      ([0x76, 0x2F, 0x31, 0x01], "an OpenEXR image"),
    ]
    if let found = names.first(where: { bytes.starts(with: $0.start) }) { return found.name }
    return bytes.count >= 8 && bytes[4..<8].elementsEqual("ftyp".utf8)
      ? "an HEIC, AVIF or video file" : nil
  }

  private static func hexadecimal(_ bytes: [UInt8]) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined(separator: " ")
  }
}

extension ImageKind {
  /// The name for display.
  package var name: String {
    switch self {
    case .png: "PNG"
    case .jpeg: "JPEG"
    case .webp: "WebP"
    case .tiff: "TIFF"
    case .bmp: "BMP"
    case .pnm: "PNM"
    }
  }
}
