import AssayCore
package import AssayStore
import Foundation

/// A folder that a dataset is exported to, with subfolders.
///
/// It must have been written by assay, be empty or not exist; otherwise it is rejected unless
/// forced. Files of an earlier export that this one does not write again are removed, so that the
/// folder never contains two exports. Its files can be written from several threads.
package struct ExportFolder: Sendable {
  package let path: String
  private let isForced: Bool
  private let own: Set<String>

  /// The files that exports write at the top of a folder; other commands write no subfolders.
  private static let ownFiles: Set<String> = [
    "manifest.json", "manifest.csv", "certificate.json", "classes.txt", "fer2013.csv", "labels.csv",
    "data.yaml", "annotations.csv", "annotations.xml", "tasks.json", "metadata.jsonl",
    "_annotations.createml.json", "labelmap.txt", "label_colors.txt", "samples.parquet",
    "annotations.parquet", "classes.parquet", "predictions.parquet", "run_classes.parquet",
  ]

  /// Returns whether a file at the top of a folder is one that exports write; those in the list of
  /// another command stay.
  private static func isExports(_ name: String) -> Bool {
    ownFiles.contains(name) || name.hasSuffix(".tar")
  }

  /// Nothing is created before ``begin(_:)``.
  ///
  /// - Throws: ``OutputError/noName``, ``OutputError/notAFolder(path:)``, ``OutputError/foreign(path:)``.
  package init(_ path: String, force: Bool) throws(OutputError) {
    // With an empty path, its files would go to the root of the disk.
    guard !path.isEmpty else { throw .noName }
    self.path = path
    isForced = force
    let folder = try OutputFolder.opened(path)
    let list = OutputFolder.list(in: folder)
    own = list ?? []
    // An export that was killed at its start leaves only its first draft.
    let inside = ((try? folder?.names()) ?? []).filter { !DraftName.isOne($0, of: .file) }
    if list == nil, !force, !inside.isEmpty { throw .foreign(path: path) }
  }

  /// Rejects a folder of the dataset's source itself, because its files could be overwritten.
  ///
  /// - Throws: ``OutputError/foreign(path:)``, even if forced.
  package func keepOff(sourceOf dataset: DatasetRecord) throws(OutputError) {
    guard let here = DirectoryTree.resolve(path) else { return }
    for root in DatasetRoot.roots(of: dataset) where DirectoryTree.resolve(root) == here {
      throw .foreign(path: path)
    }
  }

  /// Records the files as assay's own, creates the folders, and removes files of an earlier export
  /// that this one does not write.
  ///
  /// - Parameter names: all files that will be written, relative to the folder.
  /// - Throws: ``OutputError``; nothing is changed if one of the names is a foreign file, or if one
  ///   of their folders is a link.
  package func begin(_ names: [String]) throws(OutputError) {
    let kept = Set(names)
    let gone = own.filter { name in
      !kept.contains(name) && (name.contains("/") || Self.isExports(name))
        && !name.split(separator: "/").contains("..")
    }
    let folders = Set(names.map { $0.parentFolder }).sorted()
    do {
      if let folder = try OutputFolder.opened(path) {
        for name in names where try folder.has(name) && !isForced && !own.contains(name) {
          throw OutputError.foreign(path: path + "/" + name)
        }
        for name in gone { _ = try folder.has(name) }
      }
      // The list is written before the files in it, so that the next export knows its own files
      // even if this one fails.
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

  /// Writes one of the files passed to ``begin(_:)``, completely or not at all.
  ///
  /// - Throws: ``OutputError``.
  package func write(_ name: String, _ bytes: [UInt8]) throws(OutputError) {
    do { try OpenFolder(path).write(bytes, as: name) } catch { throw OutputError(error) }
  }

  /// Writes one of the files in pieces; it gets its name only after the last piece.
  ///
  /// - Parameter body: receives the function that appends bytes.
  /// - Throws: ``OutputError``; the errors of `body`, in which case the file is not created.
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

  /// Removes one of the files passed to ``begin(_:)`` if it exists.
  ///
  /// - Throws: ``OutputError``.
  package func remove(_ name: String) throws(OutputError) {
    do { try OpenFolder(path).remove(name) } catch { throw OutputError(error) }
  }
}
