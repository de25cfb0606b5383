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

  /// What exports write: only these are removed again.
  private static let ownFolders = [
    "images/", "masks/", "annotations/", "manifest.json", "manifest.csv",
    "classes.txt", "fer2013.csv",
  ]

  /// Nothing is made before ``begin(_:)``.
  ///
  /// - Throws: ``OutputError/noName``, ``OutputError/notAFolder(path:)``, ``OutputError/foreign(path:)``.
  package init(_ path: String, force: Bool) throws(OutputError) {
    // Its files would go into the root of the disk.
    guard !path.isEmpty else { throw .noName }
    self.path = path
    isForced = force
    var isFolder: ObjCBool = false
    if FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), !isFolder.boolValue {
      throw .notAFolder(path: path)
    }
    let list = try? String(contentsOfFile: path + "/" + OutputFolder.listName, encoding: .utf8)
    own = Set((list ?? "").split(separator: "\n").map(String.init))
    let inside = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
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

  /// Makes the folders, notes the files as assay's own, and removes what an earlier export wrote and this
  /// one does not.
  ///
  /// - Parameter names: all files that will be written, relative to the folder.
  /// - Throws: ``OutputError``; nothing is touched where one of the names is a foreign file.
  package func begin(_ names: [String]) throws(OutputError) {
    let files = FileManager.default
    let isNew = !files.fileExists(atPath: path)
    if !isNew, !isForced {
      for name in names where !own.contains(name) && files.fileExists(atPath: path + "/" + name) {
        throw .foreign(path: path + "/" + name)
      }
    }
    let kept = Set(names)
    let gone = own.filter { name in
      !kept.contains(name) && Self.ownFolders.contains { name.hasPrefix($0) }
    }
    var folders: Set<String> = [""]
    for name in names { folders.insert((name as NSString).deletingLastPathComponent) }
    for folder in folders.sorted() {
      try attempt(path + "/" + folder) {
        try files.createDirectory(atPath: path + "/" + folder, withIntermediateDirectories: true)
      }
    }
    for name in gone where !name.split(separator: "/").contains("..") {
      try? files.removeItem(atPath: path + "/" + name)
    }
    let list = own.subtracting(gone).union(kept).sorted().joined(separator: "\n") + "\n"
    try write(OutputFolder.listName, Array(list.utf8))
  }

  /// Writes one of the files that ``begin(_:)`` was told of, whole or not at all.
  ///
  /// - Throws: ``OutputError``.
  package func write(_ name: String, _ bytes: [UInt8]) throws(OutputError) {
    let part = partPath(of: name)
    try attempt(path + "/" + name) { try Data(bytes).write(to: URL(fileURLWithPath: part)) }
    try finish(name)
  }

  /// Writes one of the files piece by piece; it has its name only after the last.
  ///
  /// - Parameter body: gets the function that appends.
  /// - Throws: ``OutputError``; what `body` throws, and then there is no such file.
  package func stream(
    _ name: String, _ body: (_ append: ([UInt8]) throws -> Void) throws -> Void
  ) throws {
    let part = partPath(of: name)
    guard FileManager.default.createFile(atPath: part, contents: nil),
      let file = FileHandle(forWritingAtPath: part)
    else { throw OutputError.cannotWrite(path: path + "/" + name, reason: "it cannot be made") }
    do {
      defer { try? file.close() }
      try body { bytes in
        try attempt(path + "/" + name) { try file.write(contentsOf: bytes) }
      }
    } catch {
      try? FileManager.default.removeItem(atPath: part)
      throw error
    }
    try finish(name)
  }

  private func partPath(of name: String) -> String {
    let folder = (name as NSString).deletingLastPathComponent
    let file = (name as NSString).lastPathComponent
    return path + "/" + (folder.isEmpty ? "" : folder + "/") + "." + file + ".part"
  }

  private func finish(_ name: String) throws(OutputError) {
    guard rename(partPath(of: name), path + "/" + name) == 0 else {
      throw .cannotWrite(path: path + "/" + name, reason: String(cString: strerror(errno)))
    }
  }

  private func attempt(_ path: String, _ work: () throws -> Void) throws(OutputError) {
    do { try work() } catch {
      throw .cannotWrite(path: path, reason: error.localizedDescription)
    }
  }
}
