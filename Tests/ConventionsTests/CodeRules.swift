/// The project's rules that can be checked on a file's text.
enum CodeRules {
  /// The maximum number of lines; a longer file should be two files.
  static let longestFile = 500

  /// Names that do not describe the contents.
  static let emptyNames: Set<String> = ["utilities", "helpers", "common", "shared", "extensions"]

  /// Suffixes of type names that do not describe the type.
  static let bannedEndings = [
    "Manager", "Helper", "Util", "Handler", "Info", "Data", "Base", "Impl", "Wrapper",
  ]

  /// Files longer than ``longestFile`` lines.
  static func length(of file: SourceFile) -> [String] {
    let lines = file.text.split(separator: "\n", omittingEmptySubsequences: false)
    let count = lines.last?.isEmpty == true ? lines.count - 1 : lines.count
    return count <= longestFile ? [] : ["\(file.path): \(count) lines, \(longestFile) at most"]
  }

  /// Folders or files with one of the ``emptyNames``, alone or as the part after a `+`.
  static func names(in path: String) -> [String] {
    let words = path.split(separator: "/").flatMap { part in
      part.prefix { $0 != "." }.split(separator: "+")
    }
    return words.filter { emptyNames.contains($0.lowercased()) }.map {
      "\(path): '\($0)' does not describe the contents"
    }
  }

  /// Doc comments that start with a question word, such as "What …" or "Whether …".
  static func commentOpenings(in file: SourceFile) -> [String] {
    let opening = #/^ *\/\/\/ (What|Whether|Where|Who|Whose|Which|How|Why|When)\b/#
    let lines = file.text.split(separator: "\n", omittingEmptySubsequences: false)
    return lines.indices.compactMap { index in
      let isFirst = index == 0 || !lines[index - 1].drop { $0 == " " }.hasPrefix("///")
      guard isFirst, lines[index].drop(while: { $0 == " " }).hasPrefix("///"),
        let match = lines[index].firstMatch(of: opening)
      else { return nil }
      return "\(file.path):\(index + 1): a doc comment opens with \(match.output.1)"
    }
  }

  /// Declared types whose names end in one of the ``bannedEndings``.
  static func typeNames(in file: SourceFile) -> [String] {
    let declaration =
      #/\b(?:struct|class|enum|protocol|actor|typealias|associatedtype)[ \t\n]+`?(\w+)/#
    return file.code.matches(of: declaration).map { String($0.output.1) }.compactMap { name in
      bannedEndings.first(where: name.hasSuffix).map { "\(file.path): \(name) ends in \($0)" }
    }
  }

  /// Calls that would terminate the program on invalid input: `try!`, `as!`, `fatalError`, forced
  /// unwrapping; and Foundation's `deletingLastPathComponent` of `NSString`, for a path of one character.
  static func traps(in file: SourceFile) -> [String] {
    let trap =
      #/\btry!|\bas!|\bfatalError[ \t]*\(|[\w\)\]"?]!(?!=)|NSString\)\.deletingLastPathComponent/#
    return file.code.split(separator: "\n", omittingEmptySubsequences: false).enumerated().flatMap {
      index, line in
      // The regular expression alone takes most of the time.
      ["!", "fatalError", "NSString"].contains(where: line.contains)
        ? line.matches(of: trap).map { "\(file.path):\(index + 1): \($0.output)" } : []
    }
  }

  /// Comparisons with one task, which the compiler does not report when a task is added: the others
  /// silently count as different. A task's own code implements a protocol; all other code checks
  /// the form of its output or switches over all tasks.
  static func taskComparisons(in file: SourceFile) -> [String] {
    let comparison = #/\b(?:\w*[tT]ask)[ \t]*(?:==|!=)[ \t]*(?:ModelTask)?\.\w+/#
      .wordBoundaryKind(.simple)
    return file.code.split(separator: "\n", omittingEmptySubsequences: false).enumerated().flatMap {
      index, line in
      line.matches(of: comparison).map { "\(file.path):\(index + 1): \($0.output)" }
    }
  }

  /// Switches over a task with a `default:`, for the same reason.
  static func taskDefaults(in file: SourceFile) -> [String] {
    let statement = #/switch [^{\n]*\b[tT]ask[ \t]*\{(?:[^{}]|\{[^{}]*\})*?\bdefault:/#
      .wordBoundaryKind(.simple)
    return file.code.matches(of: statement).map { _ in
      "\(file.path): a switch over a task has a default"
    }
  }
}
