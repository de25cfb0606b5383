import AssayCore
import Foundation
import GRDB
import Testing

@testable import AssayStore

@Suite("The mirror of the ledger")
struct MirrorRefreshTests: CorrectionMirrorTests {
  @Test("It follows the ledger, looking at an image once and replaying what is new alone")
  func follows() throws {
    let house = try CorrectedHouse()
    #expect(try house.refresh().state().datasets == [:])
    try house.label("0", "sad")
    try house.label("1", "happy")
    #expect(try labels(house.corrected())["0"] == "sad")
    #expect(house.looks == ["0", "1"])
    try house.label("0", "angry")
    let state = try house.refresh().state()
    #expect(state.sequence == 3)
    #expect(state.datasets["faces"]?.corrections == 3)
    #expect(state.datasets["faces"]?.samples == 2)
    #expect(try labels(house.corrected())["0"] == "angry")
    #expect(house.looks == ["0", "1"])
    #expect(try house.refresh().state() == state)
  }

  @Test("A state of the past is what it was then, and a few of them are kept")
  func past() throws {
    let house = try CorrectedHouse()
    for label in ["sad", "angry", "happy", "sad", "angry", "happy", "sad"] {
      try house.label("2", label)
    }
    let then = ["happy", "sad", "angry", "happy", "sad", "angry", "happy", "sad"]
    for (sequence, label) in then.enumerated() {
      #expect(try labels(house.corrected(at: Int64(sequence)))["2"] == label)
    }
    #expect(
      try house.catalog.sql("SELECT sequence, isHead FROM truthState ORDER BY sequence").rows == [
        [.integer(3), .integer(0)], [.integer(4), .integer(0)], [.integer(5), .integer(0)],
        [.integer(6), .integer(0)], [.integer(7), .integer(1)],
      ])
    // An existing one is not created again.
    let ids = try house.refresh().state(upTo: 5).id
    #expect(try house.refresh().state(upTo: 5).id == ids)
    #expect(throws: TruthError.noSuchEntry(8, last: 7)) { try house.corrected(at: 8) }
    #expect(throws: TruthError.noSuchEntry(-1, last: 7)) { try house.corrected(at: -1) }
  }

  @Test("A dataset that another process removes while images are hashed is left out")
  func removedMeanwhile() throws {
    let house = try CorrectedHouse()
    try house.catalog.importFaces(sixFaces, as: "second")
    for dataset in ["faces", "second"] { try house.label("0", "sad", dataset: dataset) }
    let refresh = MirrorRefresh(catalog: house.catalog, ledger: house.ledger) { dataset, samples in
      #expect(dataset.name == "faces")
      _ = try Catalog.open(house.catalog.path, .readWrite).remove(.dataset, named: "second")
      return Dictionary(uniqueKeysWithValues: samples.map { ($0.id, house.image($0.key)) })
    }
    let state = try refresh.state()
    #expect(state.sequence == 2 && state.datasets["faces"]?.corrections == 1)
    #expect(state.datasets["second"]?.corrections ?? 0 == 0)
    #expect(try house.catalog.datasets().map(\.name) == ["faces"])
  }

  @Test("Removing a dataset and importing it again keeps every correction")
  func removal() throws {
    let house = try CorrectedHouse()
    try house.label("0", "sad")
    try house.label("3", "happy")
    let before = try labels(house.corrected())
    _ = try house.catalog.remove(.dataset, named: "faces")
    let gone = try house.refresh().state()
    #expect(gone.datasets["faces"]?.issues == 2)
    #expect(gone.datasets["faces"]?.corrections == 0)
    let issues = try house.imported().correctionIssues()
    #expect(issues.map(\.kind) == [.orphaned, .orphaned])
    #expect(issues.map(\.key) == ["0", "3"])
    #expect(issues[0].message.contains("there is no dataset “faces”"))
    try house.catalog.importFaces(sixFaces)
    let corrected = try house.corrected()
    #expect(try labels(corrected) == before)
    #expect(try corrected.correctionIssues() == [])
    #expect(try house.refresh().state().datasets["faces"]?.corrections == 2)
    try whole(house)
  }

  @Test("The same holds where nobody looks in between, and the new samples get the old row ids")
  func quickRemoval() throws {
    let house = try CorrectedHouse()
    try house.label("5", "happy")
    _ = try house.corrected()
    _ = try house.catalog.remove(.dataset, named: "faces")
    try house.catalog.importFaces(Array(sixFaces.reversed()))
    #expect(try labels(house.corrected())["5"] == "happy")
    #expect(try labels(house.corrected())["0"] == "happy")
    #expect(try labels(house.corrected())["1"] == "sad")
    try whole(house)
  }

  @Test("Importing again keeps corrections, and a sample that is gone and back has its own again")
  func replacement() throws {
    let house = try CorrectedHouse()
    try house.label("0", "sad")
    try house.label("5", "happy")
    _ = try house.corrected()
    try house.catalog.importFaces(Array(sixFaces[1...]), replace: true)
    let corrected = try house.corrected()
    #expect(try labels(corrected)["5"] == "happy")
    #expect(try corrected.correctionIssues().map(\.kind) == [.orphaned])
    #expect(
      try corrected.correctionIssues()[0].message.contains("no longer has this sample or its image")
    )
    try house.catalog.importFaces(sixFaces, replace: true)
    #expect(try labels(house.corrected())["0"] == "sad")
    #expect(try house.corrected().correctionIssues() == [])
    try whole(house)
  }

  @Test("Another ledger in the place of the one that was there is read from its beginning")
  func otherLedger() throws {
    let house = try CorrectedHouse()
    try house.label("0", "sad")
    try house.label("1", "happy")
    _ = try house.corrected()
    let other = try CorrectedHouse()
    try other.label("2", "angry")
    try other.label("3", "angry")
    let state = try MirrorRefresh(catalog: house.catalog, ledger: other.ledger) { _, samples in
      Dictionary(uniqueKeysWithValues: samples.map { ($0.id, house.image($0.key)) })
    }.state()
    let labels = try labels(house.catalog.reading(state.reading(corrected: true)))
    #expect(labels == ["0": "happy", "1": "sad", "2": "angry", "3": "angry", "4": "-", "5": "sad"])
  }

  @Test("A catalog of each earlier schema takes corrections", arguments: [1, 2, 3])
  func migrations(done: Int) throws {
    let house = try TemporaryCatalog()
    let path = house.path("old.db")
    let old = try DatabaseQueue(path: path)
    try Migrations.migrator.migrate(old, upTo: Migrations.all[done - 1].name)
    try old.write { database in
      try database.execute(
        sql: """
          INSERT INTO dataset VALUES (1, 'faces', 'fer', '/f.csv', 1, 1);
          INSERT INTO import VALUES (1, 1, 1, 'h', '{}', 1, 1, 0, 1, 0, '2026-01-31T12:00:00Z');
          INSERT INTO taxonomy VALUES (1, 1, 'labels');
          INSERT INTO category (id, taxonomy, ordinal, name) VALUES (1, 1, 0, 'happy'), (2, 1, 1, 'sad');
          INSERT INTO annotationSet (id, dataset, name, taxonomy) VALUES (1, 1, 'labels', 1);
          INSERT INTO sample (id, dataset, key, width, height, import) VALUES (1, 1, '0', 48, 48, 1);
          INSERT INTO annotation (sample, annotationSet, ordinal, category, shape)
          VALUES (1, 1, 0, 1, 'label');
          INSERT INTO run (id, name, dataset, datasetVersion, view, settings, versions, samplesHash,
            createdAt)
          VALUES (1, 'r', 1, 1, 'faces', '{}', '{}', 'h', '2026-01-31');
          INSERT INTO evaluation (id, run, name, settings, createdAt)
          VALUES (1, 1, 'default', '{}', '2026-01-31');
          """)
    }
    try old.close()
    let ledger = try Ledger.open(Ledger.path(forCatalog: path), .create)
    let hash = CorrectedHouse.hash("0")
    try ledger.append(
      CorrectionDraft(
        uuid: TemporaryLedger.uuid(1),
        sample: SampleIdentity(dataset: "faces", key: "0", contentHash: hash), target: .label,
        kind: .label, visit: TemporaryLedger.uuid(2), parent: .head,
        payload: ["author": "anna", "category": "sad"]))
    let catalog = try Catalog.open(path, .readOnly)
    let state = try MirrorRefresh(catalog: catalog, ledger: ledger) { _, _ in [1: hash] }.state()
    let corrected = try catalog.reading(state.reading(corrected: true))
    #expect(try corrected.keys("faces", "label = sad") == ["0"])
    #expect(try catalog.keys("faces", "label = happy") == ["0"])
    #expect(
      try catalog.sql("SELECT ledgerSequence FROM evaluation").rows == [[SQLValue.null]])
  }
}
