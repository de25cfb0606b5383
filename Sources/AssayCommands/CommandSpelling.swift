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
    let text = spelled(fullMessage(for: error))
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

  /// A message about wrong usage, which says how a command takes its dataset, view or run where an option or an
  /// argument of another command was given.
  static func spelled(_ text: String) -> String {
    guard let first = text.split(separator: "\n").first,
      let usage = text.split(separator: "\n").first(where: { $0.hasPrefix("Usage: assay ") })
    else { return text }
    let command = usage.dropFirst("Usage: ".count).split(separator: " ").prefix {
      !$0.hasPrefix("[") && !$0.hasPrefix("<") && !$0.hasPrefix("-")
    }.joined(separator: " ")
    let takesView = usage.contains("<view>") || usage.contains("<dataset>")
    let takesRun = usage.contains("<run>") || usage.contains("<runs>") || usage.contains("<a> <b>")
    // The usage of commands with many options does not list them.
    let viewIsOption = command == "assay query" || usage.contains("--in <")
    var hint: String?
    if first.hasPrefix("Error: Unknown option '--in'")
      || first.hasPrefix("Error: Unknown option '--view'")
    {
      if viewIsOption {
        hint = "\(command) takes the dataset or view as --in VIEW"
      } else if takesView {
        hint = "\(command) takes the dataset or view as an argument: \(command) VIEW …"
      } else if usage.contains("<subjects>") {
        hint = "\(command) takes datasets, views and runs as arguments: \(command) VIEW …"
      } else if takesRun {
        hint = "\(command) takes a run, which has its own samples: \(command) RUN …"
      }
    } else if first.hasPrefix("Error: Unknown option '--run'"),
      takesRun || usage.contains("<subjects>")
    {
      hint =
        usage.contains("<a> <b>")
        ? "\(command) takes two runs as arguments: \(command) RUN RUN"
        : "\(command) takes the run as an argument: \(command) RUN …"
    } else if first.lowercased().contains("unexpected argument"), viewIsOption {
      hint = "\(command) takes the dataset or view as --in VIEW"
    }
    guard let hint else { return text }
    let plain = first.split(separator: ". Did you mean").first ?? first
    return "\(plain)\n\(hint)" + text.dropFirst(first.count)
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
