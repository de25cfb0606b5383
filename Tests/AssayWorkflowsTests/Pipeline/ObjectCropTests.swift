import AssayCore
import AssayImaging
import AssayInference
import AssayTestSupport
import Foundation
import Testing

@testable import AssayWorkflows

@Suite("Crops of objects")
struct ObjectCropTests {
  private let size = ImageSize(width: 60, height: 40)

  private func object(_ box: Box, _ keypoints: [Double] = []) -> PipelineObject {
    PipelineObject(
      Detection(class: 0, confidence: 1, box: box, keypoints: keypoints), box: box,
      keypoints: keypoints)
  }

  /// A picture whose values tell their place.
  private var picture: Raster<UInt8> {
    var picture = Raster<UInt8>(repeating: 0, width: 60, height: 40)
    for y in 0..<40 { for x in 0..<60 { picture[x, y] = UInt8(4 * x + y / 4) } }
    return picture
  }

  @Test("A box of whole pixels is cut out as it is")
  func whole() throws {
    let crop = ObjectCrop(
      CropRule(), around: object(Box(x: 7, y: 5, width: 20, height: 11)), in: size)
    #expect(crop.size == ImageSize(width: 20, height: 11))
    let expected = Crop.apply(picture, to: PixelRect(x: 7, y: 5, width: 20, height: 11))
    #expect(crop.raster(of: picture) == expected)
    let corner = crop.imagePoint(x: 20, y: 11)
    #expect(abs(corner.x - 27) < 1e-4 && abs(corner.y - 16) < 1e-4)
  }

  @Test("Beyond the image its edge is repeated")
  func border() {
    let crop = ObjectCrop(
      CropRule(pad: [0.5, 0, 0, 0]), around: object(Box(x: 2, y: 0, width: 10, height: 40)),
      in: size)
    let raster = crop.raster(of: picture)
    #expect(crop.size == ImageSize(width: 15, height: 40))
    for y in 0..<40 {
      #expect((0..<3).allSatisfy { raster[$0, y] == picture[0, y] })
      #expect(raster[3, y] == picture[0, y] && raster[14, y] == picture[11, y])
    }
  }

  @Test("Padding, scale and shape make the part of the image")
  func shapes() {
    let detection = object(Box(x: 20, y: 10, width: 10, height: 20))
    func region(_ rule: CropRule) -> [Float] {
      let crop = ObjectCrop(rule, around: detection, in: size)
      return [crop.region.x, crop.region.y, crop.region.width, crop.region.height]
    }
    #expect(region(CropRule()) == [25, 20, 10, 20])
    #expect(region(CropRule(pad: [0.1, 0.2, 0.3, 0.4])) == [26, 22, 14, 32])
    #expect(region(CropRule(scale: 1.5)) == [25, 20, 15, 30])
    #expect(region(CropRule(shape: .shorter)) == [25, 20, 10, 10])
    #expect(region(CropRule(scale: 1.5, shape: .longer)) == [25, 20, 30, 30])
    // No higher than 0.6 of the height, from the top.
    #expect(region(CropRule(shape: .upper)) == [25, 16, 10, 12])
    let sized = ObjectCrop(CropRule(size: 48), around: detection, in: size)
    #expect(sized.size == ImageSize(width: 24, height: 48))
    let square = ObjectCrop(CropRule(size: 48, stretches: true), around: detection, in: size)
    #expect(square.size == ImageSize(width: 48, height: 48))
    // The corners of the part, in a crop of other proportions.
    let corner = square.imagePoint(x: 48, y: 48)
    #expect(abs(corner.x - 30) < 1e-4 && abs(corner.y - 30) < 1e-4)
  }

  @Test("An aligned crop makes the line of the first two keypoints level, about the box's center")
  func aligned() {
    let image = ImageSize(width: 200, height: 200)
    // Eyes on a line that falls by 30 degrees, about the center of the box.
    let (cosine, sine) = (cos(Double.pi / 6), sin(Double.pi / 6))
    func turned(_ x: Double, _ y: Double) -> (x: Double, y: Double) {
      (100 + x * cosine - y * sine, 100 + x * sine + y * cosine)
    }
    let (right, left) = (turned(-12, -8), turned(12, -8))
    let detection = object(
      Box(x: 70, y: 70, width: 60, height: 60), [right.x, right.y, 1, left.x, left.y, 1])
    let crop = ObjectCrop(
      CropRule(pad: [0, 0.5, 0, 0], aligns: true), around: detection, in: image)
    #expect(abs(Double(crop.region.rotation) - Double.pi / 6) < 1e-6)
    // The crop is 60 x 90; the box's center is at (30, 60) in it, and so the eyes at (18, 52) and (42, 52).
    for (x, eye) in [(18.0, right), (42.0, left)] {
      let point = crop.imagePoint(x: x, y: 52)
      #expect(abs(point.x - eye.x) < 1e-3 && abs(point.y - eye.y) < 1e-3)
    }
    // About the midpoint of the eyes, they stay where they are in the upright crop: 60 wide from 70, 90 high from 40.
    let kept = ObjectCrop(
      CropRule(pad: [0, 0.5, 0, 0], aligns: true, pivot: .keypoints), around: detection, in: image)
    let middle = (x: (right.x + left.x) / 2, y: (right.y + left.y) / 2)
    let point = kept.imagePoint(x: middle.x - 70, y: middle.y - 40)
    #expect(abs(point.x - middle.x) < 1e-3 && abs(point.y - middle.y) < 1e-3)
    #expect(abs(Double(kept.region.rotation) - Double.pi / 6) < 1e-6)
    // Without keypoints it stays upright.
    let plain = ObjectCrop(
      CropRule(aligns: true), around: object(Box(x: 70, y: 70, width: 60, height: 60)), in: image)
    #expect(plain.region.rotation == 0)
  }

  @Test("Objects, keypoints and masks of a crop come back to their place")
  func back() throws {
    let detection = object(Box(x: 10, y: 8, width: 20, height: 10))
    let crop = ObjectCrop(CropRule(size: 40), around: detection, in: size)
    #expect(crop.size == ImageSize(width: 40, height: 20))
    let found = try #require(
      crop.object(object(Box(x: 4, y: 2, width: 10, height: 8), [40, 20, 0.5])))
    #expect(
      found.detection.box == Box(x: 12, y: 9, width: 5, height: 4)
        && found.box == found.detection.box)
    #expect(found.detection.keypoints == [30, 18, 0.5])
    let mask = Mask(4, 2, 10, 8, in: crop.size)
    #expect(crop.mask(mask) == Mask(12, 9, 5, 4, in: size))
    #expect(crop.object(object(Box(x: -500, y: 0, width: 10, height: 10))) == nil)
    // Of a crop that reaches beyond the image, only what lies in it.
    let edge = ObjectCrop(
      CropRule(scale: 2), around: object(Box(x: 0, y: 0, width: 20, height: 20)), in: size)
    #expect(edge.mask(Mask(fullOf: edge.size)) == Mask(0, 0, 30, 30, in: size))
    let clipped = try #require(
      edge.object(object(Box(x: 0, y: 0, width: 40, height: 40), [0, 0, 1])))
    #expect(clipped.detection.box == Box(x: 0, y: 0, width: 30, height: 30))
    // A crop of it sees all of it.
    #expect(clipped.box == Box(x: -10, y: -10, width: 40, height: 40))
    #expect(clipped.detection.keypoints == [0, 0, 1] && clipped.keypoints == [-10, -10, 1])
  }

  /// The numbers are those of
  /// `cv2.resize(np.pad(picture, 40, mode="edge")[top + 40:bottom + 40, left + 40:right + 40], size,
  /// interpolation=cv2.INTER_AREA)` of OpenCV 4.14 with the part's rounded edges.
  @Test("An upright part that is averaged is OpenCV's resize of its whole pixels")
  func averaged() {
    let rule = CropRule(size: 9, sampling: .area)
    func crop(_ box: Box) -> ObjectCrop { ObjectCrop(rule, around: object(box), in: size) }
    let smaller = crop(Box(x: 7.4, y: 4.6, width: 17.8, height: 14.4))
    #expect(
      [smaller.region.x, smaller.region.y, smaller.region.width, smaller.region.height] == [
        16, 12, 18, 14,
      ])
    #expect(smaller.size == ImageSize(width: 9, height: 7))
    #expect(
      smaller.raster(of: picture).elements == [
        31, 39, 47, 55, 63, 71, 79, 87, 95, 32, 40, 48, 56, 64, 72, 80, 88, 96, 32, 40, 48, 56, 64,
        72, 80, 88, 96, 33, 41, 49, 57, 65, 73, 81, 89, 97, 33, 41, 49, 57, 65, 73, 81, 89, 97, 34,
        42, 50, 58, 66, 74, 82, 90, 98, 34, 42, 50, 58, 66, 74, 82, 90, 98,
      ])
    let partial = crop(Box(x: -5, y: 30, width: 27, height: 21))
    #expect(
      partial.raster(of: picture).elements == [
        7, 7, 15, 27, 39, 51, 63, 75, 87, 8, 8, 16, 28, 40, 52, 64, 76, 88, 9, 9, 17, 29, 41, 53,
        65, 77, 89, 9, 9, 17, 29, 41, 53, 65, 77, 89, 9, 9, 17, 29, 41, 53, 65, 77, 89, 9, 9, 17,
        29, 41, 53, 65, 77, 89, 9, 9, 17, 29, 41, 53, 65, 77, 89,
      ])
    let larger = crop(Box(x: 50.2, y: 3, width: 4, height: 3))
    #expect(
      larger.raster(of: picture).elements == [
        200, 200, 203, 204, 206, 208, 209, 212, 212, 200, 200, 203, 204, 206, 208, 209, 212, 212,
        200, 200, 203, 205, 206, 209, 209, 212, 212, 201, 201, 204, 205, 207, 209, 210, 213, 213,
        201, 201, 204, 205, 207, 209, 210, 213, 213, 201, 201, 204, 205, 207, 209, 210, 213, 213,
        201, 201, 204, 205, 207, 209, 210, 213, 213,
      ])
    // A part that is turned has no whole pixels.
    let turned = ObjectCrop(
      CropRule(aligns: true, size: 9, sampling: .area),
      around: object(Box(x: 7.4, y: 4.6, width: 17.8, height: 14.4), [10, 8, 1, 20, 12, 1]),
      in: size)
    #expect(abs(turned.region.width - 17.8) < 1e-5 && turned.region.rotation > 0.3)
    let flat = Raster<UInt8>(repeating: 77, width: 60, height: 40)
    #expect(turned.raster(of: flat).elements.allSatisfy { $0 == 77 })
  }

  @Test("A box of no size and one larger than any crop do not trap")
  func extremes() {
    for box in [
      Box(x: 3, y: 3, width: 0, height: 0), Box(x: -1e6, y: -1e6, width: 2e6, height: 2e6),
      Box(x: 59.9, y: 39.9, width: 0.1, height: 0.1),
    ] {
      let crop = ObjectCrop(CropRule(scale: 20), around: object(box), in: size)
      let raster = crop.raster(of: picture)
      #expect(raster.width == crop.size.width && max(raster.width, raster.height) <= 4096)
    }
  }
}
