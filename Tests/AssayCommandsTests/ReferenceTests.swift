import ArgumentParser
import AssayTestSupport
import Foundation
import Testing

import AssayCommands

@Suite("Command reference")
struct ReferenceTests {
  /// Every command below `command`, without the command itself.
  private static func commands(
    below command: any ParsableCommand.Type, path: [String] = ["assay"]
  ) -> [(path: [String], command: any ParsableCommand.Type)] {
    command.configuration.subcommands.flatMap { child in
      let path = path + [child._commandName]
      return [(path, child)] + commands(below: child, path: path)
    }
  }

  private static let document = PackageFolder.url("Docs/Commands.md")

  @Test("Docs/Commands.md holds the help of every command, word for word, and no other")
  func referenceIsTrue() throws {
    let text = try String(contentsOf: Self.document, encoding: .utf8)
    let commands = Self.commands(below: Assay.self)
    #expect(commands.count > 15)
    for (path, command) in commands {
      let name = path.joined(separator: " ")
      let help = Assay.helpMessage(for: command, columns: 80)
        .trimmingCharacters(in: .whitespacesAndNewlines)
      // Evaluated outside the expectation, which would print the whole document.
      let isThere = text.contains("\n## \(name)\n\n```\n\(help)\n```\n")
      #expect(isThere, "\(name): run Scripts/reference after the build")
      let isListed = text.contains("- [\(name)](#\(path.joined(separator: "-")))\n")
      #expect(isListed, "\(name): it is not in the contents")
    }
    let headings = text.matches(of: #/(?m)^## assay .*$/#).count
    #expect(headings == commands.count)
  }

  @Test("Every command takes --db, --json and --quiet, and says what it is for")
  func everyCommand() {
    for (path, command) in Self.commands(below: Assay.self)
    where command.configuration.subcommands.isEmpty {
      let help = Assay.helpMessage(for: command, columns: 80)
      for option in ["--db", "--json", "--quiet"] {
        #expect(help.contains(option), "\(path.joined(separator: " ")) lacks \(option)")
      }
      #expect(!command.configuration.abstract.isEmpty, "\(path.joined(separator: " "))")
    }
  }
}
