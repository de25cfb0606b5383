import ArgumentParser
import Foundation
import Testing

@testable import AssayCommands

@Suite("Command reference")
struct ReferenceTests {
  /// Every command below `command`, itself left out.
  private static func commands(
    below command: any ParsableCommand.Type, path: [String] = ["assay"]
  ) -> [(path: [String], command: any ParsableCommand.Type)] {
    command.configuration.subcommands.flatMap { child in
      let path = path + [child._commandName]
      return [(path, child)] + commands(below: child, path: path)
    }
  }

  private static let readme = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("README.md")

  @Test("README holds the help of every command, word for word")
  func readmeIsTrue() throws {
    let readme = try String(contentsOf: Self.readme, encoding: .utf8)
    let commands = Self.commands(below: Assay.self)
    #expect(commands.count > 15)
    for (path, command) in commands {
      let title = "### " + path.joined(separator: " ") + "\n"
      let help = Assay.helpMessage(for: command, columns: 80)
        .trimmingCharacters(in: .whitespacesAndNewlines)
      #expect(
        readme.contains(title) && readme.contains(help),
        "\(path.joined(separator: " ")): run Scripts/reference after the build")
    }
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
