import AssayCore
import AssayImaging
import AssayTestSupport
import Foundation
import Testing

/// The files of Tests/Fixtures/images and their values in PIL, OpenCV and numpy (make.py there).
enum ImageFixtures {
  static let folder = PackageFolder.fixture("images")

  static func bytes(_ name: String) throws -> [UInt8] {
    Array(try Data(contentsOf: folder.appending(path: name)))
  }

  static func goldens() throws -> Goldens { try GoldenJSON.decode("images/goldens.json") }

  /// Files that contain an image.
  static let good = [
    "cmyk.jpg", "exif1.jpg", "exif2.jpg", "exif3.jpg", "exif4.jpg", "exif5.jpg", "exif6.jpg",
    "exif7.jpg", "exif8.jpg", "gray.jpg", "gray1.png", "gray16.png", "gray2-interlaced.png",
    "gray2.png", "gray4.png", "gray8.png", "graya16.png", "graya8.png", "palette1.png",
    "palette2.png", "palette4-transparent.png", "palette4.png", "palette8.png", "progressive.jpg",
    "restarts.jpg", "rgb.jpg", "rgb16.png", "rgb8-ancillary.png", "rgb8-exif6.png",
    "rgb8-interlaced.png", "rgb8-transparent.png", "rgb8.png", "rgba16.png", "rgba8.png",
    "stray-bytes.jpg", "ycc420.jpg", "ycc422.jpg", "ycc444.jpg", "ycck.jpg",
  ]
}

struct Goldens: Decodable {
  struct Image: Decodable {
    var storedWidth: Int
    var storedHeight: Int
    var width: Int
    var height: Int
    var storedChannels: Int
    var gray8: Data
    var rgb8: Data
    var stored: Data
  }

  struct Resized: Decodable {
    var width: Int
    var height: Int
    var channels: Int
    var toWidth: Int
    var toHeight: Int
    var source: Data
    var bilinear: Data
    var unrounded: Data
    var area: Data?

    var raster: Raster<UInt8>? {
      Raster(width: width, height: height, channels: channels, elements: Array(source))
    }
    var target: ImageSize { ImageSize(width: toWidth, height: toHeight) }
  }

  struct Statistics: Decodable {
    var width: Int
    var height: Int
    var channels: Int
    var classes: Int
    var images: Data
    var labels: Data
    var count: [Int]
    var mean: [[Double]]
    var deviation: [[Double]]
    var meanOfAll: [Double]
    var deviationOfAll: [Double]
  }

  var decoded: [String: Image]
  var resized: [Resized]
  var moments: Statistics
}

extension Goldens.Image {
  /// Compares what a file is decoded to with these values, in each mode but the native one.
  func check(_ bytes: [UInt8], _ name: String) throws {
    for (mode, expected, channels) in [
      (PixelMode.gray8, gray8, 1), (.rgb8, rgb8, 3), (.stored, stored, storedChannels),
    ] {
      let raster = try ImageCodec.decode(bytes, as: mode)
      #expect(raster.width == width && raster.height == height)
      #expect(raster.channels == channels)
      let isEqual = raster.elements == Array(expected)
      #expect(isEqual, "\(name) as \(mode)")
    }
  }
}

extension Data {
  /// The little-endian float32 values.
  var floats: [Float] {
    stride(from: startIndex, to: endIndex, by: 4).map { place in
      Float(
        bitPattern: (0..<4).reduce(0) { $0 | UInt32(self[place + $1]) << UInt32(8 * $1) })
    }
  }
}
