import Testing

@testable import AssayStore

@Suite("Partitions")
struct PartitionTests {
  @Test("A partition comes back with its parts in their order, empty ones too")
  func roundTrip() throws {
    let house = try TemporaryCatalog()
    let dataset = try house.catalog.importFaces(sixFaces).dataset
    let partition = try house.catalog.addPartition(
      of: dataset.id, named: "p", seed: .max, rule: #"{"from":"train"}"#,
      members: [("second", [5, 1]), ("first", []), ("zero", [2])])
    #expect(partition.seed == .max)
    #expect(
      partition.parts == [
        PartCount(part: "second", count: 2), PartCount(part: "first", count: 0),
        PartCount(part: "zero", count: 1),
      ])
    #expect(try house.catalog.partitions(of: dataset.id) == [partition])
  }

  @Test("A part that exists, under whatever spelling, is not made again")
  func taken() throws {
    let house = try TemporaryCatalog()
    let catalog = house.catalog
    let dataset = try catalog.importFaces(sixFaces).dataset.id
    func add(_ name: String, _ part: String) throws {
      _ = try catalog.addPartition(
        of: dataset, named: name, seed: 1, rule: "{}", members: [(part, [1])])
    }
    try add("p", "fit")
    #expect(throws: StoreError.partTaken("fit", dataset: "faces")) { try add("q", "fit") }
    #expect(throws: StoreError.partTaken("val", dataset: "faces")) { try add("q", "val") }
    #expect(throws: StoreError.nameTaken(.partition, "p")) { try add("p", "held") }
    #expect(throws: StoreError.badName("a/b")) { try add("q", "a/b") }
    #expect(try catalog.partitions(of: dataset).map(\.name) == ["p"])
  }

  @Test("A sample cannot be in two parts of one partition")
  func disjoint() throws {
    let house = try TemporaryCatalog()
    let dataset = try house.catalog.importFaces(sixFaces).dataset.id
    #expect(throws: StoreError.self) {
      try house.catalog.addPartition(
        of: dataset, named: "p", seed: 1, rule: "{}", members: [("a", [1, 2]), ("b", [2])])
    }
    #expect(try house.catalog.partitions(of: dataset).isEmpty)
  }

  @Test("Retired samples are in no part")
  func retired() throws {
    let house = try TemporaryCatalog()
    let dataset = try house.catalog.importFaces(sixFaces).dataset.id
    _ = try house.catalog.addPartition(
      of: dataset, named: "p", seed: 1, rule: "{}", members: [("fit", [1, 2, 3])])
    try house.catalog.importFaces(Array(sixFaces[2...]), replace: true)
    #expect(try house.catalog.keys("faces/fit") == ["2"])
    #expect(
      try house.catalog.partitions(of: dataset)[0].parts == [PartCount(part: "fit", count: 1)])
  }
}
