import AssayCore

/// An image format: what its files begin with, what their headers say and how their pixels are decoded.
protocol ImageFormat {
  /// Returns whether bytes are the beginning of such a file; 32 bytes suffice.
  static func isStart(_ bytes: UnsafeRawBufferPointer) -> Bool

  /// Reads the header of a file or of a prefix of it.
  ///
  /// - Throws: ``ImageError``; ``ImageError/truncated(_:)`` if the prefix is too short.
  static func header(_ bytes: UnsafeRawBufferPointer) throws(ImageError) -> ImageHeader

  /// Decodes a whole file.
  ///
  /// - Parameters:
  ///   - header: the one that ``header(_:)`` read from the same bytes.
  ///   - raw: whether palette indices and gray below 8 bits are kept unchanged.
  /// - Returns: 1 or 3 channels, as stored, not oriented.
  /// - Throws: ``ImageError``.
  static func decode(
    _ bytes: UnsafeRawBufferPointer, header: ImageHeader, raw: Bool
  ) throws(ImageError) -> Raster<UInt8>

  /// Decodes one channel of 16 bits: gray, with or without alpha.
  ///
  /// - Precondition: the header has a bit depth of 16, 1 or 2 channels, and is not lossy.
  /// - Throws: ``ImageError``.
  static func decodeWide(
    _ bytes: UnsafeRawBufferPointer, header: ImageHeader
  ) throws(ImageError) -> Raster<UInt16>
}

extension ImageFormat {
  /// A format without 16 bits.
  static func decodeWide(
    _: UnsafeRawBufferPointer, header: ImageHeader
  ) throws(ImageError) -> Raster<UInt16> {
    throw .unsupported(header.kind, reason: "\(header.bitDepth) bits per value")
  }
}

extension ImageKind {
  /// The code that reads the format.
  var format: any ImageFormat.Type {
    switch self {
    case .png: PNGFormat.self
    case .jpeg: JPEGFormat.self
    case .webp: WebPFormat.self
    case .tiff: TIFFFormat.self
    case .bmp: BMPFormat.self
    case .pnm: PNMFormat.self
    }
  }
}

enum PNGFormat: ImageFormat {
  static func isStart(_ bytes: UnsafeRawBufferPointer) -> Bool {
    bytes.starts(with: PNGHeader.signature)
  }

  static func header(_ bytes: UnsafeRawBufferPointer) throws(ImageError) -> ImageHeader {
    try PNGHeader.read(bytes)
  }

  static func decode(
    _ bytes: UnsafeRawBufferPointer, header: ImageHeader, raw: Bool
  ) throws(ImageError) -> Raster<UInt8> {
    try PNGDecoder.decode(bytes, header: header, raw: raw)
  }

  static func decodeWide(
    _ bytes: UnsafeRawBufferPointer, header: ImageHeader
  ) throws(ImageError) -> Raster<UInt16> {
    try PNGDecoder.decodeWide(bytes, header: header)
  }
}

enum JPEGFormat: ImageFormat {
  static func isStart(_ bytes: UnsafeRawBufferPointer) -> Bool {
    bytes.starts(with: [0xFF, 0xD8, 0xFF])
  }

  static func header(_ bytes: UnsafeRawBufferPointer) throws(ImageError) -> ImageHeader {
    try JPEGHeader.read(bytes)
  }

  static func decode(
    _ bytes: UnsafeRawBufferPointer, header: ImageHeader, raw: Bool
  ) throws(ImageError) -> Raster<UInt8> {
    try JPEGDecoder.decode(bytes, header: header)
  }
}
