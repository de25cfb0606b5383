import ArgumentParser
import AssayCore
import Foundation

extension Assay {
  /// Runs the program with its arguments; an unknown command ends it with status 64 and a
  /// suggestion of the nearest command.
  package static func main() -> Never {
    Output.reserveDescriptors()
    do {
      let words = CommandLine.arguments.dropFirst()
      if let word = words.first, let error = spelling(of: word) { throw error }
      if words.count == 2, words.first == "help", let topic = try topic(of: words[2]) {
        try Output.write(topic, to: .standardOutput)
        Foundation.exit(0)
      }
      var command = try parseAsRoot()
      try command.run()
    } catch {
      end(with: error)
    }
    Foundation.exit(0)
  }

  /// Ends the program with an error's text and status; help and version are errors in this sense,
  /// too.
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

  /// Returns the document of a topic, as `assay help` prints it; `nil` if the word is a command or an option.
  ///
  /// - Throws: `ValidationError` if it is none of these, ``HelpError``.
  private static func topic(of word: String) throws -> String? {
    guard !word.hasPrefix("-"), !commandNames.contains(word) else { return nil }
    guard let topic = HelpTopic(rawValue: word) else {
      let suggestion = NearMiss.suggestion(
        for: word, among: commandNames + HelpTopic.allCases.map(\.rawValue))
      throw ValidationError(
        "unknown command or topic “\(Terminal.safe(word))”"
          + (suggestion.map { "; did you mean “\($0)”?" } ?? "") + "\nTopics:\n\(HelpTopic.list)")
    }
    let link = "/proc/self/exe"
    let program = (try? FileManager.default.destinationOfSymbolicLink(atPath: link)) ?? link
    let width = min(Terminal.attached(to: STDOUT_FILENO).width, 100)
    return MarkdownText(try topic.markdown(besides: program)).text(in: Terminal(width: width))
      + "\n"
  }

  static var commandNames: [String] {
    // Not a key path: the compiler crashes on one through the metatype (Swift 6.3.1).
    configuration.subcommands.compactMap { $0.configuration.commandName }
  }

  /// The error in the program's first argument; `nil` if it is a command or an option.
  static func spelling(of word: String) -> ValidationError? {
    let names = commandNames
    guard !word.hasPrefix("-"), word != "help", !names.contains(word) else { return nil }
    let suggestion = NearMiss.suggestion(for: word, among: names)
    return ValidationError(
      "unknown command “\(Terminal.safe(word))”"
        + (suggestion.map { "; did you mean “\($0)”?" } ?? "; commands are "
          + names.joined(separator: ", ")))
  }
}
