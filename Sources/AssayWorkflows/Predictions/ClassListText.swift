import AssayCore
import AssayFormats
import Foundation

/// A list of classes as an option gives it: `A,B,…`, or a text file with one class per line.
package enum ClassListText {
  private static let fileLimit = 4 << 20

  /// The names in order.
  ///
  /// - Throws: `FormatError` for an empty or repeated name, and for a text that is neither a list nor
  ///   a file.
  package static func names(_ text: String) throws -> [String] {
    var names: [String]
    if let tree = try? DirectoryTree(text), tree.isSingleFile {
      let bytes = try tree.readAll(tree.name, limit: fileLimit)
      guard let content = String(ofFile: bytes) else {
        throw FormatError.predictions(text, problem: "--classes: this is not a text file")
      }
      names = content.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        .map { $0.trimmingCharacters(in: .whitespaces) }
      while names.last?.isEmpty == true { names.removeLast() }
    } else {
      names = text.split(separator: ",", omittingEmptySubsequences: false).map {
        $0.trimmingCharacters(in: .whitespaces)
      }
      guard names.count > 1 || !text.contains("/") else {
        throw FormatError.predictions(text, problem: "--classes: there is no such file")
      }
    }
    if let empty = names.firstIndex(of: "") {
      throw FormatError.predictions(text, problem: "--classes: name \(empty + 1) is empty")
    }
    var seen: Set<String> = []
    if let twice = names.first(where: { !seen.insert($0).inserted }) {
      throw FormatError.predictions(text, problem: "--classes: “\(twice)” occurs twice")
    }
    return names
  }
}
