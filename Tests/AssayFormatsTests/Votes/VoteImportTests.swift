import AssayCore
import AssayTestSupport
import Foundation
import Testing

@testable import AssayFormats

@Suite("FER+'s votes")
struct VoteImportTests {
  static let header = "Usage,Image name," + VoteRule.options.joined(separator: ",")

  /// A table and a CSV of one-pixel faces whose emotions are those of most votes.
  struct Pair {
    /// Votes and FER-2013's number of each row.
    var rows: [(votes: [Int], emotion: Int, usage: String)]
    var unnamed: Set<Int> = []

    var table: String {
      let lines = rows.enumerated().map { number, row in
        let name = String(format: "fer%07d.png", number)
        return row.usage + "," + (unnamed.contains(number) ? "" : name) + ","
          + row.votes.map(String.init).joined(separator: ",")
      }
      return ([VoteImportTests.header] + lines).joined(separator: "\n") + "\n"
    }

    var faces: String {
      let lines = rows.map { "\($0.emotion),7 8 9 10,\($0.usage)" }
      return (["emotion,pixels,Usage"] + lines).joined(separator: "\n") + "\n"
    }
  }

  /// Votes for each outcome of the rules, with FER-2013's number.
  static let small = Pair(
    rows: [
      ([8, 1, 0, 0, 1, 0, 0, 0, 0, 0], 6, "Training"),
      ([0, 5, 5, 0, 0, 0, 0, 0, 0, 0], 3, "Training"),
      ([0, 0, 0, 0, 0, 0, 0, 0, 8, 2], 4, "Training"),
      ([0, 0, 0, 0, 0, 0, 0, 0, 0, 10], 0, "Training"),
      ([2, 2, 2, 2, 2, 0, 0, 0, 0, 0], 0, "PublicTest"),
      ([0, 0, 0, 4, 0, 0, 0, 3, 3, 0], 4, "PublicTest"),
      ([1, 0, 0, 6, 3, 0, 0, 0, 0, 0], 4, "PrivateTest"),
    ], unnamed: [3])

  static func votes(_ text: String, _ rule: VoteRule = .majority) throws -> ImportOptions {
    var options = ImportOptions()
    options.votes = VoteOptions(
      table: try VoteTable.read(MemoryTree(text, name: "fer2013new.csv")), rule: rule)
    return options
  }

  static func collect(_ pair: Pair, _ rule: VoteRule) throws -> Collected {
    try Collected(MemoryTree(pair.faces, name: "fer2013.csv"), as: .fer, votes(pair.table, rule))
  }

  static func samples(_ pair: Pair, _ rule: VoteRule) throws -> [ImportedSample] {
    var samples: [ImportedSample] = []
    let tree = MemoryTree(pair.faces, name: "fer2013.csv")
    _ = try FERImporter().run(tree, votes(pair.table, rule)) { samples += $0.samples }
    return samples
  }

  /// The text of the error that reading or joining throws.
  static func refusal(table: String, faces: String = small.faces) -> String {
    do {
      _ = try Collected(MemoryTree(faces, name: "fer2013.csv"), as: .fer, votes(table))
      return "nothing is refused"
    } catch {
      return "\(error)"
    }
  }

  @Test("Each rule keeps and leaves out the rows of the published function")
  func rules() throws {
    let majority = try Self.collect(Self.small, .majority)
    #expect(majority.keys == ["0", "6"])
    #expect(majority.labels == ["neutral", "sadness"])
    #expect(majority.classes == VoteRule.emotions)
    #expect(majority.isBalanced)

    let probability = try Self.collect(Self.small, .probability)
    #expect(probability.keys == ["0", "1", "5", "6"])
    #expect(probability.labels == ["neutral", "happiness", "sadness", "sadness"])
    #expect(
      try Self.samples(Self.small, .probability)[1].attributes
        == #"{"distribution":{"happiness":0.5,"surprise":0.5},"votes":{"neutral":0,"happiness":5,"#
        + #""surprise":5,"sadness":0,"anger":0,"disgust":0,"fear":0,"contempt":0,"unknown":0,"NF":0}}"#
    )

    let several = try Self.samples(Self.small, .multiTarget)
    #expect(several.map(\.key) == ["0", "1", "5", "6"])
    #expect(several.map(\.categories) == [[0], [1, 2], [3, 7], [3, 4]])
    #expect(several.allSatisfy { $0.category == nil })
  }

  @Test("Rules at their edges")
  func edges() {
    // Exactly half of the votes is no majority.
    #expect(
      VoteRule.majority.target(of: [5, 5, 0, 0, 0, 0, 0, 0, 0, 0]) == .leftOut(.disagreement))
    // A tie of an emotion and unknown: unknown ends the search and is dropped.
    #expect(
      VoteRule.probability.target(of: [5, 0, 0, 0, 0, 0, 0, 0, 5, 0]) == .leftOut(.disagreement))
    // Two of a three-way tie would be enough, but a maximum is taken with all ties.
    #expect(
      VoteRule.probability.target(of: [4, 0, 2, 2, 2, 0, 0, 0, 0, 0]) == .leftOut(.disagreement))
    // Single votes count for nothing.
    #expect(
      VoteRule.majority.target(of: [3, 1, 1, 1, 1, 1, 1, 1, 0, 0])
        == .shares([1, 0, 0, 0, 0, 0, 0, 0]))
    for rule in VoteRule.allCases {
      #expect(rule.target(of: [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]) == .leftOut(.disagreement))
      #expect(rule.target(of: [0, 0, 0, 0, 0, 0, 0, 0, 10, 0]) == .leftOut(.unknown))
      #expect(rule.target(of: [0, 0, 0, 0, 0, 0, 0, 0, 0, 10]) == .leftOut(.noFace))
    }
  }

  @Test(
    "The rules keep the published numbers of rows",
    .outsideData("fer/fer2013new.csv", twin: "VoteImportTests.rules"))
  func published() throws {
    let path = OutsideFiles.url("fer/fer2013new.csv")
    let tree = MemoryTree([UInt8](try Data(contentsOf: path)), name: "fer2013new.csv")
    let table = try VoteTable.read(tree)
    #expect(table.rows.count == 35_887)
    #expect(table.rows.count { !$0.hasName } == 173)
    #expect(
      table.contentHash == "9206e20d62f56475939f516847d61753e4860caeac9718b560129541b776fc2c")
    let expected: [VoteRule: ([Int], several: Int)] = [
      .majority: ([25_060, 3_199, 3_153], 0), .probability: ([27_956, 3_505, 3_505], 10_994),
      .multiTarget: ([27_671, 3_472, 3_472], 8_763),
    ]
    for (rule, numbers) in expected {
      var kept: [String: Int] = [:]
      var several = 0
      for row in table.rows {
        guard case .shares(let shares) = rule.target(of: row.votes) else { continue }
        kept[row.usage, default: 0] += 1
        several += shares.count { $0 > 0 } > 1 ? 1 : 0
      }
      #expect(["Training", "PublicTest", "PrivateTest"].map { kept[$0] } == numbers.0, "\(rule)")
      #expect(several == numbers.several, "\(rule)")
    }
  }

  @Test("Left-out rows are counted by reason")
  func counts() throws {
    let tree = MemoryTree(Self.small.faces, name: "fer2013.csv")
    let finished = try FERImporter().run(tree, Self.votes(Self.small.table)) { _ in }
    let counts = try #require(finished.votes)
    #expect(counts.kept == 2)
    #expect(counts.leftOut == [.disagreement: 3, .unknown: 1])
    #expect(counts.unnamed == 1)
    #expect(finished.outcome.accepted == 2)
    #expect(finished.outcome.rejected == 5)
    #expect(
      finished.notes.first == "FER+'s rule majority leaves out 5 rows: 3 with votes for too many "
        + "emotions, 1 with most votes for unknown, 1 without an image name in the table of votes")
  }

  @Test("A table with other rows is refused with the row")
  func otherRows() {
    var lines = Self.small.table.split(separator: "\n").map(String.init)
    let short = lines.dropLast().joined(separator: "\n")
    #expect(Self.refusal(table: short).contains("row 6 of fer2013.csv (from 0) has no votes"))
    let more = lines + ["PrivateTest,fer0000007.png,10,0,0,0,0,0,0,0,0,0"]
    #expect(
      Self.refusal(table: more.joined(separator: "\n"))
        .contains("line 9 has no row in fer2013.csv"))
    var missing = lines
    missing.remove(at: 2)
    #expect(
      Self.refusal(table: missing.joined(separator: "\n"))
        .hasPrefix("fer2013new.csv:3: fer0000002.png does not follow the image of line 2"))
    lines.swapAt(1, 2)
    #expect(Self.refusal(table: lines.joined(separator: "\n")).hasPrefix("fer2013new.csv:3:"))
    let usage = Self.small.table.replacingOccurrences(
      of: "PublicTest,fer0000004", with: "Training,fer0000004")
    #expect(Self.refusal(table: usage).hasPrefix("fer2013new.csv:6: Usage is “Training”"))
  }

  @Test("Faces in another order are refused by their emotions")
  func shuffled() throws {
    let emotions = [6, 3, 5, 4, 0, 1, 2]
    var pair = Pair(
      rows: (0..<1_200).map { number in
        let place = (number * 5 + number / 7) % 7
        return ((0..<10).map { $0 == place ? 9 : $0 == 7 ? 1 : 0 }, emotions[place], "Training")
      })
    let table = pair.table
    #expect(try Self.collect(pair, .majority).keys.count == 1_200)
    let original = pair.rows
    // Only the last 600 rows are shifted by one.
    let last = pair.rows[600..<1_199].map(\.emotion)
    pair.rows[600].emotion = pair.rows[1_199].emotion
    for (place, emotion) in last.enumerated() { pair.rows[601 + place].emotion = emotion }
    let text = Self.refusal(table: table, faces: pair.faces)
    #expect(text.hasPrefix("fer2013new.csv: in rows 5"), "\(text)")
    #expect(text.contains(" to 7") && text.contains(" of 200 emotions agree"), "\(text)")
    #expect(text.contains("the rows are not in the same order"))
    // Only 200 rows in the middle are in the reverse order.
    pair.rows[600..<1_200] = original[600..<1_200]
    let middle = original[510..<710].map(\.emotion).reversed()
    for (place, emotion) in middle.enumerated() { pair.rows[510 + place].emotion = emotion }
    #expect(Self.refusal(table: table, faces: pair.faces).contains("not in the same order"))
  }

  @Test(
    "Tables that are not FER+'s are refused with the line",
    arguments: [
      ("8,1,0,0,1,0", "-8,1,0,0,1,0", ":2: votes must be whole numbers from 0 to 10, found “-8”"),
      ("8,1,0,0,1,0", "8.0,1,0,0,1,0", ":2: votes must be whole numbers"),
      ("8,1,0,0,1,0", "99999999999999999999,1,0,0,1,0", ":2: votes must be whole numbers"),
      ("8,1,0,0,1,0", ",1,0,0,1,0", ":2: votes must be whole numbers"),
      ("8,1,0,0,1,0", "9,1,0,0,1,0", ":2: expected 10 votes, found 11"),
      ("8,1,0,0,1,0", "6,1,0,0,1,0", ":2: expected 10 votes, found 8"),
      ("8,1,0,0,1,0", "8,1,0,0,1", ":2: expected 12 columns, found 11"),
      ("fer0000000.png", "a.png", ":2: expected an image name such as fer0000000.png"),
      (",unknown,NF", ",unknown,x", ":1: expected the columns of FER+'s table"),
      ("Usage,", "Usage,more,", ":1: expected the columns of FER+'s table"),
      ("Training,fer0000001", "\nTraining,fer0000001", ":3: a blank line between rows"),
    ])
  func broken(text: String, replacement: String, message: String) {
    let table = Self.small.table.replacingOccurrences(of: text, with: replacement)
    let found = Self.refusal(table: table)
    #expect(found.hasPrefix("fer2013new.csv" + message), "\(found)")
  }

  @Test("Wrong files are refused")
  func wrongFiles() throws {
    #expect(Self.refusal(table: Self.small.faces).contains("this is a CSV of faces"))
    #expect(Self.refusal(table: "").contains("expected the columns of FER+'s table"))
    #expect(Self.refusal(table: Self.header).contains("a header and no rows"))
    #expect(
      Self.refusal(table: Self.small.table, faces: "pixels,Usage\n7 8 9 10,Training\n")
        .contains("--votes needs the column emotion"))
    #expect(
      Self.refusal(table: Self.small.table, faces: "emotion,pixels\n1,7 8 9 10\n")
        .contains("--votes needs the column Usage"))
    let packed = ZipBuilder.gzip(Array(Self.small.table.utf8))
    let cut = MemoryTree(Array(packed.dropLast(20)), name: "fer2013new.csv.gz")
    #expect(throws: FormatError.self) { try VoteTable.read(cut) }
  }

  @Test("A table that is compressed, with CRLF or in another order of columns is the same")
  func variants() throws {
    let expected = try VoteTable.read(MemoryTree(Self.small.table)).rows
    let packed = MemoryTree(ZipBuilder.gzip(Array(Self.small.table.utf8)), name: "a.csv.gz")
    #expect(try VoteTable.read(packed).rows == expected)
    let lines = Self.small.table.replacingOccurrences(of: "\n", with: "\r\n")
    #expect(try VoteTable.read(MemoryTree("\u{FEFF}" + lines)).rows == expected)
    let turned = Self.small.table.split(separator: "\n").map {
      $0.split(separator: ",", omittingEmptySubsequences: false).reversed().joined(separator: ",")
    }
    #expect(try VoteTable.read(MemoryTree(turned.joined(separator: "\n"))).rows == expected)
  }
}
