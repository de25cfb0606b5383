package import AssayCore
import CLinux
import Foundation

/// A source tree on the local disk: a folder or a single file.
///
/// Nothing outside the root is read: paths are compared by component, and links are resolved before
/// use. Links to files and folders below the root are followed, others only if the user asked for it.
///
/// Paths are in Unicode's normalization form C, unless two differ only by their form. A path in either form finds
/// the file, whichever form its name on the disk has.
package struct DirectoryTree: SourceTree {
  /// The absolute, resolved path of the folder (of the file's folder, for a single file).
  package let root: String
  package let name: String
  package let isSingleFile: Bool
  /// True if links that leave the root are followed.
  package let followsLinks: Bool
  private let folder: FolderDescriptor

  /// The maximum number of files and folders in a folder; those behind links count once per link.
  package static let fileLimit = 5_000_000

  /// - Throws: ``SourceError`` if the path is neither a folder nor a regular file, or cannot be
  ///   read.
  package init(_ path: String, followsLinks: Bool = false) throws {
    self.followsLinks = followsLinks
    guard let resolved = Self.resolve(path) else { throw SourceError.missing(path: path) }
    var status = stat()
    guard stat(resolved, &status) == 0 else { throw SourceError.missing(path: path) }
    switch status.st_mode & S_IFMT {
    case S_IFDIR:
      root = resolved
      isSingleFile = false
    case S_IFREG:
      root = resolved.parentFolder
      isSingleFile = true
    default: throw SourceError.special(path: path)
    }
    guard access(resolved, R_OK) == 0 else { throw SourceError.unreadable(path: path) }
    name = (resolved as NSString).lastPathComponent
    folder = FolderDescriptor(root)
  }

  /// The absolute path of a file, without links; `nil` if nothing exists there, or a link leads out of the
  /// folder and such links are not followed.
  func path(of location: String) -> String? {
    guard let path = Self.resolve(root + "/" + (spelling(of: location) ?? location)) else {
      return nil
    }
    return followsLinks || path.hasPrefix(root == "/" ? root : root + "/") ? path : nil
  }

  /// The absolute path without links; `nil` if nothing exists at the path.
  package static func resolve(_ path: String) -> String? {
    guard !path.utf8.contains(0), let pointer = realpath(path, nil) else { return nil }
    defer { free(pointer) }
    return String(cString: pointer)
  }

  package func files() throws -> [SourceFile] { try listing().files }

  package func issues() throws -> [Issue] { try listing().issues }

  /// The files below the root and the links that were not followed, both sorted by path.
  ///
  /// - Throws: ``SourceError``.
  func listing() throws -> (files: [SourceFile], issues: [Issue]) {
    if isSingleFile {
      var status = stat()
      guard stat(root + "/" + name, &status) == 0 else {
        throw SourceError.missing(path: root + "/" + name)
      }
      return ([SourceFile(path: name, status)], [])
    }
    var listing = FolderListing(root: root, followsLinks: followsLinks)
    return try listing.run()
  }

  /// Returns whether the target of a relative path, with links followed, is below the root; if links
  /// out of the root are followed, whether the path itself does not leave it.
  private func isInside(_ path: String) -> Bool {
    guard !followsLinks else {
      return !path.utf8.contains(0) && !path.split(separator: "/").contains("..")
    }
    return Self.resolve(root + "/" + path).map { Self.isInside($0, root: root) } ?? false
  }

  /// Returns whether a resolved path is below a resolved folder.
  static func isInside(_ path: String, root: String) -> Bool {
    let inner = path.split(separator: "/")
    let outer = root.split(separator: "/")
    return inner.count > outer.count && inner.prefix(outer.count).elementsEqual(outer)
  }

  /// The path on the disk of which a path is another normalization form; `nil` if there is none, or the path itself
  /// exists.
  func spelling(of path: String) -> String? {
    func exists(_ path: String) -> Bool { access(root + "/" + path, F_OK) == 0 }
    guard !path.isASCII, !path.utf8.contains(0), !exists(path) else { return nil }
    if let found = [path.decomposed, path.composed].first(where: exists) { return found }
    // The names of the folders have other forms than that of the file.
    var found = ""
    for name in path.split(separator: "/") {
      guard name != ".." else { return nil }
      let start = found.isEmpty ? "" : found + "/"
      if exists(start + name) {
        found = start + name
      } else {
        let folder = root + "/" + found
        guard
          let entry = try? FileManager.default.contentsOfDirectory(atPath: folder)
            .first(where: { $0 == name })
        else { return nil }
        found = start + entry
      }
    }
    return found
  }

  /// A descriptor of the file at a path, or of the one whose name is the same in another normalization form.
  private func opened(_ path: String) throws -> Int32 {
    do {
      return try opened(path, root + "/" + path)
    } catch SourceError.missing(let full) {
      guard let other = spelling(of: path) else { throw SourceError.missing(path: full) }
      return try opened(other, root + "/" + other)
    }
  }

  /// A descriptor of the file at a path.
  ///
  /// The system itself sees to it that links do not leave the root. Where it refuses, the resolved path decides:
  /// absolute links can stay below the root, too.
  private func opened(_ path: String, _ full: String) throws -> Int32 {
    if !followsLinks, !path.utf8.contains(0) {
      let descriptor = assay_open_beneath(folder.number, path)
      if descriptor >= 0 { return descriptor }
    }
    guard isInside(path) else {
      throw access(full, F_OK) == 0
        ? SourceError.outside(path: path, root: root) : SourceError.missing(path: full)
    }
    let descriptor = open(full, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      throw errno == ENOENT ? SourceError.missing(path: full) : .unreadable(path: full)
    }
    return descriptor
  }

  package func read(
    _ path: String, at offset: Int, into buffer: UnsafeMutableRawBufferPointer
  ) throws -> Int {
    let descriptor = try opened(path)
    let full = root + "/" + path
    defer { close(descriptor) }
    if followsLinks {
      // A link can be redirected to a device after the listing.
      var status = stat()
      guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
        throw SourceError.special(path: full)
      }
    }
    var done = 0
    while done < buffer.count {
      let count = pread(
        descriptor, buffer.baseAddress?.advanced(by: done), buffer.count - done,
        off_t(offset + done))
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw SourceError.unreadable(path: full) }
      if count == 0 { break }
      done += count
    }
    return done
  }
}

/// An open folder, so that a file below it is opened with one call of the system; -1 if it could not be
/// opened.
private final class FolderDescriptor: Sendable {
  let number: Int32

  init(_ path: String) { number = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }

  deinit { if number >= 0 { close(number) } }
}

/// The errors of a source's location on disk.
package enum SourceError: Error, Hashable {
  case missing(path: String)
  case unreadable(path: String)
  case special(path: String)
  case outside(path: String, root: String)
  case tooDeep(path: String)
  /// A name that is not valid UTF-8, with the invalid bytes replaced.
  case notUTF8(path: String)
  case tooManyFiles(path: String, limit: Int)
}

extension SourceError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .missing(let path): "\(path) does not exist"
    case .unreadable(let path): "\(path) cannot be read; check its permissions"
    case .special(let path): "\(path) is neither a file nor a folder"
    case .outside(let path, let root): "\(path) is outside the dataset's folder \(root)"
    case .tooDeep(let path): "\(path) is nested deeper than 64 folders"
    case .notUTF8(let path):
      "the name of \(path) is not valid UTF-8; rename it (convmv converts a whole folder)"
    case .tooManyFiles(let path, let limit):
      "\(path) has more than \(limit) files and folders, the limit"
    }
  }
}
