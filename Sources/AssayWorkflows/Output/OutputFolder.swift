package import AssayCore
import Foundation

/// A folder that results are written to.
///
/// Files that assay wrote there before are replaced; every other file is left alone unless forced. Which are
/// assay's own stands in a hidden list in the folder.
package struct OutputFolder {
  package let path: String
  private let isForced: Bool
  private var own: Set<String>

  /// The list of files that assay wrote.
  static let listName = ".assay-files"

  /// Nothing is made before the first file is written.
  ///
  /// - Throws: ``OutputError/noName``, ``OutputError/notAFolder(path:)``.
  package init(_ path: String, force: Bool) throws(OutputError) {
    // Its files would go into the root of the disk.
    guard !path.isEmpty else { throw .noName }
    self.path = path
    isForced = force
    own = try Self.list(in: Self.opened(path)) ?? []
  }

  /// The folder as it is now; `nil` where there is none yet.
  ///
  /// - Throws: ``OutputError/notAFolder(path:)``, ``OutputError/cannotWrite(path:reason:)``.
  static func opened(_ path: String) throws(OutputError) -> OpenFolder? {
    try checkLink(path)
    do {
      return try OpenFolder(path)
    } catch  where error.code == ENOENT {
      return nil
    } catch  where error.code == ENOTDIR {
      throw .notAFolder(path: path)
    } catch {
      throw OutputError(error)
    }
  }

  /// Refuses a path that is a symbolic link of another user, or one that leads nowhere. The user's own link is
  /// followed, and root's.
  private static func checkLink(_ path: String) throws(OutputError) {
    guard let (owner, target) = link(path) else { return }
    guard owner == geteuid() || owner == 0 else {
      throw .cannotWrite(
        path: path,
        reason: "it is a symbolic link of another user; choose another folder, or name the "
          + "folder that it leads to (\(target))")
    }
    var facts = stat()
    guard stat(path, &facts) != 0, errno == ENOENT else { return }
    throw .cannotWrite(
      path: path,
      reason: "it is a symbolic link to \(target), which does not exist; make that folder, or "
        + "remove the link")
  }

  /// The owner of a symbolic link and the text in it; `nil` where the path is none.
  private static func link(_ path: String) -> (owner: uid_t, target: String)? {
    var name = path
    while name.count > 1, name.hasSuffix("/") { name.removeLast() }
    var facts = stat()
    guard lstat(name, &facts) == 0, facts.st_mode & S_IFMT == S_IFLNK,
      let target = try? FileManager.default.destinationOfSymbolicLink(atPath: name)
    else { return nil }
    return (facts.st_uid, target)
  }

  /// The target of a path that is a symbolic link, as a sentence; `nil` for other paths.
  package static func linkRemark(_ path: String) -> String? {
    guard link(path) != nil, let target = DirectoryTree.resolve(path) else { return nil }
    return "note: \(path) is a symbolic link; the files are in \(target)"
  }

  /// The files that assay wrote into a folder before; `nil` where it has no list of them.
  static func list(in folder: OpenFolder?) -> Set<String>? {
    guard let bytes = folder?.read(listName, limit: 1 << 30) else { return nil }
    return Set(String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init))
  }

  /// Opens a folder for writing, makes it where it is not there, with those above it, and removes what
  /// killed processes left unfinished in it.
  static func made(_ path: String) throws(OutputError) -> OpenFolder {
    do {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    } catch {
      throw .cannotWrite(path: path, reason: error.localizedDescription)
    }
    do {
      let folder = try OpenFolder(path)
      folder.removeAbandonedDrafts()
      return folder
    } catch {
      throw OutputError(error)
    }
  }

  /// Refuses before anything is written where a file of these names is not assay's own.
  ///
  /// - Throws: ``OutputError/foreign(path:)``.
  package func check(_ names: [String]) throws(OutputError) {
    guard !isForced, let folder = try Self.opened(path) else { return }
    for name in names where !own.contains(name) {
      do {
        guard try folder.has(name) else { continue }
      } catch {
        throw OutputError(error)
      }
      throw .foreign(path: path + "/" + name)
    }
  }

  /// Writes files, each whole or not at all, and remembers them as assay's own. Makes the folder, with
  /// those above it.
  ///
  /// - Throws: ``OutputError``; nothing is written where one of them is foreign.
  package mutating func write(_ files: [(name: String, bytes: [UInt8])]) throws(OutputError) {
    try check(files.map(\.name))
    own.formUnion(files.map(\.name))
    // The list first: a run that is killed leaves no file that the next one would take for foreign.
    let list = own.sorted().joined(separator: "\n") + "\n"
    let folder = try Self.made(path)
    do {
      // A new name for whole files only, without waiting for the disk: 34 files take 4 ms instead of 150.
      for (name, bytes) in [(Self.listName, Array(list.utf8))] + files {
        try folder.write(bytes, as: name)
      }
    } catch {
      throw OutputError(error)
    }
  }
}

/// The reasons why results cannot be written.
package enum OutputError: Error, Hashable {
  /// A folder whose name is the empty text.
  case noName
  case notAFolder(path: String)
  case foreign(path: String)
  case cannotWrite(path: String, reason: String)

  package init(_ failure: FileFailure) {
    self = .cannotWrite(path: failure.path, reason: failure.reason)
  }
}

extension OutputError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .noName: "the folder is missing: give --out DIR"
    case .notAFolder(let path): "\(path) is a file, not a folder"
    case .foreign(let path):
      "\(path) exists and was not written by assay; choose another folder, or give --force"
    case .cannotWrite(let path, let reason): "\(path) cannot be written: \(reason)"
    }
  }
}
