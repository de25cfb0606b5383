import AssayCore
import AssayFormats
import Testing

@Suite("Rows that are not right")
struct MalformedRowTests {
  /// A bad row, the reported issue, and a part of its message.
  struct Case: Sendable, CustomTestStringConvertible {
    var row: [UInt8]
    var kind: IssueKind
    var says: String
    var testDescription: String { String(decoding: row, as: UTF8.self) }

    init(_ row: String, _ kind: IssueKind, _ says: String) {
      self.init(Array(row.utf8), kind, says)
    }

    init(_ row: [UInt8], _ kind: IssueKind, _ says: String) {
      (self.row, self.kind, self.says) = (row, kind, says)
    }
  }

  static let header = "emotion,pixels,Usage\n0,1 2 3 4,Training\n"
  static let footer = "\n6,5 6 7 8,PublicTest\n"

  @Test(
    "A bad row is an issue with its line, and its neighbors are imported",
    arguments: [
      Case("3,1 2 3,Training", .pixelCount, "expected 4 (2×2) pixels, found 3"),
      Case("3,1 2 3 4 5,Training", .pixelCount, "found 5"),
      Case("3,,Training", .pixelCount, "found 0"),
      Case("3,1 2 256 4,Training", .pixelValue, "pixel 2 is '256'"),
      Case("3,1 2 99999999999999999999 4,Training", .pixelValue, "pixel 2"),
      Case("3,1 2 -3 4,Training", .pixelValue, "'-3'"),
      Case("3,1 2 3.5 4,Training", .pixelValue, "'3.5'"),
      Case("3,1 2 : 4,Training", .pixelValue, "':'"),
      Case("3,1 2 x 4,Training", .pixelValue, "'x'"),
      Case("7,1 2 3 4,Training", .unknownLabel, "unknown label '7' (0 to 6: angry, "),
      Case("-1,1 2 3 4,Training", .unknownLabel, "'-1'"),
      Case("joy,1 2 3 4,Training", .unknownLabel, "'joy'"),
      Case("3,1 2 3 4", .fieldCount, "expected 3 fields, found 2"),
      Case("3,1 2 3 4,Training,more", .fieldCount, "found 4"),
      Case("3", .fieldCount, "found 1"),
      Case("3,\"1 2 3 4,Training", .fieldCount, "missing closing quote"),
      Case([0x33, 0x2C] + Array("1 2 3 ".utf8) + [0xFF, 0x2C, 0x54], .badUTF8, "invalid UTF-8"),
      Case([0xC3, 0x28] + Array(",1 2 3 4,Training".utf8), .badUTF8, "invalid UTF-8"),
      Case(Array("3,1 2 3 4,Tr".utf8) + [0xE2, 0x82], .badUTF8, "invalid UTF-8"),
    ])
  func badRow(_ bad: Case) throws {
    let bytes = Array(Self.header.utf8) + bad.row + Array(Self.footer.utf8)
    let found = try Collected(MemoryTree(bytes), as: .fer)
    #expect(found.keys == ["0", "2"])
    #expect(found.pixels == [[1, 2, 3, 4], [5, 6, 7, 8]])
    let issue = try #require(found.issues.first)
    #expect(found.issues.count == 1)
    #expect(issue.kind == bad.kind)
    #expect(issue.severity == .error)
    #expect(issue.location == IssueLocation(file: "rows.csv", line: 3))
    #expect(issue.sampleKey == nil)
    #expect(issue.message.contains(bad.says))
    #expect(found.isBalanced)
  }

  @Test(
    "A row that only looks odd is imported",
    arguments: [
      "3,1  2 3 4,Training", "3, 1 2 3 4 ,Training", "3,1\t2\t3\t4,Training",
      "3,001 0002 3 4,Training", "03,1 2 3 4,Training", " happy ,\"1 2 3 4\", Training ",
      "HAPPY,1 2 3 4,training", "\"3\",1 2 3 4,\"Training\"", "3,1 2 3 4,Training\r",
    ])
  func oddRow(_ row: String) throws {
    let found = try Collected(MemoryTree(Self.header + row + Self.footer), as: .fer)
    #expect(found.pixels == [[1, 2, 3, 4], [1, 2, 3, 4], [5, 6, 7, 8]])
    #expect(found.labels[1] == "happy")
    #expect(found.splits[1] == "train")
    #expect(found.issues.isEmpty)
  }

  @Test("An unknown usage is kept as it is spelled, with a warning")
  func unknownUsage() throws {
    let found = try Collected(
      MemoryTree(Self.header + "3,1 2 3 4,Holdout\n3,1 2 3 4,val\n3,1 2 3 4,\n"), as: .fer)
    #expect(found.splits == ["train", "Holdout", "val", nil])
    #expect(found.kinds == [.unknownSplit, .unknownSplit])
    #expect(found.issues.map(\.severity) == [.warning, .warning])
    #expect(found.issues.map(\.sampleKey) == ["1", "3"])
    #expect(found.issues.map(\.location.line) == [3, 5])
  }

  @Test("A row without a label in a set with labels is kept without one")
  func missingLabel() throws {
    let found = try Collected(MemoryTree(Self.header + ",1 2 3 4,Training\n"), as: .fer)
    #expect(found.labels == ["angry", nil])
    #expect(found.kinds == [.missingLabel])
    #expect(found.issues[0].sampleKey == "1")
  }

  @Test(
    "A file that ends within a row says so",
    arguments: [
      ("6,5 6", "after 2 of 4 (2×2) pixels"), ("6,", "after 2 of 3 fields"), ("6", "1 of 3"),
    ])
  func truncatedRow(row: String, says: String) throws {
    // Two fields are too few for the header's three; with three, the pixels are too few.
    let row = row == "6,5 6" ? row + "," : row
    let found = try Collected(MemoryTree(Self.header + row), as: .fer)
    #expect(found.kinds == [.truncated])
    #expect(found.issues[0].message.contains(says))
    #expect(found.issues[0].location.line == 3)
    #expect(found.keys == ["0"])
    #expect(found.isBalanced)
  }

  @Test("A last row that is whole needs no line end")
  func noLastLineEnd() throws {
    let found = try Collected(MemoryTree(Self.header + "6,5 6 7 8,PublicTest"), as: .fer)
    #expect(found.samples.count == 2)
    #expect(found.issues.isEmpty)
  }

  @Test("Blank lines are no rows, and do not shift the lines of issues")
  func blankLines() throws {
    let found = try Collected(
      MemoryTree("\n\nemotion,pixels,Usage\n\n0,1 2 3 4,Training\n \r\n9,1 2 3 4,Training\n\n"),
      as: .fer)
    #expect(found.keys == ["0"])
    #expect(found.issues.map(\.location.line) == [7])
    #expect(found.run.outcome.read == 2)
  }

  @Test("Of very many issues of one kind the first 10,000 are kept and the rest counted")
  func manyIssues() throws {
    let text = Self.header + String(repeating: "9,1 2 3 4,Training\n", count: 10_250)
    for blockBytes in [1000, 1 << 20] {
      let found = try Collected(
        MemoryTree(text), as: .fer, ImportOptions(blockBytes: blockBytes))
      #expect(found.issues.count == 10_001)
      #expect(found.issues[9_999].location.line == 10_002)
      #expect(found.issues.last?.message == "250 more of this kind are counted but not listed")
      #expect(found.run.outcome.rejected == 10_250)
      #expect(found.isBalanced)
    }
  }
}
