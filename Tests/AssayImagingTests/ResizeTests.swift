import AssayCore
import AssayImaging
import Testing

@Suite("Resizing")
struct ResizeTests {
  @Test("Bilinear in 8 bits equals OpenCV's bit for bit")
  func bilinearAsOpenCV() throws {
    for golden in try ImageFixtures.goldens().resized {
      let raster = try #require(golden.raster)
      let resized = Resize.bilinear(raster, to: golden.target)
      let isEqual = resized.elements == Array(golden.bilinear)
      #expect(isEqual, "\(golden.width)×\(golden.height) to \(golden.target)")
    }
  }

  @Test("Bilinear in float32 equals OpenCV's within 1e-4")
  func unroundedAsOpenCV() throws {
    for golden in try ImageFixtures.goldens().resized {
      let resized = Resize.bilinearUnrounded(try #require(golden.raster), to: golden.target)
      let expected = golden.unrounded.floats
      #expect(resized.elements.count == expected.count)
      let largest = zip(resized.elements, expected).map { abs($0 - $1) }.max() ?? .infinity
      #expect(largest <= 1e-4, "\(golden.width)×\(golden.height) to \(golden.target)")
    }
  }

  @Test("Area means equal OpenCV's float32 within half a step")
  func areaAsOpenCV() throws {
    var compared = 0
    for golden in try ImageFixtures.goldens().resized {
      guard let expected = golden.area?.floats else { continue }
      let resized = Resize.area(try #require(golden.raster), to: golden.target)
      #expect(resized.elements.count == expected.count)
      #expect(zip(resized.elements, expected).allSatisfy { abs(Float($0) - $1) <= 0.501 })
      compared += 1
    }
    #expect(compared >= 2)
  }

  @Test("Two pixels made four take quarters from each other")
  func byHand() throws {
    // Centers are at −0.25, 0.25, 0.75, 1.25: the outer two clamp, the inner weights are 3:1 and
    // 1:3.
    let pair = try #require(Raster<UInt8>(width: 2, height: 1, elements: [0, 100]))
    let size = ImageSize(width: 4, height: 1)
    #expect(Resize.bilinearUnrounded(pair, to: size).elements == [0, 25, 75, 100])
    #expect(Resize.bilinear(pair, to: size).elements == [0, 25, 75, 100])
  }

  @Test("The same size is the same raster, whatever the method")
  func identity() throws {
    let raster = try #require(
      Raster<UInt8>(width: 3, height: 2, channels: 3, elements: (0..<18).map { UInt8($0 * 14) }))
    let size = ImageSize(width: 3, height: 2)
    #expect(Resize.bilinear(raster, to: size) == raster)
    #expect(Resize.area(raster, to: size) == raster)
    #expect(Resize.nearest(raster, to: size) == raster)
    #expect(Resize.bilinearUnrounded(raster, to: size).elements == raster.elements.map(Float.init))
  }

  @Test("Area halves by the mean of four")
  func areaByHand() throws {
    let raster = try #require(Raster<UInt8>(width: 2, height: 2, elements: [0, 10, 20, 31]))
    // 61 / 4 = 15.25
    #expect(Resize.area(raster, to: ImageSize(width: 1, height: 1)).elements == [15])
  }

  @Test("Area of three over two shares the middle pixel")
  func areaShares() throws {
    let raster = try #require(Raster<UInt8>(width: 3, height: 1, elements: [0, 90, 180]))
    // (0 + 90/2) / 1.5 = 30 and (90/2 + 180) / 1.5 = 150.
    #expect(Resize.area(raster, to: ImageSize(width: 2, height: 1)).elements == [30, 150])
  }

  @Test("Nearest takes the pixel under the center; enlarging repeats")
  func nearest() throws {
    let raster = try #require(Raster<UInt8>(width: 3, height: 1, elements: [1, 2, 3]))
    // Centers of two over three: 0.75 and 2.25.
    #expect(Resize.nearest(raster, to: ImageSize(width: 2, height: 1)).elements == [1, 3])
    let pair = try #require(Raster<UInt8>(width: 2, height: 1, elements: [7, 9]))
    #expect(Resize.enlarge(pair, by: 2).elements == [7, 7, 9, 9, 7, 7, 9, 9])
  }

  @Test("Fitting keeps proportions and never enlarges")
  func fitting() {
    let box = ImageSize(width: 100, height: 100)
    #expect(
      Resize.fitting(ImageSize(width: 640, height: 480), into: box)
        == ImageSize(width: 100, height: 75))
    #expect(
      Resize.fitting(ImageSize(width: 30, height: 900), into: box)
        == ImageSize(width: 3, height: 100))
    #expect(
      Resize.fitting(ImageSize(width: 48, height: 48), into: box)
        == ImageSize(width: 48, height: 48))
    #expect(
      Resize.fitting(ImageSize(width: 5000, height: 1), into: box)
        == ImageSize(width: 100, height: 1))
  }
}
