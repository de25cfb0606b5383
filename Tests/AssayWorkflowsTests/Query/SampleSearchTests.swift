import AssayCore
import AssayStore
import Testing

import AssayWorkflows

@Suite("Searching samples")
struct SampleSearchTests {
  private let house: StatsCatalog

  init() throws {
    let raster = Raster<UInt8>(repeating: 9, width: 3, height: 2)
    house = try StatsCatalog(
      (0..<5).map { index in
        StatsCatalog.Sample(
          split: index < 3 ? "train" : "test", category: index == 4 ? nil : index % 2,
          raster: raster)
      }, classes: ["happy", "sad"])
  }

  private func search(
    _ expression: String?, in view: String? = "set", limit: Int? = nil
  ) throws -> FoundSamples {
    try SampleSearch(catalog: house.catalog).search(expression, in: view, limit: limit)
  }

  @Test("All are counted, as many as the limit says are handed over")
  func limits() throws {
    let all = try search("label = happy")
    #expect(all.samples.map(\.key) == ["0", "2"])
    #expect(all.count == 2)
    for (limit, keys) in [(0, []), (1, ["0"]), (2, ["0", "2"]), (9, ["0", "2"])] {
      let some = try search("label = happy", limit: limit)
      #expect(some.samples.map(\.key) == keys)
      #expect(some.count == 2)
    }
  }

  @Test("Without an expression it is all of the view, without a view it is the only dataset")
  func defaults() throws {
    #expect(try search(nil).count == 5)
    #expect(try search(nil, in: "set/test").samples.map(\.key) == ["3", "4"])
    #expect(try search("split = train", in: nil).count == 3)
  }

  @Test("Labels have names; no label has none")
  func labels() throws {
    let found = try search(nil)
    #expect(found.samples.map { found.label(of: $0) } == ["happy", "sad", "happy", "sad", nil])
  }

  @Test("Without a view, none and several datasets are an error that says what to do")
  func ambiguous() throws {
    #expect(
      SearchError.noView(datasets: ["a", "b"]).description
        == "the dataset is missing; give --in: a, b"
    )
    _ = try house.catalog.remove(.dataset, named: "set")
    #expect(throws: SearchError.noView(datasets: [])) { try search(nil, in: nil) }
  }

  @Test("A sheet has the pictures that can be had, and counts the others")
  func sheet() throws {
    let drawn = try SampleSheet(catalog: house.catalog, found: search("label = happy")).draw()
    #expect(Array(drawn.png.prefix(4)) == [0x89, 0x50, 0x4E, 0x47])
    #expect((drawn.pictures, drawn.unreadable) == (2, 0))
    let again = try SampleSheet(catalog: house.catalog, found: search("label = happy")).draw()
    #expect(again.png == drawn.png)
  }

  @Test("Nothing found, or nothing to be seen, is no sheet")
  func noSheet() throws {
    #expect(throws: SheetError.noPicture(firstReason: nil)) {
      try SampleSheet(catalog: house.catalog, found: search("key = x")).draw()
    }
    let raster = Raster<UInt8>(repeating: 9, width: 3, height: 2)
    let moved = try StatsCatalog(
      [StatsCatalog.Sample(raster: raster, isFile: true)], classes: [])
    try moved.catalog.relink(dataset: 1, root: moved.folder.path + "/gone", isSingleFile: false)
    let found = try SampleSearch(catalog: moved.catalog).search(nil, in: nil, limit: nil)
    let error = #expect(throws: SheetError.self) {
      try SampleSheet(catalog: moved.catalog, found: found).draw()
    }
    #expect(error?.description.contains("sample 0") == true)
  }
}
