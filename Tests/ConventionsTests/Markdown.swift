/// A Markdown document as far as its links and headings go.
///
/// Fenced and indented code and code within a line hold neither.
struct Markdown {
  /// A link, or an image.
  struct Link: Hashable {
    /// The path as written, relative to the document's folder; empty for the document itself.
    var path: String
    /// Behind the `#`; `nil` where there is none.
    var anchor: String?
    /// From 1.
    var line: Int
  }

  /// Links to files and anchors; those to other sites left out.
  private(set) var links: [Link] = []
  /// The anchors of the headings, as GitHub makes them.
  private(set) var anchors: Set<String> = []

  init(_ text: String) {
    var isFenced = false
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() {
      if line.hasPrefix("```") {
        isFenced.toggle()
        continue
      }
      guard !isFenced, !line.hasPrefix("    ") else { continue }
      if let heading = line.firstMatch(of: #/^#{1,6} (.+)$/#) {
        addAnchor(String(heading.output.1))
      }
      let prose = line.replacing(#/`[^`]*`/#, with: "")
      for match in prose.matches(of: #/\]\(([^)\s]+)\)/#) {
        let target = match.output.1
        guard !target.contains(":") else { continue }
        let parts = target.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
        links.append(
          Link(
            path: String(parts[0]), anchor: parts.count > 1 ? String(parts[1]) : nil,
            line: index + 1))
      }
    }
  }

  /// An anchor that is taken gets `-1`, `-2`, … behind it.
  private mutating func addAnchor(_ heading: String) {
    let base = Self.anchor(of: heading)
    var anchor = base
    var number = 0
    while anchors.contains(anchor) {
      number += 1
      anchor = "\(base)-\(number)"
    }
    anchors.insert(anchor)
  }

  /// The anchor of a heading: lower case, hyphens for blanks, without other signs.
  static func anchor(of heading: String) -> String {
    let text = heading.replacing(#/\[([^\]]*)\]\([^)]*\)/#) { $0.output.1 }
    return String(
      text.lowercased().compactMap { character -> Character? in
        if character == " " { return "-" }
        return character.isLetter || character.isNumber || "-_".contains(character)
          ? character : nil
      })
  }

  /// The path that a link of a document leads to, relative to the root; `nil` where it leaves the root.
  static func target(of path: String, in document: String) -> String? {
    guard !path.isEmpty else { return document }
    var parts = document.split(separator: "/").dropLast().map(String.init)
    for part in path.split(separator: "/") where part != "." {
      if part != ".." {
        parts.append(String(part))
      } else if parts.popLast() == nil {
        return nil
      }
    }
    return parts.joined(separator: "/")
  }

  /// The links of a document that lead to no file, or to no heading.
  ///
  /// - Parameters:
  ///   - documents: all documents, by path.
  ///   - exists: whether a path below the root is there.
  static func brokenLinks(
    of path: String, in documents: [String: Markdown], exists: (String) -> Bool
  ) -> [String] {
    (documents[path]?.links ?? []).compactMap { link in
      let place = "\(path):\(link.line): "
      guard let target = target(of: link.path, in: path), exists(target) else {
        return place + "there is no \(link.path)"
      }
      guard let anchor = link.anchor, let document = documents[target] else { return nil }
      return document.anchors.contains(anchor) ? nil : place + "\(target) has no #\(anchor)"
    }
  }
}
