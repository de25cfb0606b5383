package import AssayCore

/// The table of FER+: the votes of ten people for each row of FER-2013's CSV.
///
/// Plain or gzip; the columns in any order. Source: `fer2013new.csv` of microsoft/FERPlus.
package struct VoteTable: Sendable {
  /// The votes of one row.
  package struct Row: Hashable, Sendable {
    /// The usage as FER-2013 spells it: `Training`, `PublicTest` or `PrivateTest`.
    package var usage: String
    /// True if the row names an image. The published training script leaves out rows without one.
    package var hasName: Bool
    /// A count for each of ``VoteRule/options``.
    package var votes: [Int]
    /// The line in the file, from 1.
    package var line: Int
  }

  /// The file's name.
  package var name: String
  package var rows: [Row]
  /// The hexadecimal SHA-256 of the file.
  package var contentHash: String

  /// The number of people who voted for each face. In the published table one row has a vote less.
  package static let voters = 10

  /// The limit of the text, in bytes; the published table has 1.6 MB.
  static let byteLimit = 1 << 26

  /// The images that the published table names out of order, because an equal image has the name.
  private static let repeatedNames: Set<Int> = [6953, 8403, 11_785, 33_120]

  private static let header = ["Usage", "Image name"] + VoteRule.options

  /// Reads a table.
  ///
  /// - Throws: ``FormatError``; any error that the tree throws.
  package static func read(_ tree: any SourceTree) throws -> VoteTable {
    guard tree.isSingleFile, let file = try tree.files().first else {
      throw FormatError.predictions(
        tree.name, problem: "--votes must be FER+'s table, fer2013new.csv, found a folder")
    }
    var stream = try ByteStream(tree, file, hashing: true)
    let bytes = try stream.read(upTo: byteLimit + 1)
    if let found = SourceContent.binaryKind(of: bytes) {
      throw FormatError.predictions(
        file.path, problem: "--votes must be FER+'s table, fer2013new.csv, found \(found)")
    }
    let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
    try check(header: lines.first ?? [], of: file.path)
    guard bytes.count <= byteLimit else {
      throw FormatError.predictions(
        file.path,
        problem: "the table is larger than \(byteLimit >> 20) MiB; --votes must be FER+'s table, "
          + "fer2013new.csv")
    }
    if let damage = stream.damage { throw FormatError.damagedFile(file.path, reason: damage) }
    var reader = VoteRows(file: file.path, columns: columns(of: lines.first ?? []))
    for (number, line) in lines.enumerated().dropFirst() {
      try reader.add(line, number: number + 1)
    }
    guard !reader.rows.isEmpty else { throw FormatError.noRows(file.path) }
    return VoteTable(
      name: file.path, rows: reader.rows, contentHash: stream.contentHash() ?? "")
  }

  private static func texts(of line: ArraySlice<UInt8>) -> [String] {
    var bytes = Array(line)
    if bytes.starts(with: TableHead.byteOrderMark) { bytes.removeFirst(3) }
    if bytes.last == 0x0D { bytes.removeLast() }
    return CSVFields.texts(of: bytes)
  }

  private static func columns(of line: ArraySlice<UInt8>) -> [Int] {
    let names = texts(of: line).map { $0.lowercased() }
    return header.compactMap { names.firstIndex(of: $0.lowercased()) }
  }

  /// - Throws: ``FormatError`` if the first line does not name FER+'s columns.
  private static func check(header line: ArraySlice<UInt8>, of file: String) throws {
    let names = texts(of: line).map { $0.lowercased() }
    if names.contains("pixels") {
      throw FormatError.predictions(
        file,
        problem: "this is a CSV of faces, not FER+'s table of votes; name the CSV of faces first "
          + "and the table after it: assay import \(ShellText.quoted(file)) --votes fer2013new.csv")
    }
    let missing = header.filter { !names.contains($0.lowercased()) }
    guard missing.isEmpty, names.count == header.count else {
      throw FormatError.table(
        file, line: 1,
        problem: "expected the columns of FER+'s table of votes "
          + "(\(header.joined(separator: ","))), "
          + (missing.isEmpty
            ? "found \(names.count) columns"
            : "missing: \(missing.joined(separator: ", "))")
          + "; --votes must be fer2013new.csv of microsoft/FERPlus")
    }
  }

  /// Reads and checks the rows one after another.
  private struct VoteRows {
    let file: String
    /// The column of each name of ``VoteTable/header``.
    let columns: [Int]
    var rows: [Row] = []
    /// The last name in order: its row and number.
    private var last: (row: Int, number: Int)?
    private var blankLine: Int?

    init(file: String, columns: [Int]) {
      self.file = file
      self.columns = columns
    }

    private func refuse(_ line: Int, _ problem: String) -> FormatError {
      .table(file, line: line, problem: problem)
    }

    mutating func add(_ text: ArraySlice<UInt8>, number line: Int) throws(FormatError) {
      let fields = VoteTable.texts(of: text)
      if fields == [""] {
        blankLine = blankLine ?? line
        return
      }
      if let blankLine { throw refuse(blankLine, "a blank line between rows; \(VoteRows.fetch)") }
      guard fields.count == columns.count else {
        throw refuse(
          line, "expected \(columns.count) columns, found \(fields.count); \(VoteRows.fetch)")
      }
      let votes = try columns.dropFirst(2).map { column throws(FormatError) in
        try count(fields[column], line)
      }
      let sum = votes.reduce(0, +)
      guard sum == VoteTable.voters || sum == VoteTable.voters - 1 else {
        throw refuse(
          line, "expected \(VoteTable.voters) votes, found \(sum); \(VoteRows.fetch)")
      }
      let usage = fields[columns[0]]
      let name = fields[columns[1]]
      try check(name: name, line)
      rows.append(Row(usage: usage, hasName: !name.isEmpty, votes: votes, line: line))
    }

    private static let fetch =
      "fetch the table again from github.com/microsoft/FERPlus (fer2013new.csv)"

    private func count(_ text: String, _ line: Int) throws(FormatError) -> Int {
      guard !text.isEmpty, text.utf8.count <= 3, text.utf8.allSatisfy({ (0x30...0x39) ~= $0 }),
        let count = Int(text), count <= VoteTable.voters
      else {
        throw refuse(
          line,
          "votes must be whole numbers from 0 to \(VoteTable.voters), found “\(text.prefix(40))”; "
            + VoteRows.fetch)
      }
      return count
    }

    /// Checks that names are numbered in order: each number is above the one before, by at most the
    /// number of rows between.
    private mutating func check(name: String, _ line: Int) throws(FormatError) {
      guard !name.isEmpty else { return }
      let digits = name.dropFirst(3).dropLast(4)
      guard name.hasPrefix("fer"), name.hasSuffix(".png"), digits.utf8.count == 7,
        digits.utf8.allSatisfy({ (0x30...0x39) ~= $0 }), let number = Int(digits)
      else {
        throw refuse(
          line,
          "expected an image name such as fer0000000.png, found “\(name.prefix(40))”; "
            + VoteRows.fetch)
      }
      if let last {
        let isNext = (1...(rows.count - last.row)).contains(number - last.number)
        guard isNext || VoteTable.repeatedNames.contains(number) else {
          throw refuse(
            line,
            "\(name) does not follow the image of line \(rows[last.row].line) "
              + "(\(last.number)): the rows are not in the order of FER-2013, or one is missing or "
              + "repeated; \(VoteRows.fetch)")
        }
        guard isNext else { return }
      }
      last = (rows.count, number)
    }
  }
}
