package import AssayCore
import Glibc

/// The files of a source, found by path with a binary search: a dictionary of millions of paths
/// would need several times the memory.
package struct SortedFiles: Sendable {
  /// Sorted by path (bytewise).
  package let files: [SourceFile]

  /// - Parameter files: the files of a ``SourceTree``, in its order.
  package init(_ files: [SourceFile]) { self.files = files }

  var count: Int { files.count }

  subscript(index: Int) -> String { files[index].path }

  /// The index of the file with a path, or with its composed form; `nil` if there is none.
  ///
  /// - Complexity: O(log *n*).
  package func index(of path: String) -> Int? {
    let place = lowerBound(path)
    if place < files.count, !Self.precedes(path, files[place].path) { return place }
    guard !path.isASCII else { return nil }
    let composed = path.composed
    let other = lowerBound(composed)
    return other < files.count && files[other].path.utf8.elementsEqual(composed.utf8) ? other : nil
  }

  /// The indices of all files in a folder and the folders below it; all files for the empty path.
  ///
  /// - Complexity: O(log *n*).
  func range(below folder: String) -> Range<Int> {
    guard !folder.isEmpty else { return files.indices }
    // “0” is the character after “/”.
    return lowerBound(folder + "/")..<lowerBound(folder + "0")
  }

  /// The indices of the files of a path without its suffix: `a/b.jpg` and `a/b.c.xml` of `a/b`.
  ///
  /// - Complexity: O(log *n*).
  func range(ofStem path: String) -> Range<Int> {
    // “/” is the character after “.”.
    let start = lowerBound(path + ".")
    return start..<max(start, lowerBound(path + "/"))
  }

  /// Returns whether a folder contains a file, at any depth.
  func hasFolder(_ folder: String) -> Bool { !range(below: folder).isEmpty }

  /// The first index whose path does not precede a path.
  private func lowerBound(_ path: String) -> Int {
    var (low, high) = (0, files.count)
    while low < high {
      let middle = (low + high) / 2
      if Self.precedes(files[middle].path, path) { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// Returns whether the bytes of one path come before those of another.
  package static func precedes(_ a: String, _ b: String) -> Bool {
    let isBefore = a.utf8.withContiguousStorageIfAvailable { a in
      b.utf8.withContiguousStorageIfAvailable { b in
        guard let first = a.baseAddress, let second = b.baseAddress else {
          return a.isEmpty && !b.isEmpty
        }
        let order = memcmp(first, second, min(a.count, b.count))
        return order == 0 ? a.count < b.count : order < 0
      }
    }
    if case .some(.some(let isBefore)) = isBefore { return isBefore }
    return a.utf8.lexicographicallyPrecedes(b.utf8)
  }

  /// The folder of a path; empty for the root.
  static func folder(of path: String) -> Substring {
    path.utf8.lastIndex(of: UInt8(ascii: "/")).map { path[..<$0] } ?? ""
  }

  /// The last component of a path without its suffix.
  static func stem(of path: String) -> Substring {
    let bytes = path.utf8
    let start =
      bytes.lastIndex(of: UInt8(ascii: "/")).map { bytes.index(after: $0) } ?? bytes.startIndex
    guard let dot = bytes[start...].lastIndex(of: UInt8(ascii: ".")), dot != start else {
      return path[start...]
    }
    return path[start..<dot]
  }

  /// A path below a folder; the folder is empty for the root.
  static func join(_ folder: some StringProtocol, _ name: some StringProtocol) -> String {
    folder.isEmpty ? String(name) : "\(folder)/\(name)"
  }
}
