import AssayCore
import AssayTestSupport
import Foundation
import Testing

@testable import AssayFormats

@Suite("Limits of packed files")
struct GzipLimitTests {
  /// `emotion,pixels,Usage` and 10,000 rows `3,1 2 3 4,Training`: 190,021 bytes in 537, a ratio of
  /// 353 (Python 3.11: `gzip.compress(text, 9, mtime=0)`).
  private static let repeated =
    "H4sIAAAAAAACA+3IsQ2AIAAAsN0rOIBF8RQ9wIEQEgWjDp7vFW7t2Hz0p/YWz/rm/Y7rvZU8pDiGKaQwx+XaaqutKKWUUkoppZRS"
    + String(repeating: "SimllFJKKaWUUkoppZRS", count: 30) + "Sv1bH8uhgdhF5gIA"

  private static func packed() throws -> [UInt8] {
    Array(try #require(Data(base64Encoded: repeated)))
  }

  private func read(_ bytes: [UInt8], _ limits: GzipInflater.Limits) throws -> Int {
    let tree = MemoryTree(bytes)
    var stream = try ByteStream(tree, tree.files()[0], limits: limits)
    var total = 0
    while true {
      let piece = try stream.read(upTo: 1 << 12)
      total += piece.count
      if piece.count < 1 << 12 { return total }
    }
  }

  @Test(
    "A file that unpacks beyond the free bytes and the ratio is refused, below either it is not")
  func ratio() throws {
    let bytes = try Self.packed()
    #expect(bytes.count == 537)
    #expect(try read(bytes, .init()) == 190_021)
    #expect(try read(bytes, .init(freeBytes: 1 << 16, ratio: 400)) == 190_021)
    #expect(try read(bytes, .init(freeBytes: 200_000, ratio: 100)) == 190_021)
    let limits = GzipInflater.Limits(freeBytes: 1 << 16, ratio: 100)
    #expect(throws: FormatError.expandsTooFar("rows.csv", bytes: 1 << 16, ratio: 100)) {
      try read(bytes, limits)
    }
    // The total of many members counts.
    let many = Array(repeating: bytes, count: 5).flatMap(\.self)
    #expect(throws: FormatError.self) {
      try read(many, .init(freeBytes: 200_000, ratio: 100))
    }
    #expect(try read(many, .init(freeBytes: 200_000, ratio: 400)) == 5 * 190_021)
  }

  @Test("A packed JSON file has the same limit as a packed CSV file")
  func json() throws {
    let tree = MemoryTree(try Self.packed(), name: "results.json.gz")
    #expect(try COCOFileStart.opened(tree).1.size == 190_021)
    #expect(throws: FormatError.expandsTooFar("results.json.gz", bytes: 1 << 16, ratio: 100)) {
      try COCOFileStart.opened(tree, limits: .init(freeBytes: 1 << 16, ratio: 100))
    }
  }

  @Test("The refusal says how far, and what to do")
  func text() {
    let text = "\(FormatError.expandsTooFar("x.csv.gz", bytes: 1 << 30, ratio: 400))"
    #expect(
      text.contains("x.csv.gz: over 1024 MiB of text, more than 400 times the compressed size"))
    #expect(text.contains("gunzip"))
  }

  @Test("More rows than the limit are refused")
  func rows() throws {
    let table = PixelTable(
      file: "x.csv", hasHeader: true, columnCount: 2, labelColumn: 0, splitColumn: nil,
      pixels: .text(column: 1), size: ImageSize(width: 1, height: 1), format: .gray8,
      labels: .discovered, splits: SplitRule(translatesUsage: false, reportsUnknown: false))
    var merge = PixelTableMerge(table)
    var block = ParsedBlock()
    block.rows = PixelTableMerge.rowLimit
    _ = try merge.add(block)
    block.rows = 1
    #expect(throws: FormatError.tooManyRows("x.csv", limit: 10_000_000)) { try merge.add(block) }
  }

  @Test(
    "A checksum or a length that is wrong is an issue of its own, and says that rows may be wrong",
    arguments: [(8, "incorrect data check"), (4, "incorrect length check")])
  func checksum(fromEnd: Int, reason: String) throws {
    var bytes = Array(
      try Data(
        contentsOf: PackageFolder.fixture("fer/fer2013.csv.gz")))
    bytes[bytes.count - fromEnd] ^= 1
    let found = try Collected(MemoryTree(bytes, name: "fer.csv.gz"), as: .fer)
    #expect(found.samples.count == 5)
    #expect(found.kinds == [.badChecksum])
    #expect(found.issues[0].severity == .error)
    #expect(found.issues[0].message.contains(reason))
    #expect(found.issues[0].message.contains("any of them may be wrong"))
    #expect(!found.issues[0].message.contains("missing"))
  }

  @Test(
    "Text behind a closing quote is an issue, in any column",
    arguments: [
      "3,\"1 2 3 4\"x,Training", "\"3\"x,1 2 3 4,Training", "3,1 2 3 4,\"Training\"x",
      "3,\"1 2 3 4\" \"5\",Training",
    ])
  func textAfterQuote(row: String) throws {
    let found = try Collected(
      MemoryTree("emotion,pixels,Usage\n0,1 2 3 4,Training\n\(row)\n6,5 6 7 8,Training\n"),
      as: .fer)
    #expect(found.keys == ["0", "2"])
    #expect(found.kinds == [.badField])
    #expect(found.issues[0].location.line == 3)
    #expect(found.issues[0].message.contains("after a closing quote; row left out"))
  }
}
