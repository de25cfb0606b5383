import AssayCore
import Testing

@testable import AssayStore

@Suite("What a selection has of each class")
struct InstanceTests {
  @Test("Images, instances, crowds and sizes by the stated area")
  func counts() throws {
    let house = try TemporaryCatalog()
    try house.catalog.importRegions(sixImages)
    let catalog = house.catalog
    let counts = try catalog.instanceCounts(in: catalog.resolve("coco"))
    #expect((counts.images, counts.imagesWithout) == (6, 1))
    // Areas of persons that are not a crowd: none, 40, 1023.5 (small), 9215.9, 1024 (medium).
    #expect(
      counts.categories == [
        CategoryInstances(
          category: 0, images: 5, instances: 5, crowds: 2, small: 2, medium: 2, large: 0,
          withoutArea: 1),
        CategoryInstances(category: 1, images: 1, instances: 1, large: 1),
      ])
  }

  @Test("Of a part, with mean coverage over the images that have the class")
  func coverage() throws {
    let house = try TemporaryCatalog()
    try house.catalog.importRegions(sixImages)
    let catalog = house.catalog
    let counts = try catalog.instanceCounts(
      in: catalog.resolve("coco/train"), where: "key != 5", coverage: true)
    #expect((counts.images, counts.imagesWithout) == (2, 0))
    #expect(counts.categories.map(\.images) == [2, 1])
    // (0.2 + 0.7) / 2, and 0.04.
    #expect(abs((counts.categories[0].meanCoverage ?? 0) - 0.45) < 1e-12)
    #expect(counts.categories[1].meanCoverage == 0.04)
    let none = try catalog.instanceCounts(
      in: catalog.resolve("coco"), where: "key = 4", coverage: true)
    #expect((none.images, none.imagesWithout) == (1, 1))
    #expect(none.categories.map(\.meanCoverage) == [nil, nil])
  }

  @Test("Of single samples, without what they do not have")
  func regionCounts() throws {
    let house = try TemporaryCatalog()
    try house.catalog.importRegions(sixImages)
    #expect(
      try house.catalog.regionCounts(of: [2, 5, 3]) == [
        [
          RegionCount(category: 0, instances: 2, crowds: 0),
          RegionCount(category: 1, instances: 1, crowds: 0),
        ], [], [RegionCount(category: 0, instances: 1, crowds: 1)],
      ])
    try house.catalog.importFaces(sixFaces)
    #expect(try house.catalog.regionCounts(of: [7]) == [[]])
  }
}
