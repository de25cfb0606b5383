import AssayCore
import AssayImaging
import Testing

@Suite("Mean and deviation")
struct MomentsAccumulatorTests {
  private let pixel = ImageSize(width: 1, height: 1)

  @Test("Two values by hand")
  func byHand() throws {
    var accumulator = MomentsAccumulator(size: pixel, channels: 1, classes: 2)
    for value: UInt8 in [10, 13] {
      accumulator.add(Raster(repeating: value, width: 1, height: 1), to: 1)
    }
    // Mean 11.5, variance (1.5² + 1.5²) / 2 = 2.25.
    let moments = try #require(accumulator.moments(of: 1))
    #expect(moments.count == 2 && accumulator.count(of: 0) == 0)
    #expect(moments.mean.elements == [11.5] && moments.deviation.elements == [1.5])
  }

  @Test("A channel's mean and deviation are over all pixels of all images")
  func channels() throws {
    var accumulator = MomentsAccumulator(
      size: ImageSize(width: 2, height: 1), channels: 3, classes: 1)
    let raster = Raster<UInt8>(width: 2, height: 1, channels: 3, elements: [1, 2, 3, 5, 2, 9])
    accumulator.add(try #require(raster), to: 0)
    let moments = try #require(accumulator.moments(of: 0))
    // 1 and 5: mean 3, standard deviation 2; 2 and 2; 3 and 9: mean 6, standard deviation 3.
    #expect(moments.channelMeans == [3, 2, 6] && moments.channelDeviations == [2, 0, 3])
    #expect(moments.deviation.elements == [0, 0, 0, 0, 0, 0])
  }

  @Test("Gray sums made color equal the sums of the images made color")
  func colored() throws {
    let size = ImageSize(width: 2, height: 2)
    var gray = MomentsAccumulator(size: size, channels: 1, classes: 2)
    var rgb = MomentsAccumulator(size: size, channels: 3, classes: 2)
    for start: UInt8 in 0..<40 {
      let raster = try #require(
        Raster(width: 2, height: 2, elements: [start, 2 * start, 3 * start, 255 - start]))
      gray.add(raster, to: 1)
      rgb.add(GrayConversion.rgb(raster), to: 1)
    }
    let (a, b) = (gray.colored().moments(of: 1), rgb.moments(of: 1))
    #expect(a != nil && a?.mean == b?.mean && a?.deviation == b?.deviation && a?.count == b?.count)
    #expect(gray.colored().moments(of: 0) == nil)
  }

  @Test("A class without images has no mean")
  func empty() {
    let accumulator = MomentsAccumulator(size: pixel, channels: 3, classes: 2)
    #expect(accumulator.moments(of: 0) == nil)
    #expect(accumulator.moments(of: 0..<2) == nil)
  }

  @Test("Mean and deviation equal numpy's within 1e-12, per class and over all")
  func asNumpy() throws {
    let golden = try ImageFixtures.goldens().moments
    let accumulator = try filled(golden, images: 0..<golden.labels.count)
    for category in 0..<golden.classes {
      let moments = try #require(accumulator.moments(of: category))
      #expect(moments.count == golden.count[category])
      expectClose(moments.mean.elements, golden.mean[category])
      expectClose(moments.deviation.elements, golden.deviation[category])
    }
    let all = try #require(accumulator.moments(of: 0..<golden.classes))
    expectClose(all.mean.elements, golden.meanOfAll)
    expectClose(all.deviation.elements, golden.deviationOfAll)
  }

  @Test(
    "Merging parts gives the same bits as adding everything to one", arguments: [0, 1, 299, 600])
  func merge(cut: Int) throws {
    let golden = try ImageFixtures.goldens().moments
    let whole = try filled(golden, images: 0..<golden.labels.count)
    var first = try filled(golden, images: 0..<cut)
    first.merge(try filled(golden, images: cut..<golden.labels.count))
    for category in 0..<golden.classes {
      let (a, b) = (first.moments(of: category), whole.moments(of: category))
      #expect(a?.mean == b?.mean && a?.deviation == b?.deviation && a?.count == b?.count)
    }
  }

  @Test("The largest values do not overflow, and a constant has no deviation")
  func extremes() throws {
    let size = ImageSize(width: 37, height: 3)
    var accumulator = MomentsAccumulator(size: size, channels: 1, classes: 1)
    let white = Raster<UInt8>(repeating: 255, width: 37, height: 3)
    for _ in 0..<70_000 { accumulator.add(white, to: 0) }
    let moments = try #require(accumulator.moments(of: 0))
    #expect(moments.mean.elements.allSatisfy { $0 == 255 })
    #expect(moments.deviation.elements.allSatisfy { $0 == 0 })
  }

  private func filled(_ golden: Goldens.Statistics, images: Range<Int>) throws -> MomentsAccumulator
  {
    let size = ImageSize(width: golden.width, height: golden.height)
    var accumulator = MomentsAccumulator(
      size: size, channels: golden.channels, classes: golden.classes)
    let length = size.area * golden.channels
    for image in images {
      let raster = try #require(
        Raster(
          width: size.width, height: size.height, channels: golden.channels,
          elements: Array(golden.images[image * length..<(image + 1) * length])))
      accumulator.add(raster, to: Int(golden.labels[image]))
    }
    return accumulator
  }

  private func expectClose(_ values: [Double], _ expected: [Double]) {
    #expect(values.count == expected.count)
    #expect(zip(values, expected).allSatisfy { abs($0 - $1) <= 1e-12 * max(1, abs($1)) })
  }
}
