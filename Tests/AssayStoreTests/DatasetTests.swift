import Testing

import AssayStore

@Suite("Datasets")
struct DatasetTests {
  @Test("An unknown name comes with a suggestion and all there are")
  func unknown() throws {
    let house = try TemporaryCatalog()
    let empty = #expect(throws: StoreError.self) { try house.catalog.dataset(named: "face") }
    #expect(empty?.description == "unknown dataset “face”; there are no datasets yet")
    try house.catalog.importFaces(sixFaces)
    try house.catalog.importFaces(sixFaces, as: "digits")
    let error = #expect(throws: StoreError.self) { try house.catalog.dataset(named: "face") }
    #expect(
      error?.description == "unknown dataset “face”; did you mean “faces”? datasets: digits, faces")
    #expect(try house.catalog.findDataset(named: "face") == nil)
  }

  @Test("A dataset's root can move")
  func relink() throws {
    let house = try TemporaryCatalog()
    let dataset = try house.catalog.importFaces(sixFaces).dataset
    try house.catalog.relink(dataset: dataset.id, root: "/elsewhere", isSingleFile: false)
    let moved = try house.catalog.dataset(named: "faces")
    #expect(moved.root == "/elsewhere")
    #expect(!moved.isSingleFile)
    #expect(moved.samples == 6)
  }

  @Test("What another object has written is seen, and a writer waits for another one")
  func twoObjects() throws {
    let house = try TemporaryCatalog()
    try house.catalog.importFaces(sixFaces)
    let other = try Catalog.open(house.catalog.path, .readWrite)
    try other.importFaces(sixFaces, as: "more")
    #expect(try house.catalog.datasets().map(\.name) == ["faces", "more"])
  }

  @Test("A reader that comes during an import sees what was there before it")
  func readerDuringImport() throws {
    let house = try TemporaryCatalog()
    try house.catalog.importFaces(sixFaces)
    let draft = ImportDraft(name: "more", format: .fer, root: "/m", isSingleFile: true)
    _ = try house.catalog.importDataset(draft) { writer in
      let (batch, outcome) = Catalog.batch(sixFaces)
      try writer.write(batch)
      let reader = try Catalog.open(house.catalog.path, .readOnly)
      #expect(try reader.datasets().map(\.name) == ["faces"])
      #expect(try reader.keys("faces", "label = happy") == ["0", "2"])
      return (outcome, nil)
    }
    #expect(try house.catalog.datasets().map(\.name) == ["faces", "more"])
  }
}
