/// Prose that keeps to the width of a terminal.
enum Paragraph {
  /// The text broken at blanks into lines of at most `terminal.width` columns, later lines two columns in;
  /// control characters made visible. A word longer than a line stays whole.
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
}
