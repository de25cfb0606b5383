import Yams

extension ManifestSection {
  /// The first line of a draft that is still marked, without its mark.
  ///
  /// A line that is all comment is marked where it begins with the mark; one that only speaks of it, as
  /// the head of a draft may, is not.
  static func openPoint(_ text: String) -> (line: Int, text: String)? {
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    for (index, line) in lines.enumerated() {
      guard let mark = line.firstRange(of: "# ?") else { continue }
      let point = line[..<mark.lowerBound].trimmingPrefix(while: \.isWhitespace)
      if point.hasPrefix("#") { continue }
      let remark = line[mark.upperBound...].trimmingPrefix(while: \.isWhitespace)
      return (
        index + 1, String((point.isEmpty ? remark : point).prefix(80)).trimmingTrailingBlanks
      )
    }
    return nil
  }

  /// Refuses what would make the parser recurse or expand without end: deep nesting, and anchors, of
  /// which a few lines can stand for billions of nodes. Quoted texts are not told apart, which no
  /// manifest minds.
  static func checkShape(_ text: String) throws(LocatedManifestFault) {
    var open = 0
    var number = 0
    for line in text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
      number += 1
      var indent = 0
      for byte in line {
        if byte == UInt8(ascii: " ") || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "?") {
          indent += 1
        } else {
          break
        }
      }
      if startsAnchor(line) { throw LocatedManifestFault(line: number, fault: .anchor) }
      for byte in line {
        if byte == UInt8(ascii: "[") || byte == UInt8(ascii: "{") { open += 1 }
        if byte == UInt8(ascii: "]") || byte == UInt8(ascii: "}") { open -= 1 }
        if open > depthLimit { break }
      }
      if open > depthLimit || indent > 2 * depthLimit {
        throw LocatedManifestFault(line: number, fault: .tooDeep(limit: depthLimit))
      }
    }
  }

  /// Whether an `&` stands where YAML reads an anchor: after a blank or a bracket, before a name.
  private static func startsAnchor(_ line: Substring.UTF8View) -> Bool {
    var (last, lastButOne) = (UInt8(ascii: " "), UInt8(ascii: " "))
    for byte in line {
      if last == UInt8(ascii: "&"), byte > 0x20, " [{,\t-".utf8.contains(lastButOne) { return true }
      (lastButOne, last) = (last, byte)
    }
    return false
  }

  /// What the parser says, with its line where it knows one.
  static func complaint(_ error: YamlError) -> LocatedManifestFault {
    switch error {
    case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
      .composer(_, let problem, let mark, _):
      LocatedManifestFault(line: mark.line, fault: .syntax(problem))
    case .duplicatedKeysInMapping(let duplicates, let context):
      LocatedManifestFault(line: context.mark.line, fault: .repeatedKey(duplicates.first ?? "?"))
    default:
      LocatedManifestFault(line: nil, fault: .syntax("\(error)"))
    }
  }
}

extension String {
  fileprivate var trimmingTrailingBlanks: String {
    var text = self
    while text.last?.isWhitespace == true { text.removeLast() }
    return text
  }
}
