package import AssayCore

/// A folder or file of a source tree as a source of its own.
package struct SubtreeView: SourceTree {
  package let tree: any SourceTree
  package let name: String
  package let isSingleFile: Bool
  /// The part of the tree's paths that this source's paths lack: empty, or a folder and `/`.
  package let prefix: String

  /// A folder; the whole tree for the empty path.
  package init(_ tree: any SourceTree, folder: String) {
    self.tree = tree
    name = folder.split(separator: "/").last.map(String.init) ?? tree.name
    isSingleFile = false
    prefix = folder.isEmpty ? "" : folder + "/"
  }

  /// A file.
  package init(_ tree: any SourceTree, file: String) {
    self.tree = tree
    let folder = SortedFiles.folder(of: file)
    name = String(folder.isEmpty ? file[...] : file.dropFirst(folder.count + 1))
    isSingleFile = true
    prefix = folder.isEmpty ? "" : folder + "/"
  }

  /// The folder of a file, or the folder itself.
  package var folder: SubtreeView {
    SubtreeView(tree, folder: String(prefix.dropLast()))
  }

  package func files() throws -> [SourceFile] {
    let files = SortedFiles(try tree.files())
    let found =
      isSingleFile
      ? files.index(of: prefix + name).map { $0..<($0 + 1) } ?? 0..<0
      : files.range(below: String(prefix.dropLast()))
    return found.map { index in
      var file = files.files[index]
      file.path = String(file.path.dropFirst(prefix.count))
      return file
    }
  }

  /// The issues of the whole tree, with its paths.
  package func issues() throws -> [Issue] { try tree.issues() }

  package func read(
    _ path: String, at offset: Int, into buffer: UnsafeMutableRawBufferPointer
  ) throws -> Int {
    try tree.read(prefix + path, at: offset, into: buffer)
  }
}
