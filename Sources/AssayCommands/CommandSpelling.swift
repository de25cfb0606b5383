import ArgumentParser
import AssayCore
import Foundation

extension Assay {
  /// Runs the program on its arguments; a command that there is not ends it with status 64 and the nearest
  /// one that there is.
  package static func main() -> Never {
    Output.reserveDescriptors()
    do {
      if let word = CommandLine.arguments.dropFirst().first, let error = spelling(of: word) {
        throw error
      }
      var command = try parseAsRoot()
      try command.run()
    } catch {
      end(with: error)
    }
    Foundation.exit(0)
  }

  /// Ends the program with an error's text and status; help and version are such errors, too.
  private static func end(with error: any Error) -> Never {
    let status = exitCode(for: error)
    let text = fullMessage(for: error)
    do {
      if !text.isEmpty {
        try Output.write(text + "\n", to: status.isSuccess ? .standardOutput : .standardError)
      }
    } catch {
      Output.report(error)
      Foundation.exit(Output.unwritableStatus)
    }
    Foundation.exit(status.rawValue)
  }

  /// What is wrong with the program's first argument; `nil` where it is a command or an option.
  static func spelling(of word: String) -> ValidationError? {
    var names: [String] = []
    for command in configuration.subcommands {
      if let name = command.configuration.commandName { names.append(name) }
    }
    guard !word.hasPrefix("-"), word != "help", !names.contains(word) else { return nil }
    let suggestion = NearMiss.suggestion(for: word, among: names)
    return ValidationError(
      "there is no command “\(Terminal.safe(word))”"
        + (suggestion.map { "; did you mean “\($0)”?" } ?? "; there are "
          + names.joined(separator: ", ")))
  }
}
