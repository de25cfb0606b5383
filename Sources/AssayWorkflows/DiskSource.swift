import AssayCore
import AssayFormats
import AssayRemote
import Foundation

/// A source of an import: a folder, a file, or an archive that is read in place. The path of an
/// archive can be followed by one in it: `data.zip/images`.
struct DiskSource: Sendable {
  /// The files as importers see them.
  let tree: any SourceTree
  /// The absolute path of the folder, file or archive.
  let root: String
  /// The folder of an archive that the tree shows, with a `/`; empty for all of the archive, and for
  /// folders. Keys and locations of samples start with it.
  let prefix: String
  /// The folder or file; `nil` for an archive.
  let directory: DirectoryTree?
  /// True if ``root`` is a file.
  let isFile: Bool
  /// The files at an address, also of an archive there; `nil` for a local source.
  private(set) var remote: RemoteTree?
  /// The archive; `nil` for a folder or another file.
  var archive: ArchiveTree? {
    (tree as? ArchiveTree) ?? (tree as? SubtreeView)?.tree as? ArchiveTree
  }

  /// - Throws: ``SourceError``; `ArchiveError`; `RemoteError`; ``Interrupted``.
  init(_ path: String, followsLinks: Bool = false) throws {
    guard !RemoteAddress.isAddress(path) else {
      let (address, inner) = try RemoteAddress(path).parts
      let remote = try RemoteSources.fresh(address)
      if let source = try Self(archive: remote, inner, root: remote.place) {
        self = source
      } else {
        guard inner.isEmpty else { throw RemoteError.nothing(path) }
        self.init(
          tree: remote, root: remote.place, prefix: "", directory: nil, isFile: remote.isSingleFile)
      }
      self.remote = remote
      return
    }
    let (file, inner) = Self.parts(of: path)
    let directory = try DirectoryTree(file, followsLinks: followsLinks)
    if let source = try Self(archive: directory, inner, root: directory.root + "/" + directory.name)
    {
      self = source
    } else {
      guard inner.isEmpty else { throw SourceError.missing(path: path) }
      self.init(directory)
    }
  }

  /// The source in an archive; `nil` if the file is none, or it is a folder.
  private init?(archive file: some KeyedTree, _ inner: String, root: String) throws {
    guard file.isSingleFile, let archive = try ArchiveCache.archive(file, file.name) else {
      return nil
    }
    if inner.isEmpty {
      if let table = archive.onlyTable {
        self.init(SubtreeView(archive, file: table), root: root)
      } else if let folder = archive.outerFolder {
        self.init(SubtreeView(archive, folder: folder), root: root)
      } else {
        self.init(tree: archive, root: root, prefix: "", directory: nil, isFile: true)
      }
    } else if archive.contains(inner) {
      self.init(SubtreeView(archive, file: inner), root: root)
    } else if archive.hasFolder(inner) {
      self.init(SubtreeView(archive, folder: inner), root: root)
    } else {
      throw ArchiveError.missing(entry: inner, archive: file.name)
    }
  }

  init(_ directory: DirectoryTree) {
    self.init(
      tree: directory,
      root: directory.isSingleFile ? directory.root + "/" + directory.name : directory.root,
      prefix: "", directory: directory, isFile: directory.isSingleFile)
  }

  private init(_ view: SubtreeView, root: String) {
    self.init(tree: view, root: root, prefix: view.prefix, directory: nil, isFile: true)
  }

  private init(
    tree: any SourceTree, root: String, prefix: String, directory: DirectoryTree?, isFile: Bool
  ) {
    self.tree = tree
    self.root = root
    self.prefix = prefix
    self.directory = directory
    self.isFile = isFile
  }

  /// The folder that contains a single file.
  ///
  /// - Throws: ``SourceError``.
  func folder() throws -> DiskSource {
    if let view = tree as? SubtreeView {
      var source = DiskSource(view.folder, root: root)
      source.remote = remote
      return source
    }
    if let address = remote?.listing.address, let parent = address.parent {
      return try DiskSource(parent.text)
    }
    guard let directory else { return self }
    return DiskSource(try DirectoryTree(directory.root, followsLinks: directory.followsLinks))
  }

  /// The files and the entries that were left out.
  ///
  /// - Throws: ``SourceError``.
  func listing() throws -> (files: [SourceFile], issues: [Issue]) {
    if let directory { return try directory.listing() }
    return (try tree.files(), try tree.issues())
  }

  /// A path on disk, and the rest of the path if that is a file.
  static func parts(of path: String) -> (file: String, inner: String) {
    var status = stat()
    var file = path[...]
    var inner: [Substring] = []
    while stat(String(file), &status) != 0, let slash = file.lastIndex(of: "/") {
      let name = file[file.index(after: slash)...]
      if !name.isEmpty { inner.insert(name, at: 0) }
      file = file[..<slash]
    }
    guard !file.isEmpty, !inner.isEmpty, stat(String(file), &status) == 0,
      status.st_mode & S_IFMT == S_IFREG
    else { return (path, "") }
    return (String(file), inner.joined(separator: "/"))
  }
}
