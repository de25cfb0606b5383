import AssayCore
import Testing

import AssayStore

@Suite("Views over a catalog")
struct SelectionTests {
  private let house: TemporaryCatalog

  init() throws {
    house = try TemporaryCatalog()
    let dataset = try house.catalog.importFaces(sixFaces).dataset
    _ = try house.catalog.addPartition(
      of: dataset.id, named: "p", seed: 1, rule: "{}",
      members: [("fit", [1, 3]), ("held", [2]), ("spare", [])])
    _ = try house.catalog.addView(
      named: "glad", in: house.catalog.resolve("faces"), where: "label = happy")
  }

  @Test(
    "An expression gives the samples for which it holds",
    arguments: [
      ("split = train", "01"), ("split = training", "01"), ("split = val", "23"),
      ("split != val", "014"), ("not split = val", "0145"), ("split in (dev, test)", "234"),
      ("label = happy", "02"), ("label != happy", "135"), ("not label = happy", "1345"),
      ("label in (angry, sad)", "135"), ("label not in (angry, sad)", "024"),
      ("key = 3", "3"), ("key in (\"5\", '0', nothing)", "05"), ("key != 3", "01245"),
      ("width = 2", "012345"), ("width > 2", ""), ("height in 1..3", "012345"),
      ("width in (1, 2)", "012345"), ("width != 2.5", "012345"),
      ("count(happy) = 1", "02"), ("count(happy) = 0", "1345"), ("count(sad) >= 1", "15"),
      ("part = fit", "02"), ("part in (fit, held)", "012"), ("not part = fit", "1345"),
      ("part = spare", ""), ("part(p) = fit", "02"), ("part(p) != fit", "1"),
      ("part(p) in (fit, spare)", "02"), ("issue = pixelValue", ""),
      ("split = train and label = sad", "1"), ("split = train or label = sad", "015"),
      ("split = test or split = train and label = sad", "14"),
      ("(split = test or split = train) and label = sad", "1"),
      ("not (split = train or label = sad)", "234"),
    ])
  func expressions(source: String, keys: String) throws {
    #expect(try house.catalog.keys("faces", source).joined() == keys)
  }

  @Test(
    "A VIEW is a dataset, one of its parts, a saved view, or a part of that",
    arguments: [
      ("faces", "012345"), ("faces/train", "01"), ("faces/val", "23"), ("faces/fit", "02"),
      ("faces/spare", ""), ("glad", "02"), ("glad/validation", "2"), ("glad/held", ""),
    ])
  func views(view: String, keys: String) throws {
    #expect(try house.catalog.keys(view).joined() == keys)
  }

  @Test(
    "A name that stands for nothing is an error at its place, with a suggestion and all there are",
    arguments: [
      ("label = hapy", 8, "“faces” has no class “hapy”", "happy", "angry, happy, sad"),
      ("label in (sad, x)", 15, "“faces” has no class “x”", nil, "angry, happy, sad"),
      ("count(hapy) = 1", 6, "“faces” has no class “hapy”", "happy", "angry, happy, sad"),
      ("split = trian", 8, "“faces” has no split “trian”", "train", "test, train, validation"),
      (
        "split = validaton", 8, "“faces” has no split “validaton”", "validation",
        "test, train, validation"
      ),
      ("part = hold", 7, "unknown part “hold”", "held", "fit, held, spare"),
      ("part(q) = fit", 5, "“faces” has no partition “q”", "p", "p"),
      ("run(r1).correct = true", 4, "unknown run “r1”", nil, ""),
    ] as [(String, Int, String, String?, String)])
  func unknownNames(
    source: String, offset: Int, message: String, suggestion: String?, known: String
  ) throws {
    let catalog = house.catalog
    let selection = try catalog.resolve("faces")
    let error = #expect(throws: StoreError.self) {
      try catalog.samples(in: selection, where: source)
    }
    guard case .expression(let place) = error else {
      Issue.record("not an expression's error: \(String(describing: error))")
      return
    }
    #expect(place.offset == offset)
    #expect(place.message == message)
    #expect(place.suggestion == suggestion)
    #expect(place.candidates.joined(separator: ", ") == known)
  }

  @Test("An unknown kind of issue is an error")
  func unknownIssue() throws {
    let catalog = house.catalog
    let selection = try catalog.resolve("faces")
    #expect(throws: StoreError.self) { try catalog.count(in: selection, where: "issue = odd") }
  }

  @Test("An unknown VIEW or part is an error that lists what there is")
  func unknownViews() throws {
    let catalog = house.catalog
    #expect(
      throws: StoreError.unknownView("face", suggestion: "faces", known: ["faces", "glad"])
    ) { try catalog.resolve("face") }
    #expect(
      throws: StoreError.unknownPart(
        "fitt", dataset: "faces", suggestion: "fit",
        known: ["test", "train", "validation", "fit", "held", "spare"])
    ) { try catalog.resolve("faces/fitt") }
    #expect(throws: StoreError.self) { try catalog.resolve("faces/") }
    #expect(throws: StoreError.self) { try catalog.resolve("faces/fit/train") }
    #expect(throws: StoreError.self) { try catalog.resolve("") }
  }

  @Test("A limit takes the first samples")
  func limit() throws {
    let catalog = house.catalog
    let selection = try catalog.resolve("faces")
    #expect(
      try catalog.samples(in: selection, where: "label != happy", limit: 2).map(\.key)
        == ["1", "3"])
  }

  @Test(
    "Samples are sorted by a text, by its bytes, and those without one come last",
    arguments: [("key", "012345", "543210"), ("part(p)", "021345", "102345")])
  func texts(field: String, ascending: String, descending: String) throws {
    let catalog = house.catalog
    let all = try catalog.resolve("faces")
    #expect(try catalog.isText(field, in: all))
    for (order, keys) in [(false, ascending), (true, descending)] {
      let order = SampleOrder(field: field, isDescending: order)
      #expect(try catalog.samples(in: all, orderedBy: order).map(\.key).joined() == keys)
      let found = try catalog.ids(in: all, where: nil, orderedBy: order)
      #expect(try catalog.samples(ids: found.ids).map(\.key).joined() == keys)
      #expect(found.numbers.isEmpty && found.texts.count == 6)
    }
    let labels = try catalog.ids(in: all, where: nil, orderedBy: SampleOrder(field: "label"))
    #expect(labels.texts == labels.texts.sorted { ($0 ?? "~") < ($1 ?? "~") })
  }

  @Test(
    "Samples are not sorted by what is true or false, or what a sample has several of",
    arguments: ["tag", "issue", "part", "unsure", "note", "run(r).correct", "field(none)"])
  func unsorted(field: String) throws {
    let all = try house.catalog.resolve("faces")
    #expect(throws: StoreError.self) {
      try house.catalog.ids(in: all, where: nil, orderedBy: SampleOrder(field: field))
    }
  }

  @Test("The aspect is the width divided by the height, and objects() are all objects")
  func aspect() throws {
    #expect(try house.catalog.keys("faces", "aspect >= 0.01 and aspect in 0..100").count == 6)
    #expect(try house.catalog.keys("faces", "width < height or aspect >= 1").count == 6)
    #expect(try house.catalog.keys("faces", "objects() = 0").count == 6)
  }

  @Test("An exact spelling of a split leaves its relatives out")
  func exactSplit() throws {
    let house = try TemporaryCatalog()
    try house.catalog.importFaces([
      FaceSample(key: "0", split: "val"), FaceSample(key: "1", split: "dev"),
      FaceSample(key: "2", split: "val2017"),
    ])
    #expect(try house.catalog.keys("faces", "split = val") == ["0"])
    #expect(try house.catalog.keys("faces", "split = validation") == ["0", "1"])
    #expect(try house.catalog.keys("faces/val2017") == ["2"])
  }

  @Test("A thousand comparisons are not too deep for SQLite")
  func manyTerms() throws {
    let catalog = house.catalog
    let source = repeatElement("key = 1", count: 900).joined(separator: " or ")
    #expect(try catalog.keys("faces", source) == ["1"])
  }
}
