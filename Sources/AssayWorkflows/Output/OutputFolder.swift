package import AssayCore
import Foundation

/// A folder for results.
///
/// Files that assay wrote there earlier are replaced; other files are not touched unless forced. A
/// hidden list in the folder records assay's own files.
package struct OutputFolder {
  package let path: String
  private let isForced: Bool
  private var own: Set<String>

  /// The name of the list of files that assay wrote.
  static let listName = ".assay-files"

  /// Nothing is created before the first file is written.
  ///
  /// - Throws: ``OutputError/noName``, ``OutputError/notAFolder(path:)``.
  package init(_ path: String, force: Bool) throws(OutputError) {
    // With an empty path, its files would go to the root of the disk.
    guard !path.isEmpty else { throw .noName }
    self.path = path
    isForced = force
    own = try Self.list(in: Self.opened(path)) ?? []
  }

  /// The existing folder; `nil` if it does not exist yet.
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

  /// Rejects a path that is another user's symbolic link, or a dangling link. Links owned by the
  /// user or by root are followed.
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

  /// The owner and the target of a symbolic link; `nil` if the path is not a link.
  private static func link(_ path: String) -> (owner: uid_t, target: String)? {
    var name = path
    while name.count > 1, name.hasSuffix("/") { name.removeLast() }
    var facts = stat()
    guard lstat(name, &facts) == 0, facts.st_mode & S_IFMT == S_IFLNK,
      let target = try? FileManager.default.destinationOfSymbolicLink(atPath: name)
    else { return nil }
    return (facts.st_uid, target)
  }

  /// A note on the target of a path that is a symbolic link; `nil` for other paths.
  package static func linkRemark(_ path: String) -> String? {
    guard link(path) != nil, let target = DirectoryTree.resolve(path) else { return nil }
    return "note: \(path) is a symbolic link; the files are in \(target)"
  }

  /// The files that assay wrote into a folder earlier; `nil` if the folder has no list of them.
  static func list(in folder: OpenFolder?) -> Set<String>? {
    guard let bytes = folder?.read(listName, limit: 1 << 30) else { return nil }
    return Set(String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init))
  }

  /// Opens a folder for writing, creates it and its parents if necessary, and removes unfinished
  /// files of killed processes.
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

  /// Checks, before anything is written, that no file with one of these names is foreign.
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

  /// Writes files, each completely or not at all, and records them as assay's own. Creates the
  /// folder and its parents.
  ///
  /// - Throws: ``OutputError``; nothing is written if one of them is foreign.
  package mutating func write(_ files: [(name: String, bytes: [UInt8])]) throws(OutputError) {
    try check(files.map(\.name))
    own.formUnion(files.map(\.name))
    // The list is written first, so that the files of a killed run are not foreign to the next one.
    let list = own.sorted().joined(separator: "\n") + "\n"
    let folder = try Self.made(path)
    do {
      // Files are renamed when complete, without waiting for the disk: 34 files take 4 ms instead
      // of 150.
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
  /// A folder whose name is empty.
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
