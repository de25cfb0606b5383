import AssayCore
import Testing

@testable import AssayFormats

@Suite("Parquet tables that are written")
struct ParquetWriterTests {
  /// The rows of a table read back, as JSON.
  private func rows(
    _ columns: [ParquetTable.Column], _ rows: [[ParquetTable.Cell]]
  ) throws -> (file: ParquetFile, rows: [[JSONValue]]) {
    var table = ParquetTable(columns, metadata: [("assay", "{}")])
    var bytes = ParquetTable.header
    for row in rows {
      table.add(row)
      if table.isFull { bytes += try table.group() }
    }
    bytes += try table.group()
    bytes += table.end()
    let tree = MemoryTree(folder: ["x.parquet": bytes])
    let file = try ParquetFile(tree, try #require(try tree.files().first))
    var found: [[JSONValue]] = []
    for group in file.footer.groups.indices {
      var reader = try ParquetRows(file, file.schema.columns, group: group)
      while let row = try reader.next() { found.append(row) }
    }
    return (file, found)
  }

  private static let columns: [ParquetTable.Column] = [
    .init("i", .integer, isRequired: true), .init("n", .number), .init("f", .flag),
    .init("t", .text), .init("l", .texts), .init("v", .numbers),
    .init("r", .text, isRequired: true),
  ]

  private static func value(_ cell: ParquetTable.Cell) -> JSONValue {
    switch cell {
    case .null: .null
    case .integer(let value): .integer(value)
    case .number(let value): .number(value)
    case .flag(let value): .bool(value)
    case .text(let value): .string(value)
    case .texts(let values): .array(values.map { .string($0) })
    case .numbers(let values): .array(values.map { .number($0) })
    }
  }

  @Test("Random rows of all kinds are read back, also in several row groups")
  func random() throws {
    var random = SplitMix64(seed: 7)
    for count in [0, 1, 9, 300, 70_000] {
      var rows: [[ParquetTable.Cell]] = []
      for _ in 0..<count {
        func sometimes(_ cell: ParquetTable.Cell) -> ParquetTable.Cell {
          Int.random(in: 0..<4, using: &random) == 0 ? .null : cell
        }
        let word = ["train", "äé", "", "val"][Int.random(in: 0..<4, using: &random)]
        let size = Int.random(in: 0..<3, using: &random)
        rows.append([
          .integer(Int64.random(in: .min ... .max, using: &random)),
          sometimes(.number(Double.random(in: -1e9...1e9, using: &random))),
          sometimes(.flag(Bool.random(using: &random))),
          sometimes(.text(count == 300 ? "\(rows.count)" : word)),
          sometimes(.texts(Array(repeating: word, count: size))),
          sometimes(.numbers((0..<size).map { Double($0) / 3 })), .text(word),
        ])
      }
      let found = try self.rows(Self.columns, rows)
      #expect(found.rows == rows.map { $0.map(Self.value) })
      #expect(found.file.footer.groups.count == (count + 65_535) / 65_536)
      #expect(found.file.footer.metadata == ["assay": "{}"])
    }
  }

  @Test("Repeated texts take few bytes; more than 4,096 different ones have no dictionary")
  func dictionaries() throws {
    func size(_ texts: [String]) throws -> Int {
      try rows([.init("t", .text)], texts.map { [.text($0)] }).file.size
    }
    #expect(try size((0..<10_000).map { ["train", "val"][$0 % 2] }) < 400)
    let many = (0..<10_000).map { "\($0 % 5_000)" }
    #expect(
      try rows([.init("t", .text)], many.map { [.text($0)] }).rows == many.map { [.string($0)] })
  }
}
