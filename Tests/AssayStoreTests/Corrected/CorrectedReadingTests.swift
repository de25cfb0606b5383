import AssayCore
import AssayTestSupport
import Testing

@testable import AssayStore

@Suite("Reading the corrected truth")
struct CorrectedReadingTests {
  @Test("A corrected label is found, counted and shown; the imported truth stays as it was")
  func labels() throws {
    let house = try CorrectedHouse()
    try house.label("0", "sad")
    try house.label("4", "angry")
    let corrected = try house.corrected()
    #expect(try corrected.keys("faces", "label = sad") == ["0", "1", "5"])
    #expect(try corrected.keys("faces", "label = happy") == ["2"])
    #expect(try corrected.keys("faces", "label = angry") == ["3", "4"])
    #expect(try corrected.keys("faces", "count(sad) = 1 and count(happy) = 0") == ["0", "1", "5"])
    let names = try corrected.taxonomy(of: 1).names
    let selection = try corrected.resolve("faces")
    #expect(
      try corrected.samples(in: selection).map { $0.category.map { names[$0] } }
        == ["sad", "sad", "happy", "angry", "angry", "sad"])
    #expect(
      try corrected.samples(ids: [5, 1]).map { $0.category.map { names[$0] } } == ["angry", "sad"])
    #expect(
      try corrected.splitCounts(of: 1).filter { $0.split == "train" }.map(\.count) == [2])
    #expect(
      try corrected.numbers(["count(sad)", "count(happy)"], of: [1, 2], in: selection)
        == [[1, 0], [1, 0]])

    let imported = try house.imported()
    #expect(try imported.keys("faces", "label = sad") == ["1", "5"])
    #expect(try house.catalog.keys("faces", "label = sad") == ["1", "5"])
    #expect(try imported.keys("faces", "count(happy) = 1") == ["0", "2"])
  }

  @Test("A corrected region is found, counted, measured and read")
  func regions() throws {
    let house = try CorrectedHouse { try $0.importRegions(sixImages) }
    let size = ImageSize(width: 10, height: 10)
    // Image 0 has a person of 5 × 4 = 20 pixels; ten added pixels touch it, and five do not.
    try house.ledger.append([
      house.mask("0", "person", added: Mask(0, 4, 10, 1, in: size)),
      house.mask("0", "person", added: Mask(9, 6, 1, 4, in: size)),
      // The second of image 1's two persons loses the pixels that it does not share with the first:
      // rows 4 to 6.
      house.mask("1", "person", removed: Mask(0, 4, 10, 3, in: size)),
    ])
    let corrected = try house.corrected()
    let selection = try corrected.resolve("coco")
    func numbers(_ catalog: Catalog) throws -> [[Double?]] {
      try catalog.numbers(
        ["count(person)", "coverage(person)", "coverage(\"traffic light\")"], of: [1, 2, 3],
        in: selection)
    }
    let triangle = try #require(try numbers(house.catalog)[2][1])
    let found = try numbers(corrected)
    #expect(found == [[2, 0.34, 0], [2, 0.4, 0.04], [1, triangle, 0]])
    #expect(try numbers(house.catalog) == [[1, 0.2, 0], [2, 0.7, 0.04], [1, triangle, 0]])
    #expect(try corrected.keys("coco", "coverage(person) in 0.3..0.45") == ["0", "1"])
    #expect(try corrected.keys("coco", "coverage(person) < 0.3") == ["4"])
    #expect(try corrected.keys("coco", "count(person) = 2") == ["0", "1"])
    #expect(try house.imported().keys("coco", "count(person) = 2") == ["1"])
    #expect(
      try corrected.regionCounts(of: [1, 2]) == [
        [RegionCount(category: 0, instances: 2, crowds: 0)],
        [
          RegionCount(category: 0, instances: 2, crowds: 0),
          RegionCount(category: 1, instances: 1, crowds: 0),
        ],
      ])
    let counts = try corrected.instanceCounts(in: selection, coverage: true)
    #expect(counts.categories[0].instances == 6)
    #expect(counts.categories[0].images == 5)
    #expect(counts.imagesWithout == 1)
    // Over the images that have a person and a size: 0.34, 0.4, the triangle, 1.
    #expect(
      counts.categories[0].meanCoverage.map { abs($0 - (0.34 + 0.4 + triangle + 1) / 4) < 1e-12 }
        == true)
    var read: [Int: [AnnotationRecord]] = [:]
    try corrected.forEachAnnotations(of: [1, 2, 3]) { read[$0] = $1 }
    #expect(read[0]?.map(\.shape) == [.mask, .mask])
    #expect(read[0]?.map(\.area) == [30, 4])
    #expect(read[0]?.map(\.ordinal) == [1, 2])
    #expect(read[1]?.map(\.category) == [0, 1, 0])
    #expect(read[1]?.map(\.sourceID) == [.integer(1 << 40), nil, nil])
    #expect(read[1]?[1].area == 9216)
    #expect(read[1]?[2].geometry == Mask(0, 3, 10, 1, in: size).compressed)
    #expect(read[2]?.count == 2)
    var backwards: [String] = []
    try corrected.forEachAnnotations(of: [3, 1, 6], geometry: false) {
      backwards.append("\($0):\($1.count)")
    }
    #expect(backwards == ["0:2", "1:2", "2:1"])
  }

  @Test("What was left out is left out of a selection, unless it is asked for")
  func leftOut() throws {
    let house = try CorrectedHouse()
    try house.ledger.append([
      house.draft("1", .reject, .sample, ["reason": "two faces"]),
      house.draft("3", .bad, .sample, ["reason": ""]),
    ])
    let corrected = try house.corrected()
    var selection = try corrected.resolve("faces")
    #expect(try corrected.samples(in: selection).map(\.key) == ["0", "2", "4", "5"])
    #expect(try corrected.count(in: selection) == 4)
    selection.includesLeftOut = true
    #expect(try corrected.count(in: selection) == 6)
    #expect(
      try corrected.samples(in: selection, where: "left_out = true").map(\.key) == ["1", "3"])
    #expect(try house.imported().keys("faces", "left_out = true") == ["1", "3"])
    #expect(try house.imported().count(in: selection) == 6)
    #expect(try corrected.corrected(of: [2, 4]).map(\.leftOut) == ["two faces", "bad image"])
  }

  @Test(
    "What people did can be asked for, of either truth",
    arguments: [
      ("corrected = true", "01"), ("corrected = false", "2345"), ("corrected != true", "2345"),
      ("not corrected = true", "2345"), ("corrected in (true, false)", "012345"),
      ("left_out = true", "1"), ("reviewed = true", "2"), ("unsure = true", "3"),
      ("conflict = true", "0"), ("corrections = 1", "1"), ("corrections > 1", "0"),
      ("corrections = 0", "2345"), ("corrections in 1..3", "01"),
      ("corrected_by = anna", "0"), ("corrected_by in (anna, ben)", "01"),
      ("corrected_by = ben and not corrected_by = anna", "1"),
      ("corrected = true and label = sad", "01"),
    ])
  func fields(source: String, keys: String) throws {
    let house = try CorrectedHouse()
    let first = try house.label("0", "sad")
    try house.label("0", "angry", by: "ben")
    try house.label("0", "sad")
    try house.ledger.append([
      // Based on the first of the three, which is no longer the last.
      house.draft(
        "0", .label, .label, ["category": "happy"], by: "cleo", parent: .sequence(first.sequence)),
      house.draft("1", .reject, .sample, ["reason": "no face"], by: "ben"),
      house.draft("2", .accept, .sample, by: "anna"),
      house.draft("3", .unsure, .sample, by: "anna"),
    ])
    var selection = try house.catalog.resolve("faces")
    selection.includesLeftOut = true
    let corrected = try house.corrected()
    #expect(try corrected.samples(in: selection, where: source).map(\.key).joined() == keys)
    #expect(try corrected.count(in: selection, where: source) == keys.count)
    if !source.contains("label") {
      #expect(try house.imported().keys("faces", source).joined() == keys)
    }
  }

  @Test("Without a ledger nothing was done to any sample, and nobody did it")
  func nothing() throws {
    let house = try TemporaryCatalog()
    try house.catalog.importFaces(sixFaces)
    #expect(try house.catalog.keys("faces", "corrected = true or corrections > 0") == [])
    #expect(try house.catalog.keys("faces", "left_out = false").count == 6)
    #expect {
      try house.catalog.keys("faces", "corrected_by = anna")
    } throws: {
      "\($0)".contains("there are no corrections yet")
    }
  }

  @Test(
    "A slip in such a question is named, with what may have been meant",
    arguments: [
      ("corected = true", "did you mean “corrected”?"),
      ("corrected_by = ana", "did you mean “anna”?"),
      ("corrected_by != anna", "use “not … = …”"),
      ("corrected = yes", "“true” or “false”"),
      ("corrected > 1", "compares numbers"),
      ("corrections = many", "number"),
      ("leftout = true", "did you mean “left_out”?"),
    ])
  func slips(source: String, text: String) throws {
    let house = try CorrectedHouse()
    try house.label("0", "sad")
    let catalog = try house.imported()
    #expect {
      try catalog.keys("faces", source)
    } throws: { error in
      "\(error)".contains(text)
    }
  }

  @Test("Samples are sorted by the number of their corrections")
  func order() throws {
    let house = try CorrectedHouse()
    try house.label("2", "sad")
    try house.label("2", "angry")
    try house.label("5", "angry")
    let selection = try house.catalog.resolve("faces")
    let order = SampleOrder(field: "corrections", isDescending: true)
    #expect(
      try house.imported().samples(in: selection, orderedBy: order, limit: 3).map(\.key)
        == ["2", "5", "0"])
  }
}
