/// A small table of text: columns aligned, the widest ones cut with "…" where the terminal is too narrow.
package struct TextTable: Sendable {
  /// How a column's cells stand, and where they are cut: paths stand left and keep their end, which tells
  /// them apart.
  package enum Alignment: Sendable { case left, right, path }

  private let header: [String]
  private let alignments: [Alignment]
  private var rows: [[String]] = []

  /// - Parameter columns: name and alignment of each; numbers stand right.
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

  /// The lines of the table, joined by line feeds, without one at the end.
  package func text(in terminal: Terminal) -> String {
    let all = [header] + rows
    var widths = header.indices.map { column in all.map { $0[column].count }.max() ?? 0 }
    let gap = 2
    var excess = widths.reduce(0, +) + gap * (widths.count - 1) - terminal.width
    while excess > 0, let widest = widths.indices.max(by: { widths[$0] < widths[$1] }),
      widths[widest] > 8
    {
      let cut = min(excess, widths[widest] - 8, max(1, widths[widest] / 4))
      widths[widest] -= cut
      excess -= cut
    }
    return all.map { row in
      let line = row.indices.map { column in
        Self.fit(row[column], widths[column], alignments[column])
      }.joined(separator: String(repeating: " ", count: gap))
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
