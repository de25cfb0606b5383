import AssayCore
import Testing

import AssayStore

@Suite("Corrections and the sample that they are about")
struct MirrorIdentityTests: CorrectionMirrorTests {
  @Test("An image that became another one is told, and its corrections do not apply")
  func imageChanged() throws {
    let house = try CorrectedHouse()
    try house.label("0", "sad")
    try house.label("1", "happy")
    _ = try house.corrected()
    let old = house.image("0")
    house.images["0"] = CorrectedHouse.hash("another")
    try house.catalog.importFaces(sixFaces, replace: true)
    let corrected = try house.corrected()
    #expect(try labels(corrected)["0"] == "happy")
    #expect(try labels(corrected)["1"] == "happy")
    #expect(try corrected.correctionIssues().map(\.kind) == [.imageChanged])
    #expect(try corrected.keys("faces", "corrected = true") == ["1"])
    // The current image is corrected; the old entry remains, and still does not count.
    try house.label("0", "angry")
    #expect(try labels(house.corrected())["0"] == "angry")
    // The old image is restored.
    house.images["0"] = old
    try house.catalog.importFaces(sixFaces, replace: true)
    #expect(try labels(house.corrected())["0"] == "sad")
    #expect(try house.corrected().correctionIssues().map(\.entries) == [1])
  }

  @Test("A file that changed without an import is noticed when somebody looks at it")
  func changedFile() throws {
    let house = try CorrectedHouse()
    try house.label("0", "sad")
    try house.label("0", "angry")
    _ = try house.corrected(at: 1)
    try house.catalog.setContentHash(1, CorrectedHouse.hash("another"))
    #expect(try labels(house.corrected())["0"] == "happy")
    #expect(try labels(house.corrected(at: 1))["0"] == "happy")
    #expect(try house.corrected().correctionIssues().map(\.kind) == [.imageChanged])
    try house.catalog.setContentHash(1, house.image("0"))
    #expect(try labels(house.corrected())["0"] == "angry")
    #expect(try labels(house.corrected(at: 1))["0"] == "sad")
  }

  @Test("An image under another key takes its corrections along; a second one like it does not")
  func moved() throws {
    let house = try CorrectedHouse()
    try house.label("0", "sad")
    _ = try house.corrected()
    var faces = sixFaces
    faces[0].key = "new/0"
    house.images["new/0"] = house.image("0")
    try house.catalog.importFaces(faces, replace: true)
    let corrected = try house.corrected()
    #expect(try labels(corrected)["new/0"] == "sad")
    #expect(try corrected.correctionIssues().map(\.kind) == [.moved])
    #expect(try corrected.correctionIssues()[0].message.contains("new/0"))
    let moved = try #require(try corrected.samples(in: corrected.resolve("faces")).last)
    #expect(moved.key == "new/0")
    #expect(
      try corrected.places(of: moved.id) == [
        SampleIdentity(dataset: "faces", key: "0", contentHash: house.image("0"))
      ])
    // An entry saved under the new key follows the moved one.
    try house.ledger.append(
      house.draft("new/0", .label, .label, ["category": "angry"], parent: .head))
    let state = try house.refresh().state()
    #expect(try labels(house.corrected())["new/0"] == "angry")
    #expect(state.datasets["faces"]?.corrections == 2)
    #expect(state.datasets["faces"]?.conflicts == 0)
    #expect(state.datasets["faces"]?.issues == 0)

    faces.append(FaceSample(key: "copy", label: "happy"))
    house.images["copy"] = house.image("0")
    try house.catalog.importFaces(faces, replace: true)
    let twice = try house.corrected()
    #expect(try twice.correctionIssues().map(\.kind) == [.orphaned])
    #expect(try twice.correctionIssues()[0].message.contains("2 places"))
    #expect(try labels(twice)["copy"] == "happy")
    try whole(house)
  }

  @Test("A renamed dataset's corrections are orphans until they are adopted")
  func adoption() throws {
    let house = try CorrectedHouse()
    try house.label("0", "sad")
    try house.label("1", "angry")
    try house.label("1", "happy")
    _ = try house.catalog.remove(.dataset, named: "faces")
    try house.catalog.importFaces(sixFaces, as: "people")
    #expect(try house.imported().correctionIssues().map(\.kind) == [.orphaned, .orphaned])
    func adopt(_ key: String) -> CorrectionDraft {
      house.draft(
        key, .adopt, .sample,
        [
          "from": [
            "dataset": "faces", "key": .string(key), "contentHash": .string(house.image(key)),
          ]
        ], dataset: "people")
    }
    let first = adopt("1")
    try house.ledger.append(first)
    #expect(try labels(house.corrected(), "people")["1"] == "happy")
    #expect(try labels(house.corrected(), "people")["0"] == "happy")
    #expect(try house.imported().correctionIssues().map(\.key) == ["0"])
    try house.ledger.append(adopt("0"))
    #expect(try labels(house.corrected(), "people")["0"] == "sad")
    #expect(try house.imported().correctionIssues() == [])
    #expect(try house.refresh().state().datasets["people"]?.corrections == 3)
    // Rebuilt from scratch, it is the same.
    #expect(try labels(house.corrected(at: 5), "people")["0"] == "sad")
    try house.catalog.importFaces(sixFaces, as: "people", replace: true)
    #expect(try labels(house.corrected(), "people")["0"] == "sad")
    #expect(try house.imported().correctionIssues() == [])
    // Later entries are included.
    try house.label("1", "sad", dataset: "people")
    #expect(try labels(house.corrected(), "people")["1"] == "sad")
    #expect(try house.refresh().state().datasets["people"]?.conflicts == 0)
    try house.ledger.append(
      house.draft(
        "1", .undo, .sample, ["entry": .string(first.uuid)], dataset: "people"))
    try whole(house)
  }

  @Test("Where an image cannot be read its corrections wait, and are told")
  func unreadable() throws {
    let house = try CorrectedHouse()
    let hash = house.image("0")
    house.images["0"] = ""
    try house.ledger.append(
      house.draft("0", .label, .label, ["category": "sad"], hash: hash))
    #expect(try labels(house.corrected())["0"] == "happy")
    #expect(try house.corrected().correctionIssues().map(\.kind) == [.unreadable])
    #expect(house.looks == ["0"])
    // The editor sees it.
    try house.catalog.setContentHash(1, hash)
    #expect(try labels(house.corrected())["0"] == "sad")
    #expect(try house.corrected().correctionIssues() == [])
  }

  @Test("A class that the dataset no longer has is told and left out")
  func unknownClass() throws {
    let house = try CorrectedHouse()
    try house.label("0", "angry")
    _ = try house.corrected()
    var faces = sixFaces
    faces[3].label = "sad"
    try house.catalog.importFaces(faces, replace: true)
    let corrected = try house.corrected()
    #expect(try labels(corrected)["0"] == "-")
    #expect(try corrected.correctionIssues().map(\.kind) == [.unknownClass])
    #expect(try corrected.correctionIssues()[0].message.contains("“angry”"))
  }
}
