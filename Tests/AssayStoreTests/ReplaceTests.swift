import AssayCore
import Testing

import AssayStore

@Suite("Importing again")
struct ReplaceTests {
  /// Key 0 keeps its position with another label and pixels, 1 is unchanged, 6 is new, the rest is
  /// removed.
  private let later = [
    FaceSample(key: "6", split: "test", label: "proud", pixels: [7, 7]),
    FaceSample(key: "1", split: "train", label: "sad"),
    FaceSample(key: "0", split: "test", label: "sad", pixels: [9, 8]),
  ]

  @Test("Samples are matched by key, keep their id, and gone ones are retired")
  func replace() throws {
    let house = try TemporaryCatalog()
    try house.catalog.importFaces(sixFaces)
    let summary = try house.catalog.importFaces(later, replace: true)
    #expect((summary.added, summary.kept, summary.retired) == (1, 2, 4))
    #expect((summary.dataset.samples, summary.dataset.importVersion) == (3, 2))
    let selection = try house.catalog.resolve("faces")
    let samples = try house.catalog.samples(in: selection)
    #expect(samples.map(\.id) == [1, 2, 7])
    #expect(samples.map(\.key) == ["0", "1", "6"])
    #expect(samples.map(\.split) == ["test", "train", "test"])
    #expect(try house.catalog.taxonomy(of: selection.dataset.id).names == ["proud", "sad"])
    #expect(samples.map(\.category) == [1, 1, 0])
    var pixels: [[UInt8]] = []
    try house.catalog.forEachPixels(of: samples.map(\.id)) { _, _, _, bytes in
      pixels.append(Array(bytes))
    }
    #expect(pixels == [[9, 8], [1, 2], [7, 7]])
    // A removed class has no ordinal, so a retired sample that had it has no label.
    #expect(try house.catalog.samples(ids: [3]).map(\.category) == [nil])
    #expect(try house.catalog.sql("PRAGMA foreign_key_check").rows.isEmpty)
  }

  @Test("What was gone can come back under its old id")
  func comeback() throws {
    let house = try TemporaryCatalog()
    try house.catalog.importFaces(sixFaces)
    try house.catalog.importFaces(later, replace: true)
    let summary = try house.catalog.importFaces(sixFaces, replace: true)
    #expect((summary.added, summary.kept, summary.retired) == (0, 6, 1))
    let samples = try house.catalog.samples(in: house.catalog.resolve("faces"))
    #expect(samples.map(\.id) == [1, 2, 3, 4, 5, 6])
    #expect(samples.map(\.category) == [1, 2, 1, 0, nil, 2])
  }

  @Test("Replacing what is not there is a first import")
  func fresh() throws {
    let house = try TemporaryCatalog()
    #expect(try house.catalog.importFaces(sixFaces, replace: true).added == 6)
  }

  @Test("A failed replacement leaves the earlier import")
  func failed() throws {
    let house = try TemporaryCatalog()
    try house.catalog.importFaces(sixFaces)
    #expect(throws: StoreError.duplicateKey("6")) {
      try house.catalog.importFaces(later + [later[0]], replace: true)
    }
    #expect(try house.catalog.keys() == ["0", "1", "2", "3", "4", "5"])
    #expect(try house.catalog.taxonomy(of: 1).names == ["angry", "happy", "sad"])
  }
}
