import AssayCore
import AssayFormats
import Foundation

/// A list of classes as an option gives it: `A,B,…`, or a text file with one class per line.
package struct ClassListText: Sendable {
  /// The names in order; none is empty or occurs twice.
  package private(set) var names: [String] = []
  /// The files that were read, as typed.
  package private(set) var files: [String] = []

  private static let fileLimit = 4 << 20
  /// Suffixes of files that hold lists of classes.
  private static let suffixes = [".txt", ".names", ".csv", ".tsv", ".json", ".yaml", ".yml"]

  /// A list that cannot be used, and the reason, one clause.
  package struct Problem: Error, CustomStringConvertible {
    package let description: String
  }

  /// - Parameter texts: the values of `--classes`, one after another.
  /// - Throws: ``Problem`` for an empty or repeated name, and for a text that is neither a list nor a file.
  package init(_ texts: [String]) throws {
    for text in texts { try add(text) }
    var seen: Set<String> = []
    if let twice = names.first(where: { !seen.insert($0).inserted }) {
      throw Problem(description: "--classes: “\(twice)” occurs twice")
    }
  }

  private mutating func add(_ text: String) throws {
    let found: [String]
    var place = "name"
    if let tree = try? DirectoryTree(text), tree.isSingleFile {
      found = try Self.lines(of: tree, text)
      files.append(text)
      place = "line"
    } else {
      found = text.split(separator: ",", omittingEmptySubsequences: false).map {
        $0.trimmingCharacters(in: .whitespaces)
      }
      if found.count == 1 { try Self.checkIsNoPath(text) }
    }
    if found.allSatisfy(\.isEmpty) {
      throw Problem(
        description: text.isEmpty
          ? "--classes: the list is empty" : "--classes: there is no name in “\(text)”")
    }
    if let empty = found.firstIndex(of: "") {
      throw Problem(
        description: "--classes: \(place) \(empty + 1) is empty"
          + (place == "line" ? " in \(text)" : ""))
    }
    names += found
  }

  private static func lines(of tree: DirectoryTree, _ text: String) throws -> [String] {
    let bytes = try tree.readAll(tree.name, limit: fileLimit)
    guard let content = String(ofFile: bytes) else {
      throw Problem(description: "--classes: \(text) is not a text file")
    }
    var lines = content.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
      .map { $0.trimmingCharacters(in: .whitespaces) }
    while lines.last?.isEmpty == true { lines.removeLast() }
    guard !lines.isEmpty else {
      throw Problem(description: "--classes: \(text) is empty; it has one class per line")
    }
    return lines
  }

  /// Refuses one name that was meant to be a file.
  private static func checkIsNoPath(_ text: String) throws {
    var isFolder: ObjCBool = false
    let exists = FileManager.default.fileExists(atPath: text, isDirectory: &isFolder)
    if text.contains("/") {
      throw Problem(
        description: exists && isFolder.boolValue
          ? "--classes: \(text) is a folder; name a file with one class per line"
          : "--classes: there is no file \(text)")
    }
    guard suffixes.contains(where: { text.lowercased().hasSuffix($0) }) else { return }
    throw Problem(
      description: "--classes: there is no file \(text); if this is a class, give it in a file "
        + "with one class per line")
  }
}
