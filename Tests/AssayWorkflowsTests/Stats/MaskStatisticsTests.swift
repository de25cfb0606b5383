import AssayCore
import Testing

@testable import AssayWorkflows

@Suite("Statistics of regions")
struct MaskStatisticsTests {
  @Test("Classes are counted with their sizes, and coverage is of the union")
  func counts() throws {
    let set = try ExportCatalog.odd()
    let statistics = try StatisticsWorkflow(catalog: set.catalog).run("set", withPixels: false)
    let masks = try #require(statistics.masks)
    #expect(masks.images == 4 && masks.imagesWithout == 1)
    #expect(masks.instances == 2 && masks.crowds == 2)
    #expect(masks.classes.map(\.counts.images) == [2, 2])
    #expect(masks.classes.map(\.counts.small) == [1, 1])
    #expect(masks.present.map(\.category.name) == ["person", "traffic \"light\""])
    // The light covers 12 of 48 pixels in one image, and 4 of 16 in the other.
    #expect(masks.classes[1].coverage == MaskStatistics.Spread([0.25, 0.25]))
    // The person in b.png is a ring of 8 in 25.
    #expect(masks.classes[0].coverage?.largest == 8.0 / 25)
    let part = try StatisticsWorkflow(catalog: set.catalog).run("set/val", withPixels: false)
    #expect(part.masks?.classes.map(\.counts.images) == [0, 1])
  }

  @Test("The middle of an even number of values is between the two in the middle")
  func spread() {
    let spread = MaskStatistics.Spread([0.4, 0.1, 0.2, 0.3])
    #expect(spread?.median == 0.25 && spread?.least == 0.1 && spread?.largest == 0.4)
    #expect(MaskStatistics.Spread([0.7])?.median == 0.7)
    #expect(MaskStatistics.Spread([]) == nil)
  }

  @Test(
    "A grid of the mask's own size counts its pixels; others take what lies under their centers")
  func sums() throws {
    let size = ImageSize(width: 3, height: 2)
    // Columns: 01 · 11 · 00, so rows are 0 1 0 and 1 1 0.
    let mask = try Mask(size: size, runs: [1, 3, 2])
    var sums = MaskSums(grid: size, classes: 2)
    sums.add(mask, to: 1)
    sums.add(try Mask(size: size, runs: [0, 1, 5]), to: 1)
    #expect(sums.mean(of: 0) == nil && sums.images == [0, 2])
    #expect(sums.mean(of: 1)?.elements == [0.5, 0.5, 0, 0.5, 0.5, 0])
    // Twice the resolution: every pixel becomes four positions.
    var fine = MaskSums(grid: ImageSize(width: 6, height: 4), classes: 1)
    fine.add(mask, to: 0)
    #expect(
      fine.mean(of: 0)?.elements == [
        0, 0, 1, 1, 0, 0, 0, 0, 1, 1, 0, 0,
        1, 1, 1, 1, 0, 0, 1, 1, 1, 1, 0, 0,
      ])
    // One position: the pixel under the center, column 1 and row 1.
    var coarse = MaskSums(grid: ImageSize(width: 1, height: 1), classes: 1)
    coarse.add(mask, to: 0)
    #expect(coarse.mean(of: 0)?.elements == [1])
  }

  @Test("Sums on a grid are those of the nearest pixels, and merging is adding")
  func sumsAreNearest() throws {
    var random = SplitMix64(seed: 5)
    let grid = ImageSize(width: 7, height: 5)
    var whole = MaskSums(grid: grid, classes: 1)
    var parts = [MaskSums(grid: grid, classes: 1), MaskSums(grid: grid, classes: 1)]
    var expected = Array(repeating: 0, count: grid.area)
    for round in 0..<40 {
      let size = ImageSize(
        width: Int.random(in: 1...20, using: &random),
        height: Int.random(in: 1...20, using: &random))
      var raster = Raster<UInt8>(repeating: 0, width: size.width, height: size.height)
      for place in raster.elements.indices {
        raster.elements[place] = Bool.random(using: &random) ? 1 : 0
      }
      whole.add(Mask(raster), to: 0)
      parts[round % 2].add(Mask(raster), to: 0)
      for y in 0..<grid.height {
        for x in 0..<grid.width {
          let column = (2 * x + 1) * size.width / (2 * grid.width)
          let row = (2 * y + 1) * size.height / (2 * grid.height)
          expected[y * grid.width + x] += Int(raster[column, row])
        }
      }
    }
    #expect(whole.mean(of: 0)?.elements == expected.map { Double($0) / 40 })
    parts[0].merge(parts[1])
    #expect(parts[0].mean(of: 0) == whole.mean(of: 0))
  }

  @Test("Mean masks are files; images of several sizes have no mean image, and that is told")
  func files() throws {
    let set = try ExportCatalog.odd()
    let statistics = try StatisticsWorkflow(catalog: set.catalog).run("set", withPixels: true)
    let means = try #require(statistics.masks?.means)
    #expect(means.grid == ImageSize(width: 128, height: 128))
    #expect(means.rows.map(\.count) == [2, 2])
    #expect(statistics.pixels == nil && statistics.noPixels?.contains("--resize") == true)
    let files = try MeanMaskFiles(view: "set", means: means).all()
    #expect(
      files.map(\.name) == [
        "masks.png", "mean-mask-person.png", "mean-mask-person.npy",
        "mean-mask-traffic__light_.png", "mean-mask-traffic__light_.npy",
      ])
    let resized = try StatisticsWorkflow(catalog: set.catalog).run(
      "set", withPixels: true, resize: ImageSize(width: 4, height: 3))
    #expect(resized.pixels?.isResized == true && resized.noPixels == nil)
    #expect(resized.masks?.means?.grid == ImageSize(width: 4, height: 3))
  }
}
