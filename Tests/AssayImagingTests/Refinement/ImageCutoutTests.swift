import AssayCore
import AssayTestSupport
import Testing

@testable import AssayImaging

/// A scene with an object, and the cut-out of OpenCV (Tests/Fixtures/refinement/make_goldens.py).
private struct CutoutGoldens: Decodable {
  var width: Int
  var height: Int
  var image: [UInt8]
  var inside: [UInt8]
  var box: [Double]
  var cutout: [UInt8]

  func mask(_ pixels: [UInt8]) throws -> Mask {
    Mask(try #require(Raster(width: width, height: height, elements: pixels)))
  }
}

@Suite("Objects cut out of an image")
struct ImageCutoutTests {
  private let goldens: CutoutGoldens
  private let photo: Raster<UInt8>
  private let box: Box

  init() throws {
    let goldens = try GoldenJSON.decode("refinement/goldens.json", as: CutoutGoldens.self)
    self.goldens = goldens
    photo = try #require(
      Raster(width: goldens.width, height: goldens.height, channels: 3, elements: goldens.image))
    box = Box(
      x: goldens.box[0], y: goldens.box[1], width: goldens.box[2], height: goldens.box[3])
  }

  /// A disc in noise that is not clearly darker, `scale` times as large.
  private func disc(_ scale: Int) -> (image: Raster<UInt8>, mask: Mask) {
    var random = SplitMix64(seed: 7)
    let (width, height) = (64 * scale, 48 * scale)
    var image = Raster<UInt8>(repeating: 0, width: width, height: height, channels: 3)
    func isIn(_ x: Int, _ y: Int) -> Bool {
      let (dx, dy) = (Double(x) - 32 * Double(scale), Double(y) - 24 * Double(scale))
      return dx * dx + dy * dy <= 144 * Double(scale * scale)
    }
    for y in 0..<height {
      for x in 0..<width {
        for channel in 0..<3 {
          let base = isIn(x, y) ? 90 + 20 * channel : 160 - 20 * channel
          image.elements[(y * width + x) * 3 + channel] = UInt8(base + Int(random.next() % 30))
        }
      }
    }
    let size = ImageSize(width: width, height: height)
    return (image, Mask(size: size, columns: 0..<width, rows: 0..<height, isIn))
  }

  @Test("The object in a box is the one that OpenCV cuts out")
  func golden() throws {
    let found = try ImageCutout(box: box).run(in: photo)
    #expect(found.factor == 1)
    #expect(try #require(found.mask.iou(with: goldens.mask(goldens.cutout))) >= 0.98)
    #expect(try #require(found.mask.iou(with: goldens.mask(goldens.inside))) >= 0.98)
    #expect(found.mask.size == photo.size)
  }

  @Test("Gray images have an object, too")
  func gray() throws {
    let (image, mask) = disc(1)
    let found = try ImageCutout(box: Box(x: 15, y: 8, width: 34, height: 32))
      .run(in: GrayConversion.gray(image))
    #expect(try #require(found.mask.iou(with: mask)) >= 0.95)
  }

  @Test("A stroke counts wherever it is: in the box, and beyond it")
  func strokes() throws {
    let plain = try ImageCutout(box: box).run(in: photo).mask
    let corner = ImageCutout.Stroke(isObject: true, radius: 2, points: [[3, 3], [8, 3]])
    let more = try ImageCutout(box: box, strokes: [corner]).run(in: photo).mask
    #expect(Mask(3, 2, 4, 2, in: photo.size).subtracting(more).isEmpty)
    let center = try #require(plain.centerOfMass)
    let off = ImageCutout.Stroke(isObject: false, radius: 3, points: [[center.x, center.y]])
    let less = try ImageCutout(box: box, strokes: [off]).run(in: photo).mask
    let hole = Mask(Int(center.x) - 1, Int(center.y) - 1, 2, 2, in: photo.size)
    #expect(less.intersectionArea(with: hole) == 0)
    // The later stroke counts.
    let on = ImageCutout.Stroke(isObject: true, radius: 3, points: off.points)
    let both = try ImageCutout(box: box, strokes: [off, on]).run(in: photo).mask
    #expect(both.intersectionArea(with: hole) == 4)
  }

  @Test("An earlier mask is a first guess in the box, and stays beyond it")
  func start() throws {
    let inside = try goldens.mask(goldens.inside)
    let speck = Mask(0, 0, 3, 3, in: photo.size)
    let far = Mask(68, 56, 2, 2, in: photo.size)
    let found = try ImageCutout(box: box, start: inside.eroded(by: 3).union(speck).union(far))
      .run(in: photo).mask
    #expect(speck.union(far).subtracting(found).isEmpty)
    #expect(try #require(found.subtracting(speck).subtracting(far).iou(with: inside)) >= 0.97)
  }

  @Test("A large region is decided on a smaller copy, and its border in the image itself")
  func reduced() throws {
    let (image, mask) = disc(12)
    let found = try ImageCutout(box: Box(x: 200, y: 120, width: 370, height: 330)).run(in: image)
    #expect(found.factor == 2)
    #expect(try #require(found.mask.iou(with: mask)) >= 0.99)
  }

  @Test("What cannot be cut out is refused with its reason")
  func refusals() throws {
    func fault(
      _ box: Box, _ strokes: [ImageCutout.Stroke] = [], in image: Raster<UInt8>
    ) -> ImageCutoutError? {
      do {
        _ = try ImageCutout(box: box, strokes: strokes).run(in: image)
        return nil
      } catch { return error }
    }
    let all = Box(x: 0, y: 0, width: 72, height: 60)
    #expect(fault(Box(x: 5, y: 5, width: 2, height: 9), in: photo) == .tooSmall)
    #expect(fault(Box(x: 500, y: 5, width: 20, height: 9), in: photo) == .tooSmall)
    #expect(fault(Box(x: -9e8, y: -9e8, width: 9e8, height: 9e8), in: photo) == .tooSmall)
    #expect(fault(all, in: photo) == .noBackground)
    #expect(fault(Box(x: -9e8, y: -9e8, width: 9.9e8, height: 9.9e8), in: photo) == .noBackground)
    let edge = ImageCutout.Stroke(
      isObject: false, radius: 2, points: [[1, 1], [70, 1], [70, 58]])
    #expect(fault(all, [edge], in: photo) == nil)
    let outside = ImageCutout.Stroke(isObject: false, radius: 900, points: [[-9e8, 9e8]])
    #expect(fault(box, [outside], in: photo) == nil)
    let long = ImageCutout.Stroke(
      isObject: false, radius: 1_000,
      points: (0..<30_000).map { [Double($0 % 70), Double($0 % 50)] })
    #expect(fault(box, [long], in: photo) == .strokesTooLong)
    let wide = Raster<UInt8>(repeating: 3, width: 6_000, height: 5_000)
    #expect(
      fault(Box(x: 10, y: 10, width: 5_900, height: 4_900), in: wide)
        == .tooLarge(pixels: 30_000_000, limit: ImageCutout.regionLimit))
    #expect(throws: ImageCutoutError.canceled) {
      try ImageCutout(box: box).run(in: photo) { true }
    }
    #expect("\(ImageCutoutError.noBackground)".contains("Alt"))
  }

  @Test("An image of one color, and background alone, have nothing to cut out")
  func nothing() throws {
    let flat = Raster<UInt8>(repeating: 9, width: 40, height: 30, channels: 3)
    let found = try ImageCutout(box: Box(x: 10, y: 10, width: 12, height: 9)).run(in: flat)
    #expect(found.mask.size == flat.size)
    let off = ImageCutout.Stroke(isObject: false, radius: 40, points: [[20, 15]])
    let none = try ImageCutout(box: Box(x: 10, y: 10, width: 12, height: 9), strokes: [off])
      .run(in: flat)
    #expect(none.mask.isEmpty)
  }
}
