import AssayCore
import AssayTestSupport
import Foundation
import Testing

@testable import AssayImaging

@Suite("Resizing as the libraries do that models are trained with")
struct ResizeFilterTests {
  /// A case of `resize/make_resize.py`.
  struct Golden: Decodable, CustomStringConvertible, Sendable {
    var filter: String
    var rule: String
    var source: [Int]
    var target: [Int]
    var channels: Int
    var shorter: Int?
    var pixels: [UInt8]

    var description: String { "\(filter) \(rule) \(source) to \(target)" }
  }

  private static func drawn(_ width: Int, _ height: Int, _ channels: Int) -> Raster<UInt8> {
    var raster = Raster<UInt8>(repeating: 0, width: width, height: height, channels: channels)
    for y in 0..<height {
      for x in 0..<width {
        for c in 0..<channels {
          raster[x, y, c] = UInt8((7 * x + 13 * y + 50 * c + x * y) & 255)
        }
      }
    }
    return raster
  }

  @Test("Pillow's filters, torchvision's crop and Ultralytics' letterbox give the same bytes")
  func goldens() throws {
    let data = try Data(contentsOf: PackageFolder.fixture("resize/resize.json"))
    let goldens = try JSONDecoder().decode([Golden].self, from: data)
    #expect(goldens.count == 43)
    for golden in goldens {
      let filter = try #require(ResizeFilter(rawValue: golden.filter))
      let rule: ResizeRule =
        switch golden.rule {
        case "shorter-crop": .shorterCrop(shorter: golden.shorter ?? 0)
        case "yolox": .letterbox(fill: 114, anchor: .topLeft, rounding: .yolox)
        case "letterbox": .letterbox(fill: 114, anchor: .center, rounding: .nearest)
        default: .stretch
        }
      let plan = ResizePlan(
        rule, from: ImageSize(width: golden.source[0], height: golden.source[1]),
        to: ImageSize(width: golden.target[0], height: golden.target[1]))
      let made = plan.apply(
        to: Self.drawn(golden.source[0], golden.source[1], golden.channels), filter: filter)
      let wrong = zip(made.elements, golden.pixels).count { $0 != $1 }
      #expect(wrong == 0 && made.elements.count == golden.pixels.count, "\(golden)")
    }
  }

  private struct Goldens: Decodable {
    struct Case: Decodable {
      var source: [Int]
      var target: [Int]
      var channels: Int
      var pixels: [UInt8]
    }
    var cases: [Case]
  }

  @Test("Rows are resized before columns where Pillow 13 does it")
  func order() throws {
    let data = try Data(contentsOf: PackageFolder.fixture("resize/order.json"))
    let cases = try JSONDecoder().decode(Goldens.self, from: data).cases
    #expect(cases.count == 12)
    for golden in cases {
      let size = ImageSize(width: golden.target[0], height: golden.target[1])
      let source = Self.drawn(golden.source[0], golden.source[1], golden.channels)
      let made = ResizeFilter.pillowBilinear.apply(
        to: source, size: size, window: PixelRect(size))
      #expect(made.elements == golden.pixels, "\(golden.source) to \(golden.target)")
    }
  }

  @Test("The area filter gives the same bytes as OpenCV, for images that shrink and that grow")
  func area() throws {
    let data = try Data(contentsOf: PackageFolder.fixture("resize/area.json"))
    let cases = try JSONDecoder().decode(Goldens.self, from: data).cases
    #expect(cases.count == 26)
    for golden in cases {
      let size = ImageSize(width: golden.target[0], height: golden.target[1])
      let source = Self.drawn(golden.source[0], golden.source[1], golden.channels)
      let made = ResizeFilter.area.apply(to: source, size: size, window: PixelRect(size))
      let wrong = zip(made.elements, golden.pixels).count { $0 != $1 }
      #expect(wrong == 0, "\(golden.source) to \(golden.target): \(wrong)")
      #expect(made.elements.count == golden.pixels.count)
      // A window has the same pixels as the whole.
      guard size.width > 3, size.height > 3 else { continue }
      let window = PixelRect(x: 1, y: 2, width: size.width - 2, height: size.height - 3)
      let part = ResizeFilter.area.apply(to: source, size: size, window: window)
      #expect(part == Crop.apply(made, to: window))
    }
  }

  @Test("Only the part of a long image that is cut out is computed")
  func long() {
    let source = ImageSize(width: 1, height: 50_000)
    let raster = Raster<UInt8>(repeating: 7, width: 1, height: 50_000)
    let size = ImageSize(width: 4, height: 4)
    let plan = ResizePlan(.shorterCrop(shorter: 2_000), from: source, to: size)
    #expect(plan.placement.height == 100_000_000)
    for filter in [ResizeFilter.pillowBilinear, .pillowBicubic, .bilinear] {
      #expect(plan.apply(to: raster, filter: filter).elements == Array(repeating: 7, count: 16))
    }
  }

  @Test("A point goes through a crop of the shorter side and back")
  func points() {
    let plan = ResizePlan(
      .shorterCrop(shorter: 16), from: ImageSize(width: 40, height: 20),
      to: ImageSize(width: 14, height: 14))
    #expect(plan.placement == PixelRect(x: -9, y: -1, width: 32, height: 16))
    let point = plan.targetPoint(x: 20, y: 10)
    #expect(point == (7, 7))
    #expect(plan.sourcePoint(x: point.x, y: point.y) == (20, 10))
  }

  @Test("The position of a crop with an odd border is rounded as stated")
  func cropRounding() {
    let (source, size) = (ImageSize(width: 34, height: 38), ImageSize(width: 14, height: 14))
    func place(_ rule: ResizeRule) -> PixelRect {
      ResizePlan(rule, from: source, to: size).placement
    }
    // 17 × 19 pixels: borders of 3 and 5, whose halves are 1.5 and 2.5.
    #expect(place(.shorterCrop(shorter: 17)) == PixelRect(x: -2, y: -2, width: 17, height: 19))
    #expect(
      place(.shorterCrop(shorter: 17, rounding: .down))
        == PixelRect(x: -1, y: -2, width: 17, height: 19))
    #expect(
      place(.stretchCrop(side: 17, rounding: .down))
        == PixelRect(x: -1, y: -1, width: 17, height: 17))
  }
}
