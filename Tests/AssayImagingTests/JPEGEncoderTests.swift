import AssayCore
import AssayImaging
import Testing

@Suite struct JPEGEncoderTests {
  private func gradient(channels: Int) -> Raster<UInt8> {
    var raster = Raster<UInt8>(repeating: 90, width: 64, height: 48, channels: channels)
    for y in 0..<48 { for x in 0..<64 { raster[x, y, 0] = UInt8(x * 2 + y) } }
    return raster
  }

  @Test("What is written reads back nearly the same, in gray and color", arguments: [1, 3])
  func roundTrip(channels: Int) throws {
    let raster = gradient(channels: channels)
    let bytes = try ImageCodec.encodeJPEG(raster, quality: 95)
    let read = try ImageCodec.decode(bytes, as: .native)
    #expect(read.width == 64 && read.height == 48 && read.channels == channels)
    for (a, b) in zip(raster.elements, read.elements) { #expect(abs(Int(a) - Int(b)) <= 8) }
    #expect(try bytes == ImageCodec.encodeJPEG(raster, quality: 95))
  }

  @Test("Empty images, two channels and sides beyond the format's limit are rejected")
  func refusals() {
    for (width, height, channels) in [(0, 4, 1), (4, 4, 2), (65_501, 1, 1)] {
      #expect(
        throws: ImageError.notEncodable(width: width, height: height, channels: channels)
      ) {
        try ImageCodec.encodeJPEG(
          Raster(repeating: 0, width: width, height: height, channels: channels))
      }
    }
  }
}
