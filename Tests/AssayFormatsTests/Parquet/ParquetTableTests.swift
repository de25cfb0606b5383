import AssayCore
import AssayTestSupport
import Foundation
import Testing

@testable import AssayFormats

/// Tables of pyarrow, polars, duckdb and fastparquet against the values that pyarrow reads
/// (`Tests/Fixtures/parquet/make.py`).
@Suite("Values of Parquet tables")
struct ParquetTableTests {
  /// A table of the golden file.
  struct Golden: CustomTestStringConvertible, Sendable {
    var file: String
    var columns: [JSONValue.Member]
    var testDescription: String { file }
  }

  static var goldens: [Golden] {
    let url = PackageFolder.fixture("parquet/golden.json")
    guard let text = try? String(contentsOf: url, encoding: .utf8),
      let list = try? JSONValue(parsing: text).elements
    else { return [] }
    return list.compactMap { table in
      guard let file = table["file"]?.text, case .object(let columns)? = table["columns"] else {
        return nil
      }
      return Golden(file: file, columns: columns)
    }
  }

  static func file(_ name: String) throws -> ParquetFile {
    let tree = FileTree(fixture: "parquet/tables")
    let source = try #require(try tree.files().first { $0.path == name })
    return try ParquetFile(tree, source)
  }

  /// The values of a column; bytes as the golden file writes them.
  static func values(_ file: ParquetFile, _ node: ParquetSchema.Node) throws -> [JSONValue] {
    if case .leaf(let leaf) = node.content {
      let found = file.schema.leaves[leaf]
      let isBytes = found.physical == .byteArray || found.physical == .fixedBytes
      if isBytes, found.meaning == .plain {
        return try (0..<file.footer.rows).map { row in
          try ParquetPages.withBytes(file, leaf: leaf, row: row) { bytes in
            bytes.map { ["hex": .string($0.map { String(format: "%02x", $0) }.joined())] } ?? .null
          }
        }
      }
    }
    var values: [JSONValue] = []
    for group in file.footer.groups.indices {
      var rows = try ParquetRows(file, [node], group: group)
      while let row = try rows.next() { values += row }
    }
    return values
  }

  static func isSame(_ found: JSONValue, _ expected: JSONValue) -> Bool {
    switch (found, expected) {
    case (.number(let a), .string(let text)):
      return Double(text).map { $0.isNaN ? a.isNaN : a == $0 } ?? false
    case (.number(let a), _): return expected.double == a
    case (.array(let a), .array(let b)):
      return a.count == b.count && zip(a, b).allSatisfy(isSame)
    case (.object(let a), .object(let b)):
      return a.map(\.name) == b.map(\.name) && zip(a, b).allSatisfy { isSame($0.value, $1.value) }
    default: return found == expected
    }
  }

  @Test("There are 20 random tables and three of other writers")
  func count() {
    #expect(Self.goldens.count == 23 && Self.goldens.allSatisfy { $0.columns.count >= 3 })
  }

  @Test("Every value is the one that pyarrow reads", arguments: goldens)
  func values(golden: Golden) throws {
    let file = try Self.file(golden.file)
    #expect(file.schema.columns.map(\.name) == golden.columns.map(\.name))
    for (node, column) in zip(file.schema.columns, golden.columns) {
      let expected = try #require(column.value.elements)
      let found = try Self.values(file, node)
      #expect(found.count == expected.count)
      for (row, pair) in zip(found, expected).enumerated() {
        #expect(Self.isSame(pair.0, pair.1), "\(column.name) row \(row)")
      }
    }
  }

  @Test(
    "Damage is refused with its place: a changed byte under a checksum, a short file, no footer")
  func damage() throws {
    let tree = FileTree(fixture: "parquet/tables")
    // Table 06 has checksums.
    var bytes = try tree.readAll("06.parquet", limit: 1 << 20)
    bytes[120] ^= 0x10
    let damaged = MemoryTree(folder: ["x.parquet": bytes])
    let file = try ParquetFile(damaged, try #require(try damaged.files().first))
    let error = #expect(throws: ParquetProblem.self) {
      for node in file.schema.columns { _ = try Self.values(file, node) }
    }
    #expect("\(try #require(error))".contains("checksum"))
    func refusal(_ bytes: [UInt8]) -> String {
      let tree = MemoryTree(folder: ["x.parquet": bytes])
      do {
        for file in try tree.files() { _ = try ParquetFile(tree, file) }
        return ""
      } catch { return "\(error)" }
    }
    #expect(refusal(Array(bytes.dropLast(9))).contains("does not end with PAR1"))
    #expect(refusal(Array("PAR1".utf8)).contains("too short"))
    var far = bytes
    far.replaceSubrange(far.count - 8..<far.count - 4, with: [0xFF, 0xFF, 0xFF, 0x0F])
    #expect(refusal(far).contains("begin before the file"))
  }

  @Test("Snappy: copies that overlap, and blocks that lie about their length")
  func snappy() {
    func unpack(_ bytes: [UInt8], _ count: Int) -> [UInt8]? {
      var target = [UInt8](repeating: 0, count: count)
      let written = bytes.withUnsafeBytes { source in
        target.withUnsafeMutableBytes { Snappy.unpack(source, into: $0) }
      }
      return written == count ? target : nil
    }
    // "ab" and a copy of 6 bytes from 2 back.
    #expect(unpack([8, 0x04, 0x61, 0x62, 0x09, 0x02], 8) == Array("abababab".utf8))
    #expect(unpack([9, 0x04, 0x61, 0x62, 0x09, 0x02], 9) == nil)
    #expect(unpack([8, 0x04, 0x61, 0x62, 0x09, 0x03], 8) == nil)
    #expect(unpack([8, 0x04, 0x61], 8) == nil)
    #expect(unpack([2, 0xF0, 0xFF], 2) == nil)
  }
}
