import ArgumentParser
import AssayCore

extension Assay {
  /// Runs the program on its arguments; a command that there is not ends it with status 64 and the nearest
  /// one that there is.
  package static func main() {
    if let word = CommandLine.arguments.dropFirst().first, let error = spelling(of: word) {
      exit(withError: error)
    }
    main(nil)
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
