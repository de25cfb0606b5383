import AssayCore
import CImageCodecs

extension Raster<UInt8> {
  /// The values of 16 bits whose two bytes are the channels, in the processor's order.
  ///
  /// - Precondition: 2 channels.
  func joined(kind: ImageKind) throws(ImageError) -> Raster<UInt16> {
    precondition(channels == 2)
    let values = [UInt16](unsafeUninitializedCapacity: width * height) { target, count in
      elements.withUnsafeBytes { UnsafeMutableRawBufferPointer(target).copyMemory(from: $0) }
      count = width * height
    }
    guard let raster = Raster<UInt16>(width: width, height: height, elements: values) else {
      throw .outOfMemory(kind)
    }
    return raster
  }
}

/// Lends Swift memory to the C decoders and converts their statuses to errors.
enum CodecBuffer {
  /// Allocates a raster of `shape`, lets `decode` fill all of it, and returns it on success.
  static func fill(
    kind: ImageKind, shape: image_codecs_shape,
    _ decode: (UnsafeMutablePointer<UInt8>?, UnsafeMutablePointer<CChar>?) -> image_codecs_status
  ) throws(ImageError) -> Raster<UInt8> {
    let (width, height) = (Int(shape.width), Int(shape.height))
    let total = width * height * Int(shape.channels)
    var status = IMAGE_CODECS_OUT_OF_MEMORY
    var reason = ""
    let pixels = [UInt8](unsafeUninitializedCapacity: total) { buffer, count in
      (status, reason) = withMessage { decode(buffer.baseAddress, $0) }
      count = status == IMAGE_CODECS_OK ? total : 0
    }
    if let error = error(status, kind: kind, reason: reason) { throw error }
    guard
      let raster = Raster(
        width: width, height: height, channels: Int(shape.channels), elements: pixels)
    else { throw .outOfMemory(kind) }
    return raster
  }

  /// Runs `body` with space for a C message and returns both.
  static func withMessage(
    _ body: (UnsafeMutablePointer<CChar>?) -> image_codecs_status
  ) -> (image_codecs_status, String) {
    withUnsafeTemporaryAllocation(
      of: CChar.self, capacity: Int(IMAGE_CODECS_MESSAGE_SIZE)
    ) { message in
      message.initialize(repeating: 0)
      let status = body(message.baseAddress)
      let text = message.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
      return (status, String(decoding: text, as: UTF8.self))
    }
  }

  private static func error(
    _ status: image_codecs_status, kind: ImageKind, reason: String
  ) -> ImageError? {
    switch status {
    case IMAGE_CODECS_OK: nil
    case IMAGE_CODECS_TRUNCATED: .truncated(kind)
    case IMAGE_CODECS_UNSUPPORTED: .unsupported(kind, reason: reason)
    case IMAGE_CODECS_OUT_OF_MEMORY: .outOfMemory(kind)
    default: .damaged(kind, reason: reason)
    }
  }
}
