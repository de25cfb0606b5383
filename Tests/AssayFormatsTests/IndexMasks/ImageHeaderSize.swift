import AssayImaging

/// The size that an image's header states.
enum ImageHeaderSize {
  static func of(_ bytes: [UInt8]) throws -> (width: Int, height: Int) {
    let size = try ImageCodec.header(of: bytes).orientedSize
    return (size.width, size.height)
  }
}
