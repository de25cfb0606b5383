/// The shape of a YAML text, checked before a parser reads it.
///
/// A parser recurses for each level, and a few lines of anchors can represent billions of nodes.
package enum YAMLShape {
  /// A reason not to parse a text.
  package enum Problem: Hashable, Sendable {
    /// An anchor: `&name`.
    case anchor
    /// More than ``YAMLShape/depthLimit`` levels.
    case tooDeep
  }

  /// The maximum nesting that is parsed.
  package static let depthLimit = 64

  /// The first problem of a text and its 1-based line; `nil` if it can be parsed.
  ///
  /// Lines that are comments do not count. Quoted text does: it is not told from other text.
  package static func problem(in text: String) -> (line: Int, problem: Problem)? {
    var open = 0
    for (index, line) in lines(of: text.utf8).enumerated() {
      let indent = line.prefix { " -?".utf8.contains($0) }.count
      if line.dropFirst(indent).first == UInt8(ascii: "#") { continue }
      if startsAnchor(line) { return (index + 1, .anchor) }
      for byte in line {
        if byte == UInt8(ascii: "[") || byte == UInt8(ascii: "{") { open += 1 }
        if byte == UInt8(ascii: "]") || byte == UInt8(ascii: "}") { open -= 1 }
        if open > depthLimit { break }
      }
      if open > depthLimit || indent > 2 * depthLimit { return (index + 1, .tooDeep) }
    }
    return nil
  }

  /// The lines as YAML counts them: they end at `\n`, `\r\n`, `\r`, U+0085, U+2028 and U+2029.
  private static func lines(of text: String.UTF8View) -> [Substring.UTF8View] {
    var lines: [Substring.UTF8View] = []
    var (start, place) = (text.startIndex, text.startIndex)
    var (last, lastButOne) = (UInt8(0), UInt8(0))
    while place < text.endIndex {
      let byte = text[place]
      let next = text.index(after: place)
      if byte == UInt8(ascii: "\n"), last == UInt8(ascii: "\r") {
        start = next
      } else if byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r")
        || (last, byte) == (0xC2, 0x85)
        || (lastButOne, last) == (0xE2, 0x80) && (byte == 0xA8 || byte == 0xA9)
      {
        lines.append(text[start..<place])
        start = next
      }
      (lastButOne, last, place) = (last, byte, next)
    }
    lines.append(text[start...])
    return lines
  }

  /// Returns whether an `&` is at a position where YAML reads an anchor: after a blank or a
  /// bracket, before a name.
  private static func startsAnchor(_ line: Substring.UTF8View) -> Bool {
    var (last, lastButOne) = (UInt8(ascii: " "), UInt8(ascii: " "))
    for byte in line {
      let isName = byte > 0x20 && byte != UInt8(ascii: "&")
      if last == UInt8(ascii: "&"), isName, " [{,\t-".utf8.contains(lastButOne) { return true }
      (lastButOne, last) = (last, byte)
    }
    return false
  }
}
