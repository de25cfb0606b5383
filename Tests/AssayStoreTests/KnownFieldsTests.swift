import AssayCore
import Testing

@testable import AssayStore

@Suite("The fields that objects of a dataset have")
struct KnownFieldsTests {
  private func fields(_ attributes: [String?]) throws -> [KnownField] {
    let house = try TemporaryCatalog()
    let sample = RegionSample(
      key: "a", size: ImageSize(width: 10, height: 10),
      regions: attributes.map { RegionDraft("lane", line: [0, 0, 5, 9], attributes: $0) })
    let dataset = try house.catalog.importRegions([sample]).dataset
    #expect(try house.catalog.hasPolygons(in: dataset) == false)
    return try house.catalog.knownFields(in: dataset)
  }

  @Test("Each field has the kind of most of its values, and its texts in alphabetical order")
  func kinds() throws {
    let found = try fields([
      #"{"pose":"left","occluded":true,"track":1,"mixed":"x","parts":[1],"more":{"a":1}}"#,
      #"{"pose":"front","occluded":false,"track":2.5,"mixed":1,"nothing":null}"#,
      #"{"pose":"left","mixed":2}"#, nil,
    ])
    #expect(
      found == [
        KnownField(name: "mixed", kind: .number, values: []),
        KnownField(name: "occluded", kind: .boolean, values: []),
        KnownField(name: "pose", kind: .text, values: ["front", "left"]),
        KnownField(name: "track", kind: .number, values: []),
      ])
  }

  @Test("A field with many texts, or with long ones, is no choice")
  func many() throws {
    let limit = KnownField.valueLimit
    let few = try fields((0..<limit).map { #"{"id":"\#($0)"}"# })
    #expect(few.map(\.values.count) == [limit])
    let many = try fields((0...limit).map { #"{"id":"\#($0)"}"# })
    #expect(many == [KnownField(name: "id", kind: .text, values: [])])
    let long = try fields([#"{"id":"\#(String(repeating: "x", count: 1_000))"}"#])
    #expect(long == [KnownField(name: "id", kind: .text, values: [])])
  }

  @Test("Fields that are damaged in the catalog are passed over")
  func damaged() throws {
    #expect(
      try fields(["{", "", #"{"a":1}"#]) == [KnownField(name: "a", kind: .number, values: [])])
  }

  @Test("A dataset with a polygon says so")
  func polygons() throws {
    let house = try TemporaryCatalog()
    #expect(try house.catalog.hasPolygons(in: house.catalog.importRegions(sixImages).dataset))
  }
}
