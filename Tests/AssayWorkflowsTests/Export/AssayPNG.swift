import AssayCore
import AssayImaging

/// PNGs for tests.
enum AssayPNG {
  static func bytes(_ raster: Raster<UInt8>) throws -> [UInt8] { try ImageCodec.encodePNG(raster) }

  static func stored(_ bytes: [UInt8]) throws -> Raster<UInt8> {
    try ImageCodec.decode(bytes, as: .stored)
  }
}
