import AssayCore

/// The separator between the labels of one image.
package enum LabelSeparator: String, CaseIterable, Sendable {
  case space
  case bar = "|"
  case semicolon = ";"
  case comma = ","

  /// The separator in messages: `“|”`, `blanks`.
  var words: String { self == .space ? "blanks" : "“\(rawValue)”" }

  /// The labels of a text, each once, without blanks around them.
  package func labels(of text: String) -> [String] {
    // By scalars: a combining mark after the separator does not hide it.
    let parts =
      switch self {
      case .space: text.unicodeScalars.split { $0 == " " || $0 == "\t" }
      case .bar, .semicolon, .comma: text.unicodeScalars.split { String($0) == rawValue }
      }
    var seen: Set<String> = []
    return parts.compactMap { part in
      let label = Self.trimmed(String(part))
      return label.isEmpty || !seen.insert(label).inserted ? nil : label
    }
  }

  /// A text without surrounding blanks, including no-break spaces and other Unicode blanks.
  static func trimmed(_ text: String) -> String {
    let isBlank: (Unicode.Scalar) -> Bool = { $0 == " " || $0.properties.isWhitespace }
    var rest = text.unicodeScalars.drop(while: isBlank)
    while let last = rest.last, isBlank(last) { rest = rest.dropLast() }
    return String(rest)
  }
}

/// Detects the separator between labels in a file; ambiguous files are rejected.
///
/// A bar or a semicolon is the separator if it is the only one of bar, semicolon and comma. Commas
/// and blanks also occur in class names: they are separators only if every part also occurs alone
/// in some row, or if the classes are given.
struct SeparatorEvidence {
  private let file: String
  private let classes: Set<String>?
  private let hasOtherColumns: Bool
  /// The first line with each separator between two labels, and its text.
  private var firsts: [LabelSeparator: (line: Int, text: String)] = [:]
  /// Whole texts without a bar, semicolon or comma.
  private var alone: Set<String> = []
  /// The parts of texts split at commas and blanks, with their first line.
  private var parts: [LabelSeparator: [String: Int]] = [:]
  /// With given classes: the separators that split all texts so far into classes.
  private var fitting = LabelSeparator.allCases
  private var hasNames = false

  init(file: String, classes: [String]?, hasOtherColumns: Bool) {
    self.file = file
    self.classes = classes.map { Set($0) }
    self.hasOtherColumns = hasOtherColumns
  }

  /// Adds a row's list of labels.
  ///
  /// - Throws: ``FormatError``.
  mutating func add(_ text: String, line: Int) throws(FormatError) {
    let text = LabelSeparator.trimmed(text)
    guard !text.isEmpty else { return }
    hasNames = hasNames || LabelTableColumns.flag(text) == nil
    if let classes {
      let readings = fitting.map { ($0, $0.labels(of: text)) }
        .filter { !$0.1.isEmpty && $0.1.allSatisfy(classes.contains) }
      guard let first = readings.first else {
        throw .table(
          file, line: line,
          problem: "the labels “\(text.prefix(80))” are not classes of --classes, by whatever "
            + "separator; correct the names, or give --label-separator to see which")
      }
      guard readings.allSatisfy({ $0.1 == first.1 }) else { throw ambiguous(text, line) }
      fitting = readings.map(\.0)
      return
    }
    var isPlain = true
    for separator in LabelSeparator.allCases where separator.stands(in: text) {
      if separator != .space { isPlain = false }
      if firsts[separator] == nil { firsts[separator] = (line, text) }
      guard separator == .comma || separator == .space else { continue }
      for part in separator.labels(of: text) where parts[separator]?[part] == nil {
        parts[separator, default: [:]][part] = line
      }
    }
    if isPlain { alone.insert(text) }
    let limit = PixelTableMerge.classLimit
    // More different parts than the class limit cannot all occur alone.
    guard (parts.values.map(\.count).max() ?? 0) <= 8 * limit, alone.count <= 64 * limit else {
      throw .tooManyClasses(file, limit: limit)
    }
  }

  /// The separator; `nil` if no row has several labels.
  ///
  /// - Throws: ``FormatError/table(_:line:problem:)`` if the rows are ambiguous.
  func separator() throws(FormatError) -> LabelSeparator? {
    if hasOtherColumns, !hasNames {
      throw .table(
        file, line: 1,
        problem: "the column that should list the labels holds 0 and 1 alone; if each column is a "
          + "class, rename this one, or give the classes with --classes and --label-separator")
    }
    guard classes == nil else { return fitting.count == 1 ? fitting.first : nil }
    let signs = [LabelSeparator.bar, .semicolon, .comma].filter { firsts[$0] != nil }
    if signs.count > 1, let place = firsts[signs[1]] { throw ambiguous(place.text, place.line) }
    guard let sign = signs.first ?? (firsts[.space] == nil ? nil : .space) else { return nil }
    guard sign == .comma || sign == .space else { return sign }
    let apart = (parts[sign] ?? [:]).filter { !alone.contains($0.key) }
    guard let line = apart.values.min(), let place = firsts[sign] else { return sign }
    let part = apart.filter { $0.value == line }.keys.min() ?? ""
    throw .table(
      file, line: line,
      problem: "“\(part)” occurs only together with other words (“\(place.text.prefix(80))” in "
        + "line \(place.line)), so it may be a label or part of a name; \(Self.advice(sign))")
  }

  private func ambiguous(_ text: String, _ line: Int) -> FormatError {
    .table(
      file, line: line,
      problem: "the labels “\(text.prefix(80))” can be read in several ways; \(Self.advice(nil))")
  }

  private static func advice(_ sign: LabelSeparator?) -> String {
    let example = sign.map { $0 == .space ? "space" : "'\($0.rawValue)'" } ?? "SIGN"
    return "name the separator with --label-separator \(example)"
      + (sign == nil ? " (space, '|', ';' or ',')" : "")
      + ", or name the classes with --classes"
  }
}

extension LabelSeparator {
  /// Returns whether the separator occurs in a text without surrounding blanks.
  fileprivate func stands(in text: String) -> Bool {
    self == .space
      ? text.utf8.contains { $0 == 0x20 || $0 == 0x09 }
      : text.unicodeScalars.contains { String($0) == rawValue }
  }
}
