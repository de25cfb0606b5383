/// Prose that fits the width of a terminal.
enum Paragraph {
  /// The text broken at blanks into lines of at most `terminal.width` columns, later lines indented
  /// by two columns; control characters made visible. A word longer than a line is not broken, nor is
  /// a command at the end of a text that does not fit in a line: it has a line of its own.
  static func text(_ text: String, in terminal: Terminal) -> String {
    let safe = Terminal.safe(text)
    let (prose, command) = safe.count > terminal.width ? split(safe) : (safe[...], nil)
    var lines: [String] = []
    for word in prose.split(separator: " ") {
      guard let line = lines.last else {
        lines.append(String(word))
        continue
      }
      if line.count + 1 + word.count <= terminal.width {
        lines[lines.count - 1] = line + " " + word
      } else {
        lines.append("  " + word)
      }
    }
    if let command { lines.append("  " + command) }
    return lines.joined(separator: "\n")
  }

  /// The text before a command that ends it after a colon, and that command; `nil` for a text that does not end so.
  private static func split(_ text: String) -> (prose: Substring, command: Substring?) {
    guard let found = text.firstMatch(of: #/: (?=assay |\(cd )/#) else { return (text[...], nil) }
    let command = text[found.range.upperBound...]
    guard isCommand(command) else { return (text[...], nil) }
    return (text[..<text.index(before: found.range.upperBound)], command)
  }

  /// True for a text that can be a command alone: it begins with `assay`, and has neither punctuation of prose nor
  /// columns; or it begins with `(cd`, as no prose does.
  private static func isCommand(_ text: Substring) -> Bool {
    text.hasPrefix("(cd ") || text.hasPrefix("assay ") && !text.contains(#/[,;.:] | {2}/#)
  }

  /// The lines of a result or an error, each broken at blanks to at most `width` columns.
  /// Continuation lines are aligned with the text after the line's last gap of two or more blanks,
  /// else indented by two columns. Words, lines that show a command, and lines with a caret below them are not
  /// broken; a command at the end of a line that is too long gets a line of its own.
  static func folded(_ text: String, to width: Int) -> String {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    return lines.enumerated().map { index, line in
      let isPointedAt =
        index + 1 < lines.count && lines[index + 1].drop { $0 == " " } == "^"
      let isCommand = line.hasPrefix("next: ") || isCommand(line.drop { $0 == " " })
      // Color escape codes have no width.
      let columns = line.replacing(#/\u{1B}\[[0-9;]*m/#, with: "").count
      return columns <= width || isPointedAt || isCommand
        ? String(line) : folded(line: line, to: width)
    }.joined(separator: "\n")
  }

  private static func folded(line: Substring, to width: Int) -> String {
    let (prose, command) = split(String(line))
    if let command {
      let indentation = String(repeating: " ", count: line.prefix { $0 == " " }.count + 2)
      let before = prose.count <= width ? String(prose) : folded(line: prose, to: width)
      return before + "\n" + indentation + command
    }
    var hang = hang(of: line, within: width / 2)
    let longest = line.dropFirst(hang).split(separator: " ").map(\.count).max() ?? 0
    let own = line.prefix { $0 == " " }.count
    // At that indentation a long word, such as a path, may not fit; further left it may.
    if hang + longest > width { hang = own + 2 }
    var lead = own
    var rest = Array(line)
    var done: [String] = []
    while rest.count > width {
      let near = lead < width ? (lead + 1...width).last { rest[$0] == " " } : nil
      guard let gap = near ?? rest[max(lead, width)...].firstIndex(of: " ") else { break }
      done.append(String(rest[..<gap]).replacing(#/ +$/#, with: ""))
      let tail = rest[gap...].drop { $0 == " " }
      guard !tail.isEmpty else { return done.joined(separator: "\n") }
      rest = Array(repeating: " ", count: hang) + tail
      lead = hang
    }
    return (done + [String(rest)]).joined(separator: "\n")
  }

  /// The column after the last gap of two or more blanks that ends within `limit`; else two more
  /// than the line's own indentation.
  private static func hang(of line: Substring, within limit: Int) -> Int {
    let own = line.prefix { $0 == " " }.count
    var (column, blanks, hang) = (0, 0, own + 2)
    for character in line.prefix(limit + 1) {
      if character != " ", blanks >= 2, column > own { hang = column }
      blanks = character == " " ? blanks + 1 : 0
      column += 1
    }
    return hang
  }
}
