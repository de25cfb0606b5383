import AssayCore
import AssayFormats
import Testing

@testable import AssayFormats

@Suite("Names of COCO categories")
struct COCOClassNamesTests {
  private func names(
    _ list: [(Int64, String)], annotated: Set<SourceID> = [],
    assigned: [COCOClassNames.Entry: String] = [:]
  ) -> [String] {
    COCOClassNames(
      list.map { COCOClassNames.Entry(id: .integer($0.0), name: $0.1) }, assigned: assigned
    ) { annotated }.names
  }

  @Test("The first id with annotations keeps the name; the others get their id")
  func annotated() {
    let list: [(Int64, String)] = [(0, "cup"), (1, "cup"), (2, "cup"), (3, "dog")]
    #expect(
      names(list, annotated: [.integer(1), .integer(2)])
        == ["cup (id 0)", "cup", "cup (id 2)", "dog"])
    #expect(names(list) == ["cup", "cup (id 1)", "cup (id 2)", "dog"])
  }

  @Test("No name is given twice")
  func unique() {
    let list: [(Int64, String)] = [(1, "cup"), (2, "cup"), (3, "cup (id 2)")]
    #expect(names(list) == ["cup", "cup (id 2) (id 2)", "cup (id 2)"])
  }

  @Test("An id has the name that another file of the source gave to it")
  func assigned() {
    let assigned: [COCOClassNames.Entry: String] = [
      .init(id: .integer(1), name: "cup"): "cup",
      .init(id: .integer(0), name: "cup"): "cup (id 0)",
    ]
    let both: [(Int64, String)] = [(0, "cup"), (1, "cup")]
    #expect(names(both, annotated: [.integer(0)], assigned: assigned) == ["cup (id 0)", "cup"])
    #expect(names([(0, "cup")], assigned: assigned) == ["cup (id 0)"])
    #expect(names([(7, "cup")], assigned: assigned) == ["cup"])
  }

  @Test("Roboflow's parent of the same name leaves the name to the class with annotations")
  func roboflow() throws {
    let found = try COCOCollected(
      SmallCOCO.file(
        categories: """
          {"id":0,"name":"cup","supercategory":"none"},{"id":7,"name":"cup","supercategory":"cup"}
          """, annotations: SmallCOCO.annotation(["category_id": "7"])))
    #expect(found.categories.map(\.name) == ["cup (id 0)", "cup"])
    #expect(found.categories.map(\.sourceID) == [.integer(0), .integer(7)])
    #expect(found.regions.map(\.category) == ["cup"])
    #expect(found.odd.map(\.location.pointer) == ["/categories/0/name"])
  }
}
