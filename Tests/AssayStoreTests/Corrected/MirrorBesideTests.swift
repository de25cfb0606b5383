import AssayCore
import AssayTestSupport
import Foundation
import GRDB
import Synchronization
import Testing

import AssayStore

@Suite("A mirror that cannot be written, or is cut off")
struct MirrorBesideTests {
  /// Runs work while another connection blocks writes to the catalog.
  private func blocked<Value>(_ house: CorrectedHouse, _ work: () throws -> Value) throws -> Value {
    var configuration = Configuration()
    configuration.allowsUnsafeTransactions = true
    let other = try DatabaseQueue(path: house.catalog.path, configuration: configuration)
    try other.inDatabase { try $0.execute(sql: "BEGIN IMMEDIATE") }
    defer { try? other.inDatabase { try $0.execute(sql: "ROLLBACK") } }
    return try work()
  }

  @Test(
    "Where the catalog cannot be written the state is made in a file beside, which goes with it")
  func beside() throws {
    let house = try CorrectedHouse { try $0.importRegions(sixImages) }
    let size = ImageSize(width: 10, height: 10)
    try house.ledger.append([
      house.mask("0", "person", added: Mask(0, 4, 10, 1, in: size)),
      house.draft("1", .reject, .sample, ["reason": "dark"], dataset: "coco"),
    ])
    var file: String?
    try blocked(house) {
      let state = try house.refresh().state()
      file = state.file
      let path = try #require(file)
      #expect(FileManager.default.fileExists(atPath: path))
      let attributes = try FileManager.default.attributesOfItem(atPath: path)
      #expect(attributes[.posixPermissions] as? Int == 0o600)
      let corrected = try house.catalog.reading(state.reading(corrected: true))
      try check(corrected)
    }
    let path = try #require(file)
    #expect(!FileManager.default.fileExists(atPath: path))
    #expect(try house.catalog.sql("SELECT count(*) FROM truthState").rows == [[.integer(0)]])
    // Later it is written, with the same contents.
    #expect(try house.refresh().state().file == nil)
    try check(house.corrected())
  }

  private func check(_ corrected: Catalog) throws {
    var selection = try corrected.resolve("coco")
    #expect(
      try corrected.numbers(["count(person)", "coverage(person)"], of: [1], in: selection)
        == [[1, 0.3]])
    #expect(try corrected.keys("coco", "coverage(person) = 0.3 and corrected_by = anna") == ["0"])
    #expect(try corrected.count(in: selection) == 5)
    selection.includesLeftOut = true
    #expect(try corrected.samples(in: selection, where: "left_out = true").map(\.key) == ["1"])
    #expect(try corrected.regionCounts(of: [1]).first?.first?.instances == 1)
    var shapes: [ShapeKind] = []
    try corrected.forEachAnnotations(of: [1]) { shapes += $1.map(\.shape) }
    #expect(shapes == [.mask])
    #expect(try corrected.corrected(of: [2]).first?.leftOut == "dark")
    #expect(try corrected.truthSequence() == 2)
  }

  @Test("What is there already is read from a catalog that cannot be written")
  func upToDate() throws {
    let house = try CorrectedHouse()
    try house.label("0", "sad")
    _ = try house.refresh().state()
    try blocked(house) {
      let state = try house.refresh().state()
      #expect(state.file == nil)
      #expect(
        try house.catalog.reading(state.reading(corrected: true)).keys("faces", "label = sad")
          == ["0", "1", "5"])
    }
  }

  @Test("An interrupt in the middle leaves the mirror as it was, and the next time it is whole")
  func interrupted() throws {
    struct Stop: Error {}
    let house = try CorrectedHouse()
    try house.label("0", "sad")
    let before = try house.refresh().state()
    for key in ["1", "2", "3"] { try house.label(key, "angry") }
    let steps = Mutex(0)
    let catalog = try Catalog.open(house.catalog.path, .readWrite) { _, what in
      if what == "applying corrections",
        steps.withLock({
          $0 += 1; return $0
        }) > 1
      {
        throw Stop()
      }
    }
    #expect(throws: Stop.self) { try house.refresh(catalog).state() }
    #expect(
      try house.catalog.sql("SELECT id, sequence FROM truthState").rows
        == [[.integer(before.id), .integer(before.sequence)]])
    #expect(
      try house.catalog.sql("SELECT sample FROM correctedSample").rows == [[.integer(1)]])
    #expect(try house.corrected().keys("faces", "label = angry") == ["1", "2", "3"])
  }

  @Test(
    "What a kill in the middle leaves is a whole catalog, and the next command brings it up to date"
  )
  func killed() throws {
    struct Killed: Error {}
    let house = try CorrectedHouse {
      try $0.importFaces((0..<3_000).map { FaceSample(key: "\($0)", label: "happy") })
      try $0.importFaces(sixFaces, as: "six")
    }
    try house.label("0", "sad", dataset: "six")
    _ = try house.refresh().state()
    try house.ledger.append(
      (0..<3_000).map { house.draft("\($0)", .label, .label, ["category": "happy"]) })
    let copy = house.house.path("copy.db")
    let path = house.catalog.path
    let catalog = try Catalog.open(house.catalog.path, .readWrite) { fraction, what in
      guard what == "applying corrections", fraction >= 1 else { return }
      for suffix in ["", "-wal"] {
        try FileManager.default.copyItem(
          atPath: path + suffix, toPath: copy + suffix)
      }
      throw Killed()
    }
    #expect(throws: Killed.self) { try house.refresh(catalog).state() }
    let survivor = try Catalog.open(copy, .readWrite)
    #expect(try survivor.sql("PRAGMA integrity_check").rows == [[.text("ok")]])
    #expect(try survivor.sql("PRAGMA foreign_key_check").rows.isEmpty)
    #expect(try survivor.sql("SELECT sequence FROM truthState").rows == [[.integer(1)]])
    #expect(try survivor.sql("SELECT count(*) FROM correctedSample").rows == [[.integer(1)]])
    let state = try house.refresh(survivor).state()
    #expect(state.sequence == 3_001)
    #expect(
      try survivor.sql("SELECT count(*) FROM correctedSample").rows == [[.integer(3_001)]])
  }

  @Test("Two commands that start at once bring it up to date once, and agree")
  func twice() async throws {
    let house = try CorrectedHouse()
    // The last of them already had it.
    for key in ["0", "1", "2", "3"] { try house.label(key, "angry") }
    let (path, ledger) = (house.catalog.path, house.ledger)
    let hashes = Dictionary(
      uniqueKeysWithValues: sixFaces.map { ($0.key, house.image($0.key)) })
    let states = try await withThrowingTaskGroup(of: MirroredState.self) { group in
      for _ in 0..<4 {
        group.addTask {
          let catalog = try Catalog.open(path, .readOnly)
          return try MirrorRefresh(catalog: catalog, ledger: ledger) { _, samples in
            let found = Dictionary(
              uniqueKeysWithValues: samples.map { ($0.id, hashes[$0.key] ?? "") })
            try catalog.setContentHashes(found)
            return found
          }.state()
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(states.map(\.sequence) == [4, 4, 4, 4])
    #expect(Set(states.filter { $0.file == nil }.map(\.id)).count == 1)
    #expect(states.allSatisfy { $0.datasets["faces"]?.corrections == 3 })
  }
}
