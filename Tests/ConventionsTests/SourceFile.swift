import Foundation
import Synchronization

/// A text file of this package, as seen by the rules.
struct SourceFile {
  /// The path relative to the package's root, with `/`.
  var path: String
  var text: String

  /// The text of a Swift file with comments and the contents of literals blanked and line breaks
  /// kept.
  var code: String {
    // Several rules read all files.
    if let known = Self.codes.withLock({ $0[text] }) { return known }
    let code = SwiftCode.blanked(text)
    Self.codes.withLock { $0[text] = code }
    return code
  }

  private static let codes = Mutex<[String: String]>([:])

  /// The name of the folder below `Sources` or `Tests`; `nil` elsewhere.
  var target: String? {
    let parts = path.split(separator: "/")
    guard parts.count > 2, parts[0] == "Sources" || parts[0] == "Tests" else { return nil }
    return String(parts[1])
  }

  /// The file's name without its extension.
  var stem: String {
    let name = path.split(separator: "/").last ?? ""
    return String(name.prefix { $0 != "." })
  }
}

/// The files of this package, located relative to this file.
enum PackageFiles {
  static let root = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// The paths below a folder of the root, sorted, without hidden ones; empty if it does not exist.
  static func paths(below folder: String) -> [String] {
    let base = root.appending(path: folder).path
    let found = FileManager.default.enumerator(atPath: base).map { $0.compactMap { $0 as? String } }
    return (found ?? []).filter { path in
      !path.split(separator: "/").contains { $0.hasPrefix(".") || $0 == "__pycache__" }
    }.map { "\(folder)/\($0)" }.sorted()
  }

  /// The Swift files below some folders of the root.
  static func swift(below folders: String...) throws -> [SourceFile] {
    try folders.flatMap(paths).filter { $0.hasSuffix(".swift") }.map(file)
  }

  static func file(_ path: String) throws -> SourceFile {
    let text = try String(contentsOf: root.appending(path: path), encoding: .utf8)
    return SourceFile(path: path, text: text)
  }

  static func exists(_ path: String) -> Bool {
    FileManager.default.fileExists(atPath: root.appending(path: path).path)
  }
}
