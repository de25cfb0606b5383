import AssayCore
import CProgram

/// The version of the program, and the commit of the sources that it was built from.
enum ProgramVersion {
  /// The version, which is stored with runs.
  static let number = "0.1.0"

  /// The commit; `nil` for programs that `make` did not build.
  static let commit = BuildCommit(String(cString: assay_commit()))

  /// The version with the commit: `0.1.0 (31f70d56)`.
  static var text: String { text(of: commit) }

  static func text(of commit: BuildCommit?) -> String {
    number + (commit.map { " (\($0.text))" } ?? "")
  }

  /// The answer to `--version` among these arguments: a line, or JSON with `--json`.
  static func answer(to arguments: [String], commit: BuildCommit? = commit) -> String {
    guard arguments.contains("--json") else { return "assay " + text(of: commit) }
    return JSONValue.object([
      .init("version", .string(number)), .init("commit", JSONValue(commit?.hash)),
      .init("dirty", commit.map { .bool($0.isDirty) } ?? .null),
    ]).text()
  }
}

/// A commit of the sources.
struct BuildCommit: Hashable, Sendable {
  /// The whole hash.
  let hash: String
  /// True if the sources had changes that were not committed.
  let isDirty: Bool

  /// The first digits, with `-dirty`.
  var text: String { hash.prefix(8) + (isDirty ? "-dirty" : "") }

  /// Reads the text that is written into programs; `nil` for other texts.
  init?(_ text: String) {
    guard let match = text.wholeMatch(of: /([0-9a-f]{40}|[0-9a-f]{64})(-dirty)?/) else {
      return nil
    }
    hash = String(match.1)
    isDirty = match.2 != nil
  }
}
