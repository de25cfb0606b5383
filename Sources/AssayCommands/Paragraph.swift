/// Prose that fits the width of a terminal.
enum Paragraph {
  /// The text broken at blanks into lines of at most `terminal.width` columns, later lines indented
  /// by two columns; control characters made visible. A word longer than a line is not broken.
  static func text(_ text: String, in terminal: Terminal) -> String {
    var lines: [String] = []
    for word in Terminal.safe(text).split(separator: " ") {
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
    return lines.joined(separator: "\n")
  }

  /// The lines of a result or an error, each broken at blanks to at most `width` columns.
  /// Continuation lines are aligned with the text after the line's last gap of two or more blanks,
  /// else indented by two columns. Words, lines that show the next command, and lines with a caret
  /// below them are not broken.
  static func folded(_ text: String, to width: Int) -> String {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    return lines.enumerated().map { index, line in
      let isPointedAt =
        index + 1 < lines.count && lines[index + 1].drop { $0 == " " } == "^"
      let isCommand = line.hasPrefix("next: ")
      // Color escape codes have no width.
      let columns = line.replacing(#/\u{1B}\[[0-9;]*m/#, with: "").count
      return columns <= width || isPointedAt || isCommand
        ? String(line) : folded(line: line, to: width)
    }.joined(separator: "\n")
  }

  private static func folded(line: Substring, to width: Int) -> String {
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
