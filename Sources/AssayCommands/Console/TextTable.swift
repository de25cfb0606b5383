/// A small text table with aligned columns. If the terminal is too narrow, the widest text columns
/// are truncated with "…"; if that is not enough, numbers are kept whole and the columns are split
/// into several tables, each with the first column.
package struct TextTable: Sendable {
  /// The alignment of a column's cells, and the end at which they are truncated: paths are
  /// left-aligned and keep their end.
  package enum Alignment: Sendable { case left, right, path }

  let header: [String]
  private let alignments: [Alignment]
  private(set) var rows: [[String]] = []

  /// - Parameter columns: name and alignment of each; numbers are right-aligned.
  package init(_ columns: [(String, Alignment)]) {
    header = columns.map { Terminal.safe($0.0) }
    alignments = columns.map(\.1)
  }

  /// Adds a row; missing cells are empty, cells beyond the last column are dropped. Control characters are
  /// made visible.
  package mutating func add(_ cells: [String]) {
    let cells = cells.prefix(header.count).map(Terminal.safe)
    rows.append(cells + Array(repeating: "", count: header.count - cells.count))
  }

  /// The lines of the table, joined by line feeds, without one at the end; an empty line between parts.
  package func text(in terminal: Terminal) -> String {
    parts(within: terminal.width).map { text(of: $0, within: terminal.width) }
      .joined(separator: "\n\n")
  }

  /// Blanks between columns.
  private static let gap = 2
  /// The minimum number of columns that a truncated cell keeps.
  private static let least = 8
  /// The same for a path, which needs both ends to be recognizable.
  private static let leastOfPath = 20

  private var lines: [[String]] { [header] + rows }

  /// The minimum width of a column: the full width for numbers, a few columns for text.
  private func need(of column: Int) -> Int {
    let width = lines.map { $0[column].count }.max() ?? 0
    return alignments[column] == .right ? width : min(width, least(of: column))
  }

  private func least(of column: Int) -> Int {
    alignments[column] == .path ? Self.leastOfPath : Self.least
  }

  /// Groups of columns that fit, in order; each but the first begins with the first column.
  private func parts(within width: Int) -> [[Int]] {
    var parts: [[Int]] = []
    var used = 0
    for column in header.indices {
      let room = need(of: column)
      if let last = parts.last, used + Self.gap + room > width, last != [0] {
        parts.append([0])
        used = need(of: 0)
      }
      if parts.isEmpty {
        parts.append([column])
        used = room
      } else {
        parts[parts.count - 1].append(column)
        used += Self.gap + room
      }
    }
    return parts
  }

  private func text(of columns: [Int], within limit: Int) -> String {
    let lines = lines.map { row in columns.map { row[$0] } }
    var widths = columns.indices.map { place in lines.map { $0[place].count }.max() ?? 0 }
    var excess = widths.reduce(0, +) + Self.gap * (widths.count - 1) - limit
    func slack(_ place: Int) -> Int { widths[place] - least(of: columns[place]) }
    for isNumber in [false, true] {
      let cuttable = columns.indices.filter { (alignments[columns[$0]] == .right) == isNumber }
      while excess > 0, let widest = cuttable.max(by: { slack($0) < slack($1) }),
        widths[widest] > least(of: columns[widest])
      {
        let room = widths[widest] - least(of: columns[widest])
        let cut = min(excess, room, max(1, widths[widest] / 4))
        widths[widest] -= cut
        excess -= cut
      }
    }
    return lines.map { row in
      let line = row.indices.map { place in
        Self.fit(row[place], widths[place], alignments[columns[place]])
      }.joined(separator: String(repeating: " ", count: Self.gap))
      return line.replacing(#/ +$/#, with: "")
    }.joined(separator: "\n")
  }

  private static func fit(_ text: String, _ width: Int, _ alignment: Alignment) -> String {
    if text.count > width {
      let room = max(0, width - 1)
      let tail = alignment == .path ? room * 2 / 3 : 0
      return String(text.prefix(room - tail)) + "…" + String(text.suffix(tail))
    }
    let blanks = String(repeating: " ", count: width - text.count)
    return alignment == .right ? blanks + text : text + blanks
  }
}
