/// A Markdown document as text for a terminal: paragraphs and list items broken at blanks, tables
/// as columns if they fit and row by row otherwise, code unchanged, links without their targets.
struct MarkdownText {
  private let lines: [Substring]

  init(_ markdown: String) {
    lines = markdown.split(separator: "\n", omittingEmptySubsequences: false)
  }

  /// The document without its table of contents and without a final line feed.
  func text(in terminal: Terminal) -> String {
    var out: [String] = []
    var table: [[String]] = []
    var isCode = false
    var isContents = false
    for line in lines {
      if !isCode, line.hasPrefix("|") {
        table.append(Self.cells(line))
        continue
      }
      if !table.isEmpty {
        out.append(Self.table(table, in: terminal))
        table = []
      }
      if line.hasPrefix("```") {
        isCode.toggle()
      } else if isCode {
        out.append("    " + Terminal.safe(String(line)))
      } else if line.hasPrefix("#") {
        isContents = line == "## Contents"
        if !isContents { out.append(Self.plain(line.drop { $0 == "#" || $0 == " " }).uppercased()) }
      } else if line.hasPrefix("    ") {
        out.append(Terminal.safe(String(line)))
      } else if line.hasPrefix("<!--") || isContents {
        continue
      } else {
        out.append(Self.folded(line, in: terminal))
      }
    }
    if !table.isEmpty { out.append(Self.table(table, in: terminal)) }
    return Self.joined(out)
  }

  /// The blocks joined without double empty lines, and without empty lines at the ends.
  private static func joined(_ blocks: [String]) -> String {
    var kept: [String] = []
    for block in blocks where !(block.isEmpty && (kept.last ?? "").isEmpty) { kept.append(block) }
    if kept.last == "" { kept.removeLast() }
    return kept.joined(separator: "\n")
  }

  private static func folded(_ line: Substring, in terminal: Terminal) -> String {
    let item = line.firstMatch(of: #/^( *)(-|[0-9]+\.) +/#)
    let text = Terminal.safe(plain(line))
    guard let item else { return wrapped(text, hang: 0, terminal.width) }
    return wrapped(text, hang: item.0.count, terminal.width)
  }

  /// The text broken at blanks to at most `width` columns; later lines are indented by `hang`
  /// columns. A word longer than a line is not broken.
  private static func wrapped(_ text: String, hang: Int, _ width: Int) -> String {
    var lines = [""]
    var isFirst = true
    for word in text.split(separator: " ", omittingEmptySubsequences: false) {
      let last = lines[lines.count - 1]
      if isFirst {
        lines[lines.count - 1] = String(word)
        isFirst = false
      } else if last.count + 1 + word.count <= width || last.count <= hang {
        lines[lines.count - 1] = last + " " + word
      } else {
        lines.append(String(repeating: " ", count: hang) + word)
      }
    }
    return lines.joined(separator: "\n")
  }

  /// The cells of a table row.
  private static func cells(_ line: Substring) -> [String] {
    var cells: [String] = [""]
    var isEscaped = false
    for character in line.dropFirst() {
      if character == "|", !isEscaped {
        cells.append("")
      } else {
        cells[cells.count - 1].append(character)
      }
      isEscaped = character == "\\"
    }
    if cells.last?.allSatisfy({ $0 == " " }) == true { cells.removeLast() }
    return cells.map { cell in
      plain(cell.replacing("\\|", with: "|")[...]).trimmingBlanks()
    }
  }

  /// A table if all columns fit; otherwise its rows one below another: the first cell, and the
  /// others indented under their headers.
  private static func table(_ rows: [[String]], in terminal: Terminal) -> String {
    let header = rows[0]
    let body = rows.dropFirst().filter { row in
      !row.allSatisfy { $0.allSatisfy { "-: ".contains($0) } && !$0.isEmpty }
    }
    let widths = header.indices.map { column in
      ([header] + body).map { column < $0.count ? $0[column].count : 0 }.max() ?? 0
    }
    if widths.reduce(0, +) + 2 * max(0, widths.count - 1) <= terminal.width {
      var table = TextTable(header.map { ($0, .left) })
      for row in body { table.add(row) }
      return table.text(in: terminal)
    }
    return body.map { row in
      let first = wrapped(Terminal.safe(row.first ?? ""), hang: 2, terminal.width)
      let others = zip(header, row).dropFirst().filter { !$0.1.isEmpty }.map { name, cell in
        let lead = header.count == 2 || name.isEmpty ? "    " : "    \(name): "
        return wrapped(Terminal.safe(lead + cell), hang: 6, terminal.width)
      }
      return ([first] + others).joined(separator: "\n")
    }.joined(separator: "\n")
  }

  /// A line without the markup of links and emphasis; code keeps its backticks.
  private static func plain(_ line: Substring) -> String {
    let text = line.replacing(#/!?\[([^\]]*)\]\([^)]*\)/#) { $0.1 }
    return String(text.replacing("**", with: ""))
  }
}

extension String {
  fileprivate func trimmingBlanks() -> String {
    String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
  }
}
