/// The subcommands as declared in the sources.
struct CommandTree {
  /// A type with a configuration: its name on the command line and the types of its subcommands.
  struct Node {
    var type: String
    var name: String
    var children: [String]
  }

  private(set) var nodes: [Node] = []

  /// Reads the declarations of command types: a type's name, then its `CommandConfiguration(…)`.
  ///
  /// Without `commandName:` a command's name is that of its type, in lower case with hyphens.
  init(_ files: [SourceFile]) {
    let pattern = #/\b(?:struct|enum|class)\s+(\w+)\s*:[^{]*\bParsable(?:Command|Arguments)\b/#
    for file in files {
      let starts = file.text.matches(of: pattern)
      for (index, match) in starts.enumerated() {
        let end = index + 1 < starts.count ? starts[index + 1].range.lowerBound : file.text.endIndex
        let body = file.text[match.range.upperBound..<end]
        guard body.contains("CommandConfiguration(") else { continue }
        let type = String(match.output.1)
        let stated = body.firstMatch(of: #/commandName:\s*"([^"]+)"/#)
        let children = body.firstMatch(of: #/subcommands:\s*\[([^\]]*)\]/#)
        nodes.append(
          Node(
            type: type, name: stated.map { String($0.output.1) } ?? Self.hyphenated(type),
            children: (children?.output.1 ?? "").matches(of: #/(\w+)\.self/#).map {
              String($0.output.1)
            }))
      }
    }
  }

  /// Every command's full spelling below the root: `assay model add`; sorted. Commands with
  /// subcommands are left out: their subcommands represent them.
  var spellings: [String] {
    let byType = Dictionary(nodes.map { ($0.type, $0) }) { first, _ in first }
    func below(_ node: Node, _ prefix: String, _ depth: Int) -> [String] {
      let spelling = prefix.isEmpty ? node.name : "\(prefix) \(node.name)"
      if node.children.isEmpty || depth > 8 { return [spelling] }
      return node.children.compactMap { byType[$0] }.flatMap { below($0, spelling, depth + 1) }
    }
    let called = Set(nodes.flatMap(\.children))
    return nodes.filter { !called.contains($0.type) }.flatMap { below($0, "", 0) }.sorted()
  }

  private static func hyphenated(_ type: String) -> String {
    var out = ""
    for character in type {
      if character.isUppercase, !out.isEmpty { out += "-" }
      out += character.lowercased()
    }
    return out
  }
}
