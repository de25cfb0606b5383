import AssayCore
import AssayStore
import AssayTestSupport
import Foundation
import Testing

import AssayWorkflows

@Suite("Corrections handed from ledger to ledger")
struct CorrectionsExchangeTests {
  private typealias House = LedgerHouse

  /// The contents of the entries, without their positions in a chain.
  private func said(_ ledger: Ledger) throws -> [[String]] {
    let entries = try ledger.entries()
    let uuids = Dictionary(uniqueKeysWithValues: entries.map { ($0.sequence, $0.uuid) })
    return entries.map { entry in
      [
        entry.uuid, "\(entry.format)", entry.sample.dataset, entry.sample.key,
        entry.sample.contentHash, entry.target, entry.kind, entry.visit,
        entry.parent.flatMap { uuids[$0] } ?? "", entry.payload,
      ]
    }
  }

  /// Seven entries: the fixture made with Python, with a conflict, a later kind and format, and
  /// unusual texts.
  private func golden(_ house: House) throws -> Ledger {
    let path = house.path("golden.ledger.db")
    try FileManager.default.copyItem(
      at: PackageFolder.fixture("ledger/golden.ledger"), to: URL(fileURLWithPath: path))
    return try Ledger.open(path, .readWrite)
  }

  @Test("An export has the ledger and every column, and an import gives the same entries")
  func roundTrip() throws {
    let house = try House()
    let ledger = try golden(house)
    let summary = try house.export(ledger, "a.jsonl")
    #expect(summary.entries == 7 && summary.samples == 3 && summary.firstBad == nil)
    let lines = try house.lines("a.jsonl")
    #expect(lines.count == 8)
    let head = try JSONValue(parsing: lines[0])
    #expect(head["assayLedger"] == 1 && head["entries"] == 7)
    #expect(head["ledger"]?.text == ledger.uuid)
    #expect(head["head"]?["hash"]?.text == (try ledger.head().hash.hexadecimal))
    let last = try JSONValue(parsing: lines[7])
    let entry = try #require(try ledger.entry(sequence: 7))
    #expect(last["sequence"] == 7 && last["parent"] == 3)
    #expect(last["parentUuid"]?.text == "0a7d3c51-90c2-4a8b-8f6e-000000000003")
    #expect(last["payload"]?["author"] == "anna <b>")
    #expect(last["hash"]?.text == entry.hash.hexadecimal)
    #expect(last["previousHash"]?.text == entry.previousHash.hexadecimal)

    let other = try house.ledger("other")
    let brought = try house.bring("a.jsonl", into: other)
    #expect(brought.new == 7 && brought.known == 0 && brought.head == 7)
    // 6 was a conflict in the source, and is one here.
    #expect(brought.conflicts.map(\.sample.key) == ["17"] && brought.conflictingEntries == 1)
    #expect(brought.source == ledger.uuid && brought.ledger == other.uuid)
    #expect(!brought.isNewLedger)
    #expect(try said(other) == said(ledger))
    #expect(try other.verify().firstBad == nil)
    #expect(try other.entries().map(\.hash) != ledger.entries().map(\.hash))
  }

  @Test("The same file again brings nothing")
  func idempotent() throws {
    let house = try House()
    let ledger = try golden(house)
    try house.export(ledger, "a.jsonl")
    let other = try house.ledger("other")
    try house.bring("a.jsonl", into: other)
    let head = try other.head()
    let again = try house.bring("a.jsonl", into: other)
    #expect(again.new == 0 && again.known == 7 && again.conflicts.isEmpty && again.head == 7)
    #expect(try other.head() == head)
    // Also into its source, and back again.
    #expect(try house.bring("a.jsonl", into: ledger).known == 7)
    try house.export(other, "b.jsonl")
    #expect(try house.bring("b.jsonl", into: ledger).known == 7)
  }

  @Test("Where there is no ledger an import makes one")
  func makesOne() throws {
    let house = try House()
    try house.export(try golden(house), "a.jsonl")
    let summary = try CorrectionsImport(ledger: house.path("new.ledger.db")).run(
      house.path("a.jsonl"))
    #expect(summary.isNewLedger && summary.new == 7)
    #expect(try Ledger.open(house.path("new.ledger.db"), .readOnly).uuid == summary.ledger)
    // Not for a file that cannot be read.
    try house.write("bad.jsonl", ["{}"])
    #expect(throws: ExchangeError.self) {
      try CorrectionsImport(ledger: house.path("none.ledger.db")).run(house.path("bad.jsonl"))
    }
    #expect(!FileManager.default.fileExists(atPath: house.path("none.ledger.db")))
  }

  /// Both have entry 1 of sample 0. Anna continues with 2 and, for sample 1, with 3; Ben with 4 and
  /// 5 of sample 0 and 6 of sample 2.
  @Test("Two people's work comes together; where both worked on a sample it is a conflict")
  func joins() throws {
    let house = try House()
    let anna = try house.ledger("anna")
    try anna.append(House.draft(1))
    try house.export(anna, "start.jsonl")
    let ben = try house.ledger("ben")
    // The positions in the chains differ: Ben has another entry first.
    try ben.append(House.draft(9, "9"))
    try house.bring("start.jsonl", into: ben)
    try anna.append([House.draft(2), House.draft(3, "1")])
    try ben.append([House.draft(4), House.draft(5), House.draft(6, "2")])
    try house.export(anna, "anna.jsonl")
    try house.export(ben, "ben.jsonl")

    let inAnna = try house.bring("ben.jsonl", into: anna)
    #expect(inAnna.new == 4 && inAnna.known == 1)
    #expect(inAnna.conflicts.map(\.sample.key) == ["0"] && inAnna.conflictingEntries == 2)
    #expect(
      try anna.entries().map(\.uuid) == [1, 2, 3, 9, 4, 5, 6].map(House.uuid))
    // 4 follows 1 and 5 follows 4, as in Ben's ledger.
    #expect(try anna.entries().map(\.parent) == [nil, 1, nil, nil, 1, 5, nil])
    #expect(try anna.mainHead(dataset: "faces", key: "0") == 2)

    let inBen = try house.bring("anna.jsonl", into: ben)
    #expect(inBen.new == 2 && inBen.known == 1 && inBen.conflictingEntries == 1)
    #expect(try said(anna).sorted { $0[0] < $1[0] } == said(ben).sorted { $0[0] < $1[0] })
    #expect(try anna.verify().firstBad == nil && ben.verify().firstBad == nil)
  }

  @Test("A part of a ledger goes into one that has what comes before, and into no other")
  func since() throws {
    let house = try House()
    let ledger = try golden(house)
    try house.export(ledger, "all.jsonl")
    try house.export(ledger, "late.jsonl", since: 4)
    #expect(try house.lines("late.jsonl").count == 4)
    let other = try house.ledger("other")
    #expect(
      throws: ExchangeError.missingParent(
        path: house.path("late.jsonl"), line: 2, uuid: "0a7d3c51-90c2-4a8b-8f6e-000000000002")
    ) { try house.bring("late.jsonl", into: other) }
    #expect(try other.head().sequence == 0)
    try house.bring("all.jsonl", into: other)
    try ledger.append(House.draft(50, "17", hash: nil))
    #expect(try house.export(ledger, "later.jsonl", since: 7).entries == 1)
    let brought = try house.bring("later.jsonl", into: other)
    #expect(brought.new == 1 && brought.conflicts.isEmpty)
    #expect(try said(other) == said(ledger))
    #expect(try house.export(ledger, "none.jsonl", since: 8).entries == 0)
    #expect(try house.bring("none.jsonl", into: other).new == 0)
  }

  @Test("A dataset's part goes alone")
  func oneDataset() throws {
    let house = try House()
    let ledger = try golden(house)
    let summary = try house.export(ledger, "faces.jsonl", dataset: "faces")
    #expect(summary.entries == 4 && summary.samples == 1)
    let other = try house.ledger("other")
    #expect(try house.bring("faces.jsonl", into: other).new == 4)
    #expect(try other.entries().map(\.parent) == [nil, 1, 1, 2])
    let error = #expect(throws: ExchangeError.self) {
      try house.export(ledger, "x.jsonl", dataset: "face")
    }
    #expect(
      error
        == .noCorrections(dataset: "face", suggestion: "faces", known: ["coco", "faces"]))
  }

  @Test("A uuid that says something else refuses the whole file")
  func differs() throws {
    let house = try House()
    let one = try house.ledger("one")
    try one.append([House.draft(7, "7"), House.draft(1)])
    try house.export(one, "one.jsonl")
    let two = try house.ledger("two")
    for changed in [
      House.draft(1, payload: ["author": "anna", "category": "sad"]), House.draft(1, "1"),
      House.draft(1, hash: ContentHash.of([1])),
    ] {
      let other = try house.ledger(
        "other\(changed.sample.key)\(changed.payload.text().count)\(changed.sample.contentHash.prefix(4))"
      )
      try other.append(changed)
      #expect(
        throws: ExchangeError.differs(
          path: house.path("one.jsonl"), line: 3, uuid: House.uuid(1), sequence: 1)
      ) { try house.bring("one.jsonl", into: other) }
      #expect(try other.head().sequence == 1)
    }
    // An entry with another parent is a different entry, too.
    try two.append([House.draft(8), House.draft(1)])
    #expect(throws: ExchangeError.self) { try house.bring("one.jsonl", into: two) }
    #expect(try two.head().sequence == 2)
  }

  @Test("A payload that is no canonical JSON keeps its bytes")
  func oddPayload() throws {
    let house = try House()
    let ledger = try house.ledger("a")
    let odd = "{\"b\": 1.0, \"a\": [ ], \"n\":1e2}"
    let draft = LedgerRow(House.draft(1))
    var row = draft
    row.payload = odd
    _ = try ledger.appending { try $0.append(row) }
    try house.export(ledger, "a.jsonl")
    #expect(try JSONValue(parsing: house.lines("a.jsonl")[1])["payload"]?.text == odd)
    let other = try house.ledger("b")
    try house.bring("a.jsonl", into: other)
    #expect(try other.entry(sequence: 1)?.payload == odd)
  }

  @Test("A file that is there is not overwritten, and a folder that is not there is said")
  func existing() throws {
    let house = try House()
    let ledger = try house.ledger("a")
    try house.write("a.jsonl", ["mine"])
    let export = CorrectionsExport(ledger: ledger)
    #expect(throws: ExchangeError.fileExists(path: house.path("a.jsonl"))) {
      try export.run(to: house.path("a.jsonl"))
    }
    #expect(try house.lines("a.jsonl") == ["mine"])
    _ = try export.run(to: house.path("a.jsonl"), overwrite: true)
    #expect(try house.lines("a.jsonl").count == 1)
    #expect(throws: ExchangeError.self) { try export.run(to: house.path("none/a.jsonl")) }
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: house.folder.path).sorted()
        == ["a.jsonl", "a.ledger.db"])
  }

  @Test("An entry that was changed in the ledger is reported on export")
  func brokenLedger() throws {
    let house = try House()
    let ledger = try house.ledger("a")
    try ledger.append((1...3).map { House.draft($0) })
    let bytes = try Data(contentsOf: URL(fileURLWithPath: ledger.path))
    let text = Data(House.uuid(2).utf8)
    var damaged = bytes
    // Changes the table's row, not the index: only in the row is the uuid followed by the payload.
    var at = damaged.startIndex
    while let range = damaged.range(of: text, in: at..<damaged.endIndex) {
      let tail = damaged[range.upperBound..<min(range.upperBound + 400, damaged.endIndex)]
      if let word = tail.range(of: Data("happy".utf8)) {
        damaged.replaceSubrange(word, with: Data("angry".utf8))
        break
      }
      at = range.upperBound
    }
    #expect(damaged != bytes)
    try damaged.write(to: URL(fileURLWithPath: house.path("bad.ledger.db")))
    let bad = try Ledger.open(house.path("bad.ledger.db"), .readOnly)
    let summary = try house.export(bad, "bad.jsonl")
    let broken = try #require(summary.firstBad)
    #expect(try bad.verify().firstBad?.sequence == broken)
    let error = #expect(throws: ExchangeError.self) {
      try house.bring("bad.jsonl", into: try house.ledger("b"))
    }
    guard case .badLine(_, let line, _)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(line == Int(broken) + 1)
  }
}
