import AssayCore
import Foundation
import GRDB
import Testing

@testable import AssayStore

/// Six samples, of which 0, 1 and 2 have fields of their source.
@Suite("Custom fields of samples")
struct SampleFieldTests {
  private func house() throws -> CorrectedHouse {
    let house = try CorrectedHouse()
    try house.catalog.write("stating fields") { database in
      try database.execute(
        sql: """
          UPDATE sample SET attributes = '{"weather":"rain","speed":30,"lens":{"mm":50}}' WHERE key = '0';
          UPDATE sample SET attributes = '{"weather":"sun","night":false}' WHERE key = '1';
          UPDATE sample SET attributes = '{"weather":"30","speed":2.5}' WHERE key = '2';
          """)
    }
    return house
  }

  @discardableResult
  private func set(
    _ house: CorrectedHouse, _ key: String, _ name: String, _ value: JSONValue,
    parent: CorrectionDraft.Parent = .head, hash: String? = nil
  ) throws -> AppendOutcome {
    try house.ledger.append(
      house.draft(
        key, .field, .sample, ["field": .string(name), "value": value], parent: parent, hash: hash))
  }

  @Test(
    "Fields of the source are compared by their kind",
    arguments: [
      ("field(weather) = rain", ["0"]), ("field(weather) != rain", ["1", "2"]),
      ("field(weather) in (rain, sun)", ["0", "1"]), ("field(weather) like \"?u*\"", ["1"]),
      ("field(speed) > 2", ["0", "2"]), ("field(speed) = 30", ["0"]),
      ("field(speed) in 2..3", ["2"]), ("field(weather) = 30", ["2"]),
      ("field(weather) = \"30\"", ["2"]), ("field(speed) = \"30\"", []),
      ("field(night) = false", ["1"]), ("field(night) = true", []),
      ("not field(night) = true", ["0", "1", "2", "3", "4", "5"]),
      ("field(lens.mm) = 50", ["0"]), ("field(lens.mm) < width", []),
      ("field(speed) < width", ["2"]),
    ])
  func stated(_ text: String, _ keys: [String]) throws {
    let house = try house()
    if text.contains("width") {
      try house.catalog.write("sizes") { try $0.execute(sql: "UPDATE sample SET width = 20") }
    }
    #expect(try house.imported().keys("faces", text) == keys)
  }

  @Test("Two fields are compared as numbers if both have numbers, else as texts")
  func compared() throws {
    let house = try house()
    let values: [(String, JSONValue, JSONValue)] = [
      ("0", 1, .number(1.0)), ("1", .number(0.5), .number(5e-1)), ("2", 10, 9),
      ("3", "a", "a"), ("4", 7, "7"), ("5", .bool(true), .bool(false)),
    ]
    for (key, one, two) in values {
      try set(house, key, "p", one)
      try set(house, key, "r", two)
    }
    let catalog = try house.corrected()
    #expect(try catalog.keys("faces", "field(p) = field(r)") == ["0", "1", "3", "4"])
    #expect(try catalog.keys("faces", "field(p) != field(r)") == ["2", "5"])
    #expect(try catalog.keys("faces", "field(p) > field(r)") == ["2"])
  }

  @Test("Custom fields replace those of the source, and change nothing else")
  func edited() throws {
    let house = try house()
    try set(house, "0", "weather", "snow")
    try set(house, "1", "weather", .null)
    try set(house, "3", "weather", "rain")
    try set(house, "3", "it's a \u{e9}", 7)
    try set(house, "4", "speed", 31.5)
    try set(house, "4", "speed", 12)
    for catalog in [try house.imported(), try house.corrected()] {
      #expect(try catalog.keys("faces", "field(weather) = rain") == ["3"])
      #expect(try catalog.keys("faces", "field(weather) = snow") == ["0"])
      #expect(try catalog.keys("faces", "field(weather) like \"*\"") == ["0", "2", "3"])
      #expect(try catalog.keys("faces", "field(\"it's a \u{e9}\") = 7") == ["3"])
      #expect(try catalog.keys("faces", "field(speed) < 20") == ["2", "4"])
      #expect(try catalog.keys("faces", "corrected = true or reviewed = true") == [])
      let found = try catalog.ids(
        in: catalog.resolve("faces"), where: "field(speed) > 0",
        orderedBy: SampleOrder(field: "field(speed)", isDescending: true))
      #expect(found.numbers == [30, 12, 2.5])
      let ids = try catalog.samples(in: catalog.resolve("faces")).map(\.id)
      var fields: [Int: String] = [:]
      try catalog.forEachFields(of: ids) { fields[$0] = JSONValue.object($1).text() }
      #expect(
        fields == [
          0: #"{"speed":30,"lens":{"mm":50},"weather":"snow"}"#, 1: #"{"night":false}"#,
          2: #"{"weather":"30","speed":2.5}"#,
          3: "{\"it's a \u{e9}\":7,\"weather\":\"rain\"}", 4: #"{"speed":12}"#,
        ])
      let counts = try catalog.fieldCounts(in: catalog.resolve("faces"))
      #expect(counts.samples == 6)
      #expect(counts.fields.map(\.name) == ["it's a \u{e9}", "night", "speed", "weather"])
      #expect(counts.fields.map(\.samples) == [1, 1, 3, 3])
      #expect(counts.fields.map(\.edited) == [1, 0, 1, 2])
      #expect(counts.fields[2].range == 2.5...30)
      #expect(counts.fields[3].values.map(\.text) == ["30", "rain", "snow"])
      #expect(try catalog.fieldTexts("weather", in: catalog.dataset(named: "faces").id).count == 3)
    }
  }

  @Test("Undo brings the source's value back, and redo the custom one")
  func undo() throws {
    let house = try house()
    let entry = try set(house, "0", "weather", "snow").entry
    let undo = try house.ledger.append(
      house.draft("0", .undo, .sample, ["entry": .string(entry.uuid)]))
    #expect(try house.imported().keys("faces", "field(weather) = rain") == ["0"])
    try house.ledger.append(house.draft("0", .undo, .sample, ["entry": .string(undo.entry.uuid)]))
    try house.ledger.append(house.draft("0", .redo, .sample, ["entry": .string(entry.uuid)]))
    #expect(try house.imported().keys("faces", "field(weather) = snow") == ["0"])
  }

  @Test("Edits of two people on one state are merged, and conflict with nothing")
  func people() throws {
    let house = try house()
    let first = try set(house, "0", "weather", "snow", parent: .sequence(0))
    #expect(try !set(house, "0", "light", "dim", parent: .sequence(0)).isConflict)
    #expect(
      try !house.ledger.append(
        house.draft("0", .label, .label, ["category": "sad"], parent: .sequence(0))
      ).isConflict)
    #expect(
      try !set(house, "0", "light", "dark", parent: .sequence(first.entry.sequence)).isConflict)
    let catalog = try house.imported()
    #expect(try catalog.keys("faces", "field(light) = dark and field(weather) = snow") == ["0"])
    #expect(try catalog.keys("faces", "conflict = true") == [])
  }

  @Test("Invalid entries are skipped, and those of another image do not count")
  func invalid() throws {
    let house = try house()
    for (name, value) in [
      ("", "x"), ("a\"b", "x"), ("time", 3), ("list", .array([1])),
      ("text", .string(String(repeating: "x", count: 1_001))),
      (String(repeating: "n", count: 101), 1), ("nul", "a\u{0}b"),
    ] as [(String, JSONValue)] {
      try set(house, "3", name, value)
    }
    try set(house, "4", "ok", 1, hash: String(repeating: "0", count: 64))
    let counts = try house.imported().fieldCounts(in: house.imported().resolve("faces"))
    #expect(counts.fields.map(\.name) == ["night", "speed", "weather"])
  }

  @Test(
    "Unknown fields and impossible comparisons are errors",
    arguments: [
      ("field(wether) = rain", "no sample of “faces” has a field “wether”"),
      ("field(night) > 1", "has no numbers"), ("field(weather) < split", "compares numbers"),
      ("field(\"a\\\"b\") = 1", "quotation marks"), ("field = 1", "(NAME)"),
    ])
  func errors(_ text: String, _ reason: String) throws {
    let house = try house()
    let error = #expect(throws: StoreError.self) { try house.imported().keys("faces", text) }
    #expect("\(error.map { "\($0)" } ?? "")".contains(reason))
  }
}
