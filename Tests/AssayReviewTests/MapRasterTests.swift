import AssayCore
import AssayImaging
import Testing

@testable import AssayReview

/// Compares the map that the page receives with the masks that the run itself makes of it.
struct MapRasterTests {
  @Test(
    "At every level the pixels are those of the mask at that level",
    arguments: [ResizeRule.stretch, .centerCrop, .letterbox(fill: 0, anchor: .center)])
  func levels(_ rule: ResizeRule) throws {
    var random = SplitMix64(seed: 5)
    for (width, height, cells) in [(31, 17, 8), (8, 8, 8), (5, 40, 7), (3, 3, 9)] {
      let input = ImageSize(width: cells, height: cells)
      let values = (0..<cells * cells).map { _ in UInt8(random.next() % 256) }
      let raster = try #require(Raster(width: cells, height: cells, elements: values))
      let map = ProbabilityMap(
        raster,
        plan: ResizePlan(
          rule, from: ImageSize(width: width, height: height), to: input))
      let bytes = MapRaster.bytes(of: map)
      #expect(bytes.count == width * height)
      for level in [1, 64, 128, 200, 255] {
        // ⌊v + ½⌋ ≥ k if v ≥ k − ½.
        let expected = map.mask(threshold: (Double(level) - 0.5) / 255)
        let inside = bytes.map { $0 >= level ? UInt8(1) : 0 }
        let found = try #require(Raster(width: width, height: height, elements: inside))
        #expect(Mask(found) == expected, "\(width) × \(height), level \(level)")
      }
    }
  }
}
