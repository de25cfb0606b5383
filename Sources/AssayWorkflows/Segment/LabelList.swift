import AssayCore
import AssayMetrics
import Foundation

/// The classes of label maps in files: their number, or their names.
struct LabelList: Sendable {
  let labels: SegmentationLabels

  private static let fileLimit = 1 << 20

  /// - Parameter text: the number of classes (which are then named by their numbers), names
  ///   separated by commas, or a file with one name per line. If the first name is `background`, it
  ///   is counted but not evaluated.
  /// - Throws: ``FileSegmentationError/badClasses(_:reason:)``.
  init(parsing text: String) throws {
    let names: [String]
    if let count = Int(text) {
      guard (1...SegmentationLabels.limit).contains(count) else {
        throw FileSegmentationError.badClasses(
          text, reason: "there can be 1 to \(SegmentationLabels.limit) classes")
      }
      names = (0..<count).map { "\($0)" }
    } else if text.contains(",") {
      names = text.split(separator: ",", omittingEmptySubsequences: false).map(Self.trimmed)
    } else {
      guard let tree = try? DirectoryTree(text), tree.isSingleFile,
        let bytes = try? tree.readAll(tree.name, limit: Self.fileLimit),
        let content = String(ofFile: bytes)
      else {
        throw FileSegmentationError.badClasses(text, reason: "no such text file")
      }
      var lines = content.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        .map(Self.trimmed)
      while lines.last?.isEmpty == true { lines.removeLast() }
      names = lines
    }
    if let empty = names.firstIndex(of: "") {
      throw FileSegmentationError.badClasses(text, reason: "name \(empty + 1) is empty")
    }
    if let twice = Dictionary(grouping: names, by: \.self).first(where: { $1.count > 1 })?.key {
      throw FileSegmentationError.badClasses(text, reason: "“\(twice)” occurs twice")
    }
    do {
      labels = try SegmentationLabels(
        names: names,
        hasBackground: names.count > 1 && names.first == SegmentationClasses.background)
    } catch {
      throw FileSegmentationError.badClasses(text, reason: "\(error)")
    }
  }

  private static func trimmed(_ text: Substring) -> String {
    text.trimmingCharacters(in: .whitespaces)
  }
}
