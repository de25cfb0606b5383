import Testing

import AssayStore

@Suite("Saved views")
struct ViewTests {
  @Test("A view of a view and of a part keeps all their conditions")
  func nested() throws {
    let house = try TemporaryCatalog()
    try house.catalog.importFaces(sixFaces)
    let catalog = house.catalog
    let trained = try catalog.addView(
      named: "trained", in: catalog.resolve("faces/train"), where: "label = sad or label = happy")
    #expect(trained.parts == ["train"])
    #expect(trained.dataset == "faces")
    _ = try catalog.addView(named: "sadly", in: catalog.resolve("trained"), where: "label = sad")
    #expect(try catalog.keys("trained") == ["0", "1"])
    #expect(try catalog.keys("sadly") == ["1"])
    #expect(
      try catalog.views().map(\.expression) == [
        "(label = sad or label = happy) and (label = sad)", "label = sad or label = happy",
      ])
  }

  @Test("A view that cannot be understood, or whose name is taken, is not saved")
  func refused() throws {
    let house = try TemporaryCatalog()
    try house.catalog.importFaces(sixFaces)
    let selection = try house.catalog.resolve("faces")
    #expect(throws: StoreError.self) {
      try house.catalog.addView(named: "v", in: selection, where: "label = hapy")
    }
    #expect(throws: StoreError.nameTaken(.dataset, "faces")) {
      try house.catalog.addView(named: "faces", in: selection, where: "label = happy")
    }
    #expect(throws: StoreError.badName("a b")) {
      try house.catalog.addView(named: "a b", in: selection, where: "label = happy")
    }
    #expect(try house.catalog.views().isEmpty)
  }
}
