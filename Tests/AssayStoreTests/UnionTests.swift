import AssayCore
import GRDB
import Synchronization
import Testing

@testable import AssayStore

@Suite("Coverage")
struct UnionTests {
  private func house() throws -> TemporaryCatalog {
    let house = try TemporaryCatalog()
    try house.catalog.importRegions(sixImages)
    return house
  }

  private func unions(_ catalog: Catalog) throws -> [[SQLValue]] {
    try catalog.sql(
      "SELECT category, sample, unionArea FROM sampleCategory ORDER BY category, sample"
    ).rows
  }

  @Test(
    "It is the union's share of the image, crowds included, 0 without a region, undefined without size"
  )
  func values() throws {
    let house = try house()
    let selection = try house.catalog.resolve("coco")
    let size = ImageSize(width: 10, height: 10)
    let triangle = Mask(polygons: [[0, 0, 0, 10, 10, 10]], size: size)
      .union(Mask(box: Box(x: 0, y: 0, width: 10, height: 1), size: size)).area
    let numbers = try house.catalog.numbers(
      ["coverage(person)", "coverage(\"traffic light\")", "count(person)", "count(person, crowd)"],
      of: [1, 2, 3, 4, 5, 6], in: selection)
    // Image 1: 40 + 40 - 10 of 100.
    #expect(numbers.map { $0[0] } == [0.2, 0.7, Double(triangle) / 100, 1, 0, nil])
    #expect(numbers.map { $0[1] } == [0, 0.04, 0, 0, 0, 0])
    #expect(numbers.map { $0[2] } == [1, 2, 1, 0, 0, 1])
    #expect(numbers.map { $0[3] } == [0, 0, 1, 1, 0, 0])
  }

  @Test(
    "An expression about it gives the images for which it holds",
    arguments: [
      ("coverage(person) = 0.7", "1"), ("coverage(person) in 0.2..0.7", "012"),
      ("coverage(person) > 0.2", "123"), ("coverage(person) >= 0.2", "0123"),
      ("coverage(person) = 0", "4"), ("coverage(person) < 0.5", "04"),
      ("coverage(person) != 0", "0123"), ("coverage(person) in (0, 1)", "34"),
      ("not coverage(person) < 0.5", "1235"), ("coverage(\"traffic light\") = 0", "02345"),
      ("coverage('traffic light') > 0", "1"),
      ("count(person) in 1..2 and count(person, crowd) = 0 and coverage(person) in 0.2..0.7", "01"),
      ("count(person) = 0", "34"), ("count(person) < 2", "02345"), ("count(person) != 1", "134"),
      ("count(person, crowd) >= 1", "23"), ("count(person) not in 0..1", "1"),
      ("coverage(person) > 0 and split = val", "23"),
    ])
  func expressions(source: String, keys: String) throws {
    let house = try house()
    // Triangle and crowd cover between 0.5 and 0.7.
    #expect(try house.catalog.keys("coco", source).joined() == keys)
    // Again, with the unions stored.
    #expect(try house.catalog.keys("coco", source).joined() == keys)
  }

  @Test("Merging a class's regions early, to bound memory, changes no area")
  func merged() throws {
    let house = try house()
    try house.catalog.read("reading unions") { database in
      let size = ImageSize(width: 10, height: 10)
      let samples = (1...5).map { SizedSample(id: $0, size: size) }
      let whole = try UnionReader(1, categories: nil, in: database).areas(of: samples)
      let early = try UnionReader(1, categories: nil, in: database, runLimit: 0).areas(of: samples)
      #expect(early == whole)
      #expect(whole.contains { $0.sample == 2 && $0.area == 70 })
    }
  }

  @Test("An unknown class is an error at its place, with a suggestion")
  func unknownClass() throws {
    let house = try house()
    let selection = try house.catalog.resolve("coco")
    for (source, offset) in [("coverage(persn) > 0", 9), ("count(persn, crowd) > 0", 6)] {
      let error = #expect(throws: StoreError.self) {
        try house.catalog.count(in: selection, where: source)
      }
      guard case .expression(let place) = error else {
        Issue.record("not an expression's error")
        continue
      }
      #expect(place.offset == offset)
      #expect(place.suggestion == "person")
    }
  }

  @Test("Only the classes asked for are measured, once, and kept in the file")
  func stored() throws {
    let house = try house()
    #expect(try unions(house.catalog).allSatisfy { $0[2] == .null })
    let reader = try Catalog.open(house.catalog.path, .readOnly)
    #expect(try reader.keys("coco", "coverage('traffic light') > 0") == ["1"])
    let after = try unions(house.catalog)
    #expect(after.filter { $0[2] != .null } == [[.integer(2), .integer(2), .integer(4)]])
    let watched = Mutex(0)
    let again = try Catalog.open(house.catalog.path, .readOnly) { _, _ in
      watched.withLock { $0 += 1 }
    }
    _ = try again.keys("coco", "coverage('traffic light') > 0")
    #expect(watched.withLock { $0 } == 0)
    _ = try again.keys("coco", "coverage(person) > 0")
    #expect(watched.withLock { $0 } > 0)
  }

  @Test("The areas are the same for any number of workers", arguments: [1, 2, 7])
  func workers(count: Int) throws {
    let size = ImageSize(width: 40, height: 30)
    var random = SplitMix64(seed: 3)
    let samples = (0..<700).map { sample in
      RegionSample(
        key: "\(sample)", size: size,
        regions: (0..<Int.random(in: 0...4, using: &random)).map { _ in
          RegionDraft(
            "c\(Int.random(in: 0...2, using: &random))",
            polygon: (0..<8).map { _ in Double.random(in: -5...45, using: &random) })
        })
    }
    let house = try TemporaryCatalog()
    let catalog = house.catalog
    let dataset = try catalog.importRegions(samples).dataset
    let set = try catalog.read("") { try AnnotationSet(of: dataset.id, in: $0) }
    var work = UnionComputation(
      catalog: catalog,
      missing: MissingUnions(
        dataset: dataset, annotationSet: set.annotationSet, categories: set.categories.map(\.id)))
    work.workers = count
    try work.run()
    var expected: [[SQLValue]] = []
    let ids = try catalog.samples(in: catalog.resolve("coco")).map(\.id)
    try catalog.forEachAnnotations(of: ids) { index, annotations in
      for (category, regions) in Dictionary(grouping: annotations, by: \.category) {
        let masks = try regions.map { try $0.mask(in: size) }
        expected.append([
          .integer(set.categories[category].id), .integer(ids[index]),
          .integer(Int64(Mask.union(of: masks, size: size).area)),
        ])
      }
    }
    #expect(Set(try unions(catalog)) == Set(expected))
    #expect(try catalog.sql("SELECT sum(hasUnions) FROM category").rows == [[.integer(3)]])
  }

  @Test("An interrupt keeps what was measured, and the next question goes on")
  func interrupt() throws {
    struct Stopped: Error {}
    let house = try TemporaryCatalog()
    try house.catalog.importRegions(
      (0..<1000).map {
        RegionSample(
          key: "\($0)", size: ImageSize(width: 10, height: 10),
          regions: [RegionDraft("a", box: (0, 0, Double($0 % 11), 10))])
      })
    let stopping = try Catalog.open(house.catalog.path, .readOnly) { fraction, _ in
      if fraction > 0.5 { throw Stopped() }
    }
    let selection = try stopping.resolve("coco")
    #expect(throws: Stopped.self) {
      try stopping.count(in: selection, where: "coverage(a) >= 0.5")
    }
    let measured = try house.catalog.sql("SELECT count(unionArea) FROM sampleCategory").rows[0][0]
    guard case .integer(let count) = measured else { return }
    #expect((500..<1000).contains(count))
    // 0 … 10 in turn: 5 … 10 are 6 of 11, in 1000 = 90 · 11 + 10 (0 … 9).
    #expect(
      try house.catalog.count(in: selection, where: "coverage(a) >= 0.5") == 90 * 6 + 5)
  }

  @Test("Where the file cannot be written the answer is the same, and nothing is stored")
  func readOnly() throws {
    let house = try house()
    let blocked = try Catalog.open(house.catalog.path, .readOnly)
    let selection = try blocked.resolve("coco")
    let missing = try #require(
      throws: MissingUnions.self,
      performing: {
        try blocked.read("") { database in
          try SampleQuery(selection, where: "coverage(person) > 0", truth: .imported, in: database)
            .count(in: database)
        }
      })
    var work = UnionComputation(catalog: blocked, missing: missing)
    work.busyTimeout = 0.05
    // A writer that holds the file for longer than this one waits.
    let lock = try DatabaseQueue(path: house.catalog.path)
    try lock.inDatabase { database in
      try database.inTransaction(.immediate) {
        try work.run()
        return .rollback
      }
    }
    #expect(try blocked.keys("coco", "coverage(person) = 0.7") == ["1"])
    #expect(try blocked.keys("coco", "coverage(person) = 0") == ["4"])
    let numbers = try blocked.numbers(["coverage(person)"], of: [1, 2, 6], in: selection)
    #expect(numbers == [[0.2], [0.7], [nil]])
    #expect(try unions(house.catalog).allSatisfy { $0[2] == .null })
    // Another import invalidates the connection's cache.
    var later = sixImages
    later[1].regions.removeLast()
    try house.catalog.importRegions(later, replace: true)
    #expect(try blocked.keys("coco", "coverage(person) = 0.4") == ["1"])
  }

  @Test("A dataset that is imported again while it is measured is measured again")
  func stale() throws {
    let house = try house()
    let path = house.catalog.path
    var later = sixImages
    later[0].regions = [RegionDraft("person", box: (0, 0, 10, 9))]
    let hasRun = Mutex(false)
    let changed = later
    let catalog = try Catalog.open(path, .readOnly) { _, _ in
      guard
        !hasRun.withLock({ run in
          defer { run = true }; return run
        })
      else { return }
      try Catalog.open(path, .readWrite).importRegions(changed, replace: true)
    }
    #expect(try catalog.keys("coco", "coverage(person) = 0.9") == ["0"])
  }

  @Test("A damaged geometry is an error that names the sample")
  func damaged() throws {
    let house = try house()
    try house.catalog.write("") { try $0.execute(sql: "UPDATE geometry SET bytes = x'07'") }
    let selection = try house.catalog.resolve("coco")
    #expect(throws: StoreError.self) {
      try house.catalog.count(in: selection, where: "coverage(person) > 0")
    }
  }
}
