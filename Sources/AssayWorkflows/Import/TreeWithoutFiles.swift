import AssayCore
import Foundation

/// A source without some of its files.
struct TreeWithoutFiles: SourceTree {
  private let tree: ListedTree
  private let left: Set<String>

  /// - Parameter files: paths of files in the file system; those outside of the source do not matter.
  /// - Returns: `nil` if none of the files is in the source.
  /// - Throws: any error that the source throws.
  init?(_ tree: ListedTree, _ files: [String]) throws {
    let root = Self.resolved(tree.root) + "/"
    let inside = Set(
      files.map(Self.resolved).filter { $0.hasPrefix(root) }
        .map { String($0.dropFirst(root.count)) })
    guard !inside.isEmpty, try tree.files().contains(where: { inside.contains($0.path) }) else {
      return nil
    }
    self.tree = tree
    left = inside
  }

  private static func resolved(_ path: String) -> String {
    URL(fileURLWithPath: path).standardizedFileURL.resolvingSymlinksInPath().path
  }

  var name: String { tree.name }
  var isSingleFile: Bool { tree.isSingleFile }

  func files() throws -> [SourceFile] { try tree.files().filter { !left.contains($0.path) } }

  func issues() throws -> [Issue] { try tree.issues() }

  func read(
    _ path: String, at offset: Int, into buffer: UnsafeMutableRawBufferPointer
  ) throws -> Int {
    try tree.read(path, at: offset, into: buffer)
  }
}
