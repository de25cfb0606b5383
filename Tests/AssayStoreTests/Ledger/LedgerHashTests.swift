import AssayCore
import Foundation
import Testing

@testable import AssayStore

/// Compares with `Tests/Fixtures/ledger/golden.json` and `golden.ledger`, made by `make_ledger.py`
/// there with Python's hashlib and sqlite3.
@Suite("The ledger's bytes")
struct LedgerHashTests {
  private let golden: JSONValue

  init() throws {
    golden = try JSONValue(
      parsing: String(
        contentsOf: LedgerProgram.fixtures.appending(path: "golden.json"), encoding: .utf8))
  }

  private func entries() throws -> [LedgerEntry] {
    try #require(golden["rows"]?.elements).map { row in
      func text(_ name: String) throws -> String { try #require(row[name]?.text) }
      func integer(_ name: String) -> Int64? {
        if case .integer(let value)? = row[name] { value } else { nil }
      }
      return LedgerEntry(
        sequence: try #require(integer("sequence")), uuid: try text("uuid"),
        format: try #require(integer("format")),
        sample: SampleIdentity(
          dataset: try text("dataset"), key: try text("key"), contentHash: try text("contentHash")),
        target: try text("target"), kind: try text("kind"), visit: try text("visit"),
        parent: integer("parent"), payload: try text("payload"),
        previousHash: Self.bytes(try text("previousHash")), hash: Self.bytes(try text("hash")))
    }
  }

  private static func bytes(_ text: String) -> [UInt8] {
    stride(from: 0, to: text.utf8.count, by: 2).compactMap {
      UInt8(text.dropFirst($0).prefix(2), radix: 16)
    }
  }

  @Test("Hashes are those that Python computes")
  func hashes() throws {
    let entries = try entries()
    #expect(entries.count == 7)
    #expect(
      LedgerHash.first(ledger: try #require(golden["ledger"]?.text))
        == Self.bytes(try #require(golden["first"]?.text)))
    for entry in entries { #expect(LedgerHash.hash(of: entry) == entry.hash) }
  }

  @Test("The bytes under the first hash are those of the doc comment")
  func input() throws {
    let input = Self.bytes(try #require(golden["input1"]?.text))
    let first = try #require(entries().first)
    var fields: [UInt8] = [32, 0, 0, 0, 0, 0, 0, 0] + first.previousHash
    fields += [1, 0, 0, 0, 0, 0, 0, 0, 0x31] + [1, 0, 0, 0, 0, 0, 0, 0, 0x31]
    fields += [0x24, 0, 0, 0, 0, 0, 0, 0] + Array("0a7d".utf8)
    #expect(input.starts(with: fields))
    var hash = ContentHash()
    input.withUnsafeBytes { hash.update($0) }
    #expect(hash.digest() == first.hash)
  }

  @Test("A ledger that Python made is read, verified and appended to, and Python verifies it then")
  func foreignLedger() throws {
    let house = try TemporaryLedger()
    let path = house.path("golden.ledger.db")
    try FileManager.default.copyItem(
      at: LedgerProgram.fixtures.appending(path: "golden.ledger"), to: URL(fileURLWithPath: path))
    let ledger = try Ledger.open(path, .readWrite)
    #expect(ledger.uuid == golden["ledger"]?.text)
    #expect(ledger.createdAt == "2026-11-21T14:40:00Z")
    #expect(try ledger.verify() == LedgerVerification(count: 7, head: ledger.head(), firstBad: nil))
    #expect(try ledger.entries().map(\.hash) == entries().map(\.hash))
    // Entries 1, 3 and 7 are the main branch of faces:17; 6 conflicts.
    #expect(try ledger.mainHead(dataset: "faces", key: "17") == 7)
    let outcome = try ledger.append(TemporaryLedger.draft(99, sample: "17"))
    #expect(outcome.entry.sequence == 8 && outcome.entry.parent == 7 && !outcome.isConflict)
    #expect(try ledger.verify().firstBad == nil)
    guard let python = LedgerProgram.find("python3") else { return }
    let script = LedgerProgram.fixtures.appending(path: "make_ledger.py").path
    let check = try LedgerProgram.run(python, [script, "check", path])
    #expect(check.stdout.hasPrefix("8 "), "\(check.stderr)")
  }

  @Test("Texts that Swift takes for equal are two keys")
  func normalization() throws {
    let house = try TemporaryLedger()
    let (one, two) = ("caf\u{E9}.jpg", "cafe\u{301}.jpg")
    #expect(one == two)
    try house.ledger.append([
      TemporaryLedger.draft(1, sample: one), TemporaryLedger.draft(2, sample: two),
    ])
    #expect(try house.ledger.entries().map(\.parent) == [nil, nil])
    #expect(try house.ledger.samples().count == 2)
  }
}
