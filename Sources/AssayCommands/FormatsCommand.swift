package import ArgumentParser
import AssayCore
import AssayWorkflows

/// `assay formats`: lists the formats that can be imported, and which of them are written.
package struct FormatsCommand: ParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "formats",
    abstract:
      "List the formats that can be imported, how each is recognized, and what is lost if it is written."
  )

  @OptionGroup package var options: GlobalOptions

  package init() {}

  package func run() throws {
    try options.perform { _ in FormatsResult(entries: FormatList.entries) }
  }
}

/// The formats.
struct FormatsResult: CommandResult {
  var entries: [FormatList.Entry]

  var json: JSONValue {
    [
      "formats": .array(
        entries.map {
          [
            "name": .string($0.format.rawValue), "summary": .string($0.summary),
            "recognized_by": .string($0.recognizedBy), "written": .bool($0.notHeld != nil),
            "not_held": $0.notHeld.map { .array($0.map { .string($0) }) } ?? .null,
          ]
        })
    ]
  }

  func text(in terminal: Terminal) -> String {
    let width = entries.map(\.format.rawValue.count).max() ?? 0
    return entries.map { entry in
      let name = entry.format.rawValue
      let room = terminal.width - width - 2
      let lines =
        Self.wrapped(entry.summary, room)
        + Self.wrapped("recognized by " + entry.recognizedBy, room)
        + (entry.notHeld.map {
          Self.wrapped(
            "written"
              + ($0.isEmpty ? "" : " without " + $0.joined(separator: ", ")), room)
        } ?? [])
      let blank = "\n" + String(repeating: " ", count: width + 2)
      return name + String(repeating: " ", count: width - name.count + 2)
        + lines.joined(separator: blank)
    }.joined(separator: "\n")
      + "\nThe first match is used; assay import PATH:FORMAT overrides it."
  }

  /// A text in lines of at most `width` columns, broken at blanks.
  private static func wrapped(_ text: String, _ width: Int) -> [String] {
    var lines = [""]
    for word in text.split(separator: " ") {
      let last = lines[lines.count - 1]
      if last.isEmpty {
        lines[lines.count - 1] = String(word)
      } else if last.count + 1 + word.count <= width {
        lines[lines.count - 1] += " " + word
      } else {
        lines.append(String(word))
      }
    }
    return lines
  }
}
