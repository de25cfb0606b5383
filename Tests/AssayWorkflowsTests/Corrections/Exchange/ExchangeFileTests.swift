import AssayCore
import AssayStore
import Foundation
import Testing

@testable import AssayWorkflows

/// Files that another person wrote, or that were damaged in transit.
@Suite("A file of corrections is not trusted")
struct ExchangeFileTests {
  private typealias House = LedgerHouse

  /// Imports the changed lines of a file with three entries, which must have no effect.
  private func refusal(
    _ change: (inout [String]) throws -> Void
  ) throws -> (error: ExchangeError?, house: LedgerHouse) {
    let house = try House()
    let ledger = try house.ledger("a")
    try ledger.append([House.draft(1), House.draft(2), House.draft(3, "1")])
    try house.export(ledger, "a.jsonl")
    var lines = try house.lines("a.jsonl")
    try change(&lines)
    try house.write("b.jsonl", lines)
    let other = try house.ledger("b")
    try other.append(House.draft(100, "100"))
    let head = try other.head()
    let error = #expect(throws: ExchangeError.self) { try house.bring("b.jsonl", into: other) }
    #expect(try other.head() == head)
    return (error, house)
  }

  /// The lines of a file with three entries.
  private static let lines = Result {
    let house = try House()
    let ledger = try house.ledger("a")
    try ledger.append([House.draft(1), House.draft(2), House.draft(3, "1")])
    try house.export(ledger, "a.jsonl")
    return try house.lines("a.jsonl")
  }

  /// Reads the changed lines of that file, and returns the location of the error.
  private func fault(_ change: (inout [String]) throws -> Void) throws -> (line: Int, String)? {
    let house = try House()
    var lines = try Self.lines.get()
    try change(&lines)
    try house.write("b.jsonl", lines)
    do {
      var file = try ExchangeFile(house.path("b.jsonl"))
      while try file.next() != nil {}
    } catch ExchangeError.badLine(_, let line, let what) {
      return (line, what)
    }
    return nil
  }

  /// A line with one of its members replaced, and its hash recomputed if requested.
  private func changed(
    _ line: String, _ name: String, _ value: JSONValue?, rehashed: Bool = false
  ) throws -> String {
    func replaced(_ json: JSONValue, _ name: String, _ value: JSONValue?) -> JSONValue {
      guard case .object(let members) = json else { return json }
      return .object(
        members.compactMap { member in
          member.name == name ? value.map { .init(name, $0) } : member
        })
    }
    var json = replaced(try JSONValue(parsing: line), name, value)
    if rehashed {
      func text(_ name: String) -> String { json[name]?.text ?? "" }
      func integer(_ name: String) -> Int64? {
        if case .integer(let number)? = json[name] { number } else { nil }
      }
      let payload = json["payload"]?.text ?? json["payload"]?.canonicalText ?? ""
      let entry = LedgerEntry(
        sequence: integer("sequence") ?? 0, uuid: text("uuid"), format: integer("format") ?? 0,
        sample: SampleIdentity(
          dataset: text("dataset"), key: text("key"), contentHash: text("contentHash")),
        target: text("target"), kind: text("kind"), visit: text("visit"), parent: integer("parent"),
        payload: payload, previousHash: [UInt8](hexadecimal: text("previousHash")) ?? [], hash: [])
      json = replaced(json, "hash", .string(LedgerHash.hash(of: entry).hexadecimal))
    }
    return json.text()
  }

  @Test("A file that is not an export is reported as such")
  func noExport() throws {
    for first in ["", "hello", "{}", "[]", #"{"assayLedger":"1"}"#, #"{"assayLedger":1}"#] {
      let (error, _) = try refusal { $0[0] = first }
      guard case .notAnExport? = error else {
        Issue.record("\(first): \(String(describing: error))")
        continue
      }
    }
    let (later, _) = try refusal {
      $0[0] = $0[0].replacing("\"assayLedger\":1", with: "\"assayLedger\":2")
    }
    guard case .laterVersion? = later else {
      Issue.record("\(String(describing: later))")
      return
    }
    let (empty, _) = try refusal { $0 = [] }
    guard case .notAnExport? = empty else {
      Issue.record("\(String(describing: empty))")
      return
    }
    let house = try House()
    for name in ["none.jsonl", "."] {
      let error = #expect(throws: ExchangeError.self) {
        try house.bring(name, into: try house.ledger("a"))
      }
      guard case .cannotRead? = error else {
        Issue.record("\(String(describing: error))")
        continue
      }
    }
  }

  @Test("A file that was cut, or has a line too many, is refused")
  func count() throws {
    let (cut, house) = try refusal { $0.removeLast() }
    #expect(cut == .wrongCount(path: house.path("b.jsonl"), announced: 3, found: 2))
    #expect(try fault { $0[3].removeLast(5) }?.line == 4)
    #expect(try fault { $0.append($0[3]) }?.line == 5)
    #expect(
      try fault {
        $0.append(""); $0.append("{}")
      }?.line == 6)
  }

  @Test(
    "A change of any member shows at its line",
    arguments: [
      "sequence", "uuid", "format", "dataset", "key", "contentHash", "target", "kind", "visit",
      "parent", "parentUuid", "payload", "previousHash", "hash",
    ])
  func members(name: String) throws {
    let values: [JSONValue?] = [
      nil, .null, 7, "x", [], ["a": 1], .string(String(repeating: "0", count: 64)),
      .string(House.uuid(1)), 1,
    ]
    for value in values {
      var isOwn = false
      let found = try? fault { lines in
        isOwn = try JSONValue(parsing: lines[2])[name] == value
        lines[2] = isOwn ? "{}" : try changed(lines[2], name, value)
      }
      #expect(found?.line == 3, "\(name) = \(value?.text() ?? "nothing"): \(found?.1 ?? "")")
    }
  }

  @Test("With good hashes, too, a line must fit where it stands")
  func forged() throws {
    func fault(_ name: String, _ value: JSONValue, _ line: Int = 2) throws -> String? {
      let found = try self.fault { $0[line] = try changed($0[line], name, value, rehashed: true) }
      #expect(found?.line == line + 1)
      return found?.1
    }
    #expect(try fault("sequence", 1)?.contains("out of place") == true)
    #expect(try fault("sequence", 0, 1)?.contains("out of place") == true)
    #expect(try fault("sequence", 99, 3)?.contains("out of place") == true)
    #expect(try fault("parent", 3)?.contains("not an earlier entry") == true)
    #expect(try fault("parent", -1)?.contains("not an earlier entry") == true)
    #expect(
      try fault("previousHash", .string(String(repeating: "0", count: 64)))?
        .contains("does not follow") == true)
    #expect(
      try fault("previousHash", .string(String(repeating: "0", count: 64)), 1)?
        .contains("does not follow") == true)
    #expect(try fault("visit", "x")?.contains("visit") == true)
    #expect(try fault("dataset", "../etc")?.contains("dataset") == true)
    #expect(try fault("contentHash", "x")?.contains("content hash") == true)
    #expect(try fault("payload", "[]")?.contains("payload") == true)
    // Not covered by the hash.
    let swapped = try self.fault {
      $0[2] = try changed($0[2], "parentUuid", .string(House.uuid(9)))
    }
    #expect(swapped?.1.contains("parentUuid") == true)
  }

  @Test("A parent of another sample is refused")
  func strangeParent() throws {
    let (error, house) = try refusal { lines in
      // Entry 3, of sample 1, claims to follow entry 2, of sample 0.
      var line = try changed(lines[3], "parent", 2)
      line = try changed(line, "parentUuid", .string(House.uuid(2)), rehashed: true)
      lines[3] = line
    }
    #expect(
      error == .missingParent(path: house.path("b.jsonl"), line: 4, uuid: House.uuid(2)))
  }

  @Test("What is not UTF-8, or nested too deep, is said with its line")
  func bytes() throws {
    let house = try House()
    let ledger = try house.ledger("a")
    try ledger.append(House.draft(1))
    try house.export(ledger, "a.jsonl")
    let lines = try house.lines("a.jsonl")
    func refused(_ second: Data, says: String) throws {
      try (Data((lines[0] + "\n").utf8) + second).write(
        to: URL(fileURLWithPath: house.path("b.jsonl")))
      let error = #expect(throws: ExchangeError.self) {
        try house.bring("b.jsonl", into: ledger)
      }
      guard case .badLine(_, 2, let what)? = error else {
        Issue.record("\(String(describing: error))")
        return
      }
      #expect(what.contains(says), "\(what)")
    }
    try refused(Data([0x22, 0xFF, 0x22, 0x0A]), says: "UTF-8")
    try refused(Data(repeating: 0x5B, count: 100_000), says: "nested deeper than 64")
    try refused(Data("{\"key\":\u{1}}".utf8), says: "invalid JSON")
  }

  @Test("Line ends of Windows, blank lines and members of a later version do not matter")
  func tolerated() throws {
    let house = try House()
    let ledger = try house.ledger("a")
    try ledger.append([House.draft(1), House.draft(2)])
    try house.export(ledger, "a.jsonl")
    let lines = try house.lines("a.jsonl").map { "{\"later\":[1]," + $0.dropFirst() }
    try Data((lines.joined(separator: "\r\n\r\n") + "\r\n  \r\n").utf8).write(
      to: URL(fileURLWithPath: house.path("b.jsonl")))
    #expect(try house.bring("b.jsonl", into: try house.ledger("b")).new == 2)
  }

  @Test("Lines come whole whatever the blocks that are read")
  func lines() throws {
    let house = try House()
    // One line longer than a block of 1 MiB, short ones, an empty one, the last without a line
    // break.
    let texts = [
      "a", String(repeating: "b", count: 1_500_000), "", "c",
      String(repeating: "d", count: (1 << 20) - 4), "e",
    ]
    try Data(texts.joined(separator: "\n").utf8).write(
      to: URL(fileURLWithPath: house.path("x")))
    var lines = try TextLines(house.path("x"))
    var found: [(Int, Int, UInt8?)] = []
    while let line = try lines.next() { found.append((lines.number, line.count, line.first)) }
    #expect(found.map(\.0) == [1, 2, 4, 5, 6])
    #expect(found.map(\.1) == [1, 1_500_000, 1, (1 << 20) - 4, 1])
    #expect(found.map(\.2) == [0x61, 0x62, 0x63, 0x64, 0x65])
    #expect(lines.done == lines.size)
  }

  @Test("A line beyond the limit ends the reading before it is all in memory")
  func longLine() throws {
    let house = try House()
    try Data(repeating: 0x61, count: 5 << 20).write(to: URL(fileURLWithPath: house.path("x")))
    var lines = try TextLines(house.path("x"), limit: 3 << 20)
    let failure = #expect(throws: TextLines.Failure.self) { try lines.next() }
    guard case .tooLong(line: 1)? = failure else {
      Issue.record("\(String(describing: failure))")
      return
    }
  }
}
