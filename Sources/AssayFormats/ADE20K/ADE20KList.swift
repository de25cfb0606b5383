import AssayCore

/// The list of the objects and parts of one image of ADE20K's full releases of 2016 and 2017:
/// `x_atr.txt` beside `x.jpg`, one line each:
///
///     number # part level # occluded # class # name as typed # "attribute, attribute"
struct ADE20KList {
  /// One object or part. It is left out if ``problem`` is set, but has its number.
  struct Entry {
    /// The number within its level, from 1 in the order of the instances in the level's mask.
    var number: Int
    /// 0 for objects, 1 for their parts, 2 for parts of these, and so on.
    var level: Int
    /// The 1-based number of the line.
    var line: Int
    var isOccluded: Bool?
    var name = ""
    var rawName = ""
    var attributes: [String] = []
    var problem: (kind: IssueKind, text: String)?
  }

  private(set) var entries: [Entry] = []
  /// The number of lines that are not blank.
  private(set) var count = 0
  /// Problems with lines that have no usable number, and with single fields.
  private(set) var problems: [(line: Int, kind: IssueKind, isError: Bool, text: String)] = []

  static let ending = "_atr.txt"
  static let byteLimit = 16 << 20
  /// The highest level of parts.
  static let levelLimit = 99
  private static let numberLimit = 1 << 20
  private static let fieldCount = 6

  /// - Parameter bytes: the whole file. Bytes that are not UTF-8 are read as Latin-1.
  init(_ bytes: [UInt8]) {
    let text: String
    if let valid = String(validating: bytes, as: UTF8.self) {
      text = valid
    } else {
      text = String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
      problems.append((1, .badUTF8, false, "the file is not UTF-8; read as Latin-1"))
    }
    var known: Set<[Int]> = []
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    for (place, line) in lines.enumerated() where !line.allSatisfy(\.isWhitespace) {
      count += 1
      guard let entry = entry(Self.fields(line), line: place + 1) else { continue }
      guard known.insert([entry.level, entry.number]).inserted else {
        problems.append(
          (
            entry.line, .duplicateID, true,
            "another line of level \(entry.level) has the number \(entry.number); left out"
          ))
        continue
      }
      entries.append(entry)
    }
  }

  /// Returns whether a line, the first one of a file, is of such a list.
  static func isLine(_ line: Substring) -> Bool {
    let fields = fields(line)
    return fields.count == fieldCount
      && fields.prefix(3).allSatisfy { number($0) != nil }
      && (fields[5].isEmpty || fields[5].hasPrefix("\""))
  }

  /// The fields of a line without blanks at their ends; the last one may contain `#`.
  private static func fields(_ line: Substring) -> [String] {
    line.split(
      separator: "#", maxSplits: fieldCount - 1, omittingEmptySubsequences: false
    ).map { LabelSeparator.trimmed(String($0)) }
  }

  /// A number of digits alone, such as `001`.
  private static func number(_ text: String) -> Int? {
    guard (1...9).contains(text.utf8.count), text.utf8.allSatisfy({ (48...57).contains($0) }) else {
      return nil
    }
    return Int(text)
  }

  private mutating func entry(_ fields: [String], line: Int) -> Entry? {
    guard let number = fields.first.flatMap(Self.number), (1...Self.numberLimit).contains(number),
      let level = fields.dropFirst().first.flatMap(Self.number), level <= Self.levelLimit
    else {
      problems.append(
        (
          line, .badField, true,
          "the line has no number from 1 to \(Self.numberLimit), or no level from 0 to "
            + "\(Self.levelLimit); left out"
        ))
      return nil
    }
    var entry = Entry(number: number, level: level, line: line)
    guard fields.count == Self.fieldCount else {
      entry.problem = (
        .fieldCount,
        "the line has \(Counted.text(fields.count, "field", "fields")), not 6; left out"
      )
      return entry
    }
    switch fields[2] {
    case "0": entry.isOccluded = false
    case "1": entry.isOccluded = true
    default:
      problems.append((line, .badField, false, "'occluded' is neither 0 nor 1; ignored"))
    }
    entry.name = fields[3]
    entry.rawName = fields[4]
    if fields[3].isEmpty { entry.problem = (.missingLabel, "the line names no class; left out") }
    entry.attributes = Self.attributes(fields[5])
    return entry
  }

  /// The texts between commas, without the quotation marks around all of them.
  private static func attributes(_ field: String) -> [String] {
    var text = field[...]
    if text.hasPrefix("\"") { text = text.dropFirst() }
    if text.hasSuffix("\"") { text = text.dropLast() }
    return text.split(separator: ",").map { LabelSeparator.trimmed(String($0)) }
      .filter { !$0.isEmpty }
  }
}
