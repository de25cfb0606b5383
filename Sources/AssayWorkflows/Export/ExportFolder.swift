import AssayCore
import Foundation

/// A folder that a data set is written to, with folders in it.
///
/// It is assay's own, empty, or not there; else it is refused unless forced. What an earlier export left in
/// it and this one does not write again is removed, so that the folder never holds two sets. Its files may be
/// written from several threads.
package struct ExportFolder: Sendable {
  package let path: String
  private let isForced: Bool
  private let own: Set<String>

  /// The folders that exports write: only these are removed again.
  private static let ownFolders = [
    "images/", "masks/", "annotations/", "manifest.json", "manifest.csv",
    "classes.txt", "fer2013.csv", "labels.csv",
  ]

  /// Nothing is made before ``begin(_:)``.
  ///
  /// - Throws: ``OutputError/noName``, ``OutputError/notAFolder(path:)``, ``OutputError/foreign(path:)``.
  package init(_ path: String, force: Bool) throws(OutputError) {
    // Its files would go into the root of the disk.
    guard !path.isEmpty else { throw .noName }
    self.path = path
    isForced = force
    let folder = try OutputFolder.opened(path)
    let list = OutputFolder.list(in: folder)
    own = list ?? []
    // An export that was killed as it began leaves its first draft and nothing else.
    let inside = ((try? folder?.names()) ?? []).filter { !DraftName.isOne($0, of: .file) }
    if list == nil, !force, !inside.isEmpty { throw .foreign(path: path) }
  }

  /// Refuses a folder that a source lies in, or that lies in it in such a way that files could meet.
  ///
  /// - Throws: ``OutputError/foreign(path:)``, forced or not.
  package func keepOff(source root: String) throws(OutputError) {
    guard let here = DirectoryTree.resolve(path), let there = DirectoryTree.resolve(root) else {
      return
    }
    if here == there { throw .foreign(path: path) }
  }

  /// Notes the files as assay's own, makes the folders, and removes what an earlier export wrote and this
  /// one does not.
  ///
  /// - Parameter names: all files that will be written, relative to the folder.
  /// - Throws: ``OutputError``; nothing is touched where one of the names is a foreign file, or one of the
  ///   folders that they are in a link.
  package func begin(_ names: [String]) throws(OutputError) {
    let kept = Set(names)
    let gone = own.filter { name in
      !kept.contains(name) && Self.ownFolders.contains { name.hasPrefix($0) }
        && !name.split(separator: "/").contains("..")
    }
    let folders = Set(names.map { ($0 as NSString).deletingLastPathComponent }).sorted()
    do {
      if let folder = try OutputFolder.opened(path) {
        for name in names where try folder.has(name) && !isForced && !own.contains(name) {
          throw OutputError.foreign(path: path + "/" + name)
        }
        for name in gone { _ = try folder.has(name) }
      }
      // The list comes before all that it names: however this ends, the next export knows its own.
      let root = try OutputFolder.made(path)
      try root.write(Self.list(own.union(kept)), as: OutputFolder.listName)
      for folder in folders { try root.folder(folder, creating: true).removeAbandonedDrafts() }
      for name in gone { try root.remove(name) }
      if !gone.isEmpty {
        try root.write(Self.list(own.subtracting(gone).union(kept)), as: OutputFolder.listName)
      }
    } catch let error as FileFailure {
      throw OutputError(error)
    } catch let error as OutputError {
      throw error
    } catch {
      throw .cannotWrite(path: path, reason: "\(error)")
    }
  }

  private static func list(_ names: Set<String>) -> [UInt8] {
    Array((names.sorted().joined(separator: "\n") + "\n").utf8)
  }

  /// Writes one of the files that ``begin(_:)`` was told of, whole or not at all.
  ///
  /// - Throws: ``OutputError``.
  package func write(_ name: String, _ bytes: [UInt8]) throws(OutputError) {
    do { try OpenFolder(path).write(bytes, as: name) } catch { throw OutputError(error) }
  }

  /// Writes one of the files piece by piece; it has its name only after the last.
  ///
  /// - Parameter body: gets the function that appends.
  /// - Throws: ``OutputError``; what `body` throws, and then there is no such file.
  package func stream(
    _ name: String, _ body: (_ append: ([UInt8]) throws -> Void) throws -> Void
  ) throws {
    do {
      let draft = try OpenFolder(path).draft(of: name)
      try body { try draft.append($0) }
      try draft.finish()
    } catch let error as FileFailure {
      throw OutputError(error)
    }
  }

  /// Removes one of the files that ``begin(_:)`` was told of, where it is there.
  ///
  /// - Throws: ``OutputError``.
  package func remove(_ name: String) throws(OutputError) {
    do { try OpenFolder(path).remove(name) } catch { throw OutputError(error) }
  }
}
