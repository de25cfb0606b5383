/// A program that computes a model's outputs, as a manifest's `runner` names it: words, without a shell.
package struct RunnerCommand: Hashable, Sendable {
  /// The program and its arguments, at least one; ``modelMark`` stands for the model file's path.
  package let words: [String]

  /// Stands for the absolute path of the model file.
  package static let modelMark = "{model}"
  /// The maximum number of words.
  package static let wordLimit = 256

  package init(words: [String]) { self.words = words }

  /// Splits a text at blanks, as a shell does it: quoted text is one word, a backslash protects the next
  /// character. Nothing is expanded.
  ///
  /// - Returns: `nil` for an empty text, an open quotation mark, or too many words.
  package init?(_ text: String) {
    var words: [String] = []
    var word: String?
    var quote: Character?
    var isProtected = false
    for character in text {
      if isProtected {
        word = (word ?? "") + String(character)
        isProtected = false
      } else if character == "\\", quote != "'" {
        isProtected = true
      } else if let mark = quote {
        if character == mark { quote = nil } else { word = (word ?? "") + String(character) }
      } else if character == "'" || character == "\"" {
        quote = character
        word = word ?? ""
      } else if character.isWhitespace {
        if let whole = word { words.append(whole) }
        word = nil
      } else {
        word = (word ?? "") + String(character)
      }
    }
    guard quote == nil, !isProtected else { return nil }
    if let word { words.append(word) }
    guard let first = words.first, !first.isEmpty, words.count <= Self.wordLimit else { return nil }
    self.words = words
  }

  /// The command as a person would type it.
  package var text: String {
    words.map { word in
      let isPlain = word.unicodeScalars.allSatisfy {
        $0.properties.isAlphabetic || $0.properties.numericType != nil
          || "-_./{}=:,@+%".unicodeScalars.contains($0)
      }
      if isPlain, !word.isEmpty { return word }
      return "'"
        + word.split(separator: "'", omittingEmptySubsequences: false)
        .joined(separator: "'\\''") + "'"
    }.joined(separator: " ")
  }

  /// The words with the model's path in place of ``modelMark``.
  func arguments(model: String) -> [String] {
    words.map { word in
      word.split(separator: Self.modelMark, omittingEmptySubsequences: false)
        .joined(separator: model)
    }
  }
}

/// A command that may run, in its folder.
package struct RunnerProgram: Hashable, Sendable {
  package let command: RunnerCommand
  /// The absolute path of the folder that relative paths in the command refer to.
  package let folder: String
  /// The name for people.
  package let title: String

  /// - Parameter title: `nil` for the command.
  package init(command: RunnerCommand, folder: String, title: String? = nil) {
    self.command = command
    self.folder = folder
    self.title = title ?? command.text
  }
}
