import AssayTestSupport
import Foundation
import Testing

/// The golden files: the expected output of the program, compared byte by byte or rewritten.
enum GoldenFile {
  static let data = PackageFolder.fixture("goldens/data").path
  static let expected = PackageFolder.fixture("goldens/expected").path
  static let metrics = PackageFolder.fixture("metrics").path

  /// The command that rewrites every golden file with the program's current output.
  static let rewriting = "ASSAY_REWRITE_GOLDENS=1 swift test --filter GoldenTests"
  /// True if golden files are written and not compared: under `ASSAY_REWRITE_GOLDENS=1`.
  static var isRewriting: Bool {
    ProcessInfo.processInfo.environment["ASSAY_REWRITE_GOLDENS"] == "1"
  }

  /// The paths of all golden files, relative to ``expected``.
  static var paths: [String] {
    (FileManager.default.enumerator(atPath: expected)?.compactMap { $0 as? String } ?? [])
      .filter { ($0 as NSString).pathExtension != "" }.sorted()
  }

  static func text(of path: String) throws -> String {
    try String(contentsOfFile: expected + "/" + path, encoding: .utf8)
  }

  /// Compares a text with a golden file, or writes the file if ``isRewriting``.
  static func check(_ text: String, _ path: String) throws {
    let full = expected + "/" + path
    let bytes = FileManager.default.contents(atPath: full)
    if bytes == Data(text.utf8) { return }
    if isRewriting {
      try FileManager.default.createDirectory(
        atPath: (full as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
      try Data(text.utf8).write(to: URL(fileURLWithPath: full), options: .atomic)
    } else {
      Issue.record(
        "\(difference(from: bytes.map { String(decoding: $0, as: UTF8.self) }, to: text, path))")
    }
  }

  /// The first lines that differ, and the command to accept them.
  ///
  /// - Parameter golden: `nil` if there is no golden file.
  static func difference(from golden: String?, to text: String, _ path: String) -> String {
    let accept = "to accept what the program prints now: \(rewriting); then review git diff"
    guard let golden else {
      return "there is no golden file \(path)\n\(accept)"
    }
    let old = golden.split(separator: "\n", omittingEmptySubsequences: false)
    let new = text.split(separator: "\n", omittingEmptySubsequences: false)
    let same = zip(old, new).prefix { $0 == $1 }.count
    let most = min(old.count, new.count) - same
    let tail = zip(old.reversed(), new.reversed()).prefix(most).prefix { $0 == $1 }.count
    var lines = ["\(path) differs from line \(same + 1) on (− golden file, + program):"]
    lines += old[max(0, same - 2)..<same].map { "    " + $0.prefix(160) }
    // The lines in between, as far as they are printed.
    let between = (
      Array(old[same..<(old.count - tail)].prefix(40)),
      Array(new[same..<(new.count - tail)].prefix(40))
    )
    let changes = between.1.difference(from: between.0)
    let first = changes.insertions.first.map(Self.line) ?? ""
    let removed = changes.removals.first.map(Self.line) ?? ""
    let column = max(0, zip(removed, first).prefix { $0 == $1 }.count - 60)
    lines += changes.removals.prefix(8).map { "  − " + Self.clipped(Self.line($0), column) }
    lines += changes.insertions.prefix(8).map { "  + " + Self.clipped(Self.line($0), column) }
    return (lines + [accept]).joined(separator: "\n")
  }

  private static func line(_ change: CollectionDifference<Substring>.Change) -> Substring {
    switch change {
    case .insert(_, let element, _), .remove(_, let element, _): element
    }
  }

  /// At most 160 characters of a line, starting at a column if the line is longer.
  private static func clipped(_ line: Substring, _ column: Int) -> String {
    guard line.count > 160 else { return String(line) }
    return (column > 0 ? "…" : "") + line.dropFirst(column).prefix(160) + "…"
  }
}
