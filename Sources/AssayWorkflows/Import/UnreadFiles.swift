import AssayCore
import AssayFormats
import Synchronization

/// A source that remembers which of its files other than images were read, so that those that an importer passed over can
/// be named.
final class UnreadFiles: SourceTree {
  private let tree: any SourceTree
  /// The hashes of the paths of files that were read or are told by an issue: paths would take much memory where each image
  /// has a text of its own.
  private let seen = Mutex<Set<Int>>([])

  /// The number of files that are named.
  private static let shown = 3

  init(_ tree: any SourceTree) { self.tree = tree }

  var name: String { tree.name }
  var isSingleFile: Bool { tree.isSingleFile }

  func files() throws -> [SourceFile] { try tree.files() }

  func issues() throws -> [Issue] { try tree.issues() }

  func read(
    _ path: String, at offset: Int, into buffer: UnsafeMutableRawBufferPointer
  ) throws -> Int {
    if FileNameKind(path) != .image { note(path) }
    return try tree.read(path, at: offset, into: buffer)
  }

  /// Takes the files that issues are about as told.
  func add(_ issues: [Issue]) {
    for issue in issues { note(issue.location.file) }
  }

  private func note(_ path: String) {
    _ = seen.withLock { $0.insert(path.hashValue) }
  }

  /// A note on the files that were not read and whose names do not tell that they have no annotations; `nil` for none.
  ///
  /// - Parameter jsonFiles: the JSON files that the format has; `nil` for those that were read.
  /// - Throws: any error that the source throws.
  func remark(_ format: DatasetFormat, jsonFiles: Set<String>?) throws -> String? {
    guard !isSingleFile else { return nil }
    let seen = seen.withLock { $0 }
    var (names, count): ([String], Int) = ([], 0)
    for file in try tree.files() where FileNameKind(file.path) == .unknown {
      let isUsed =
        jsonFiles != nil && file.path.lowercased().hasSuffix(".json")
        ? jsonFiles?.contains(file.path) == true : seen.contains(file.path.hashValue)
      guard !isUsed, !Companions.isOwnManifest(file, in: tree) else { continue }
      count += 1
      if names.count < Self.shown { names.append(file.path) }
    }
    guard count > 0 else { return nil }
    return "not part of \(format.rawValue) and not read: \(names.joined(separator: ", "))"
      + (count > names.count
        ? " and \(Counted.text(count - names.count, "more file", "more files"))" : "")
  }
}
