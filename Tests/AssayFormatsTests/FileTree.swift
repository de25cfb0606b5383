import AssayCore
import AssayTestSupport
import Foundation

/// A file or folder on disk: the fixtures, and the real data if it is available.
struct FileTree: SourceTree {
  private let root: URL
  let name: String
  let isSingleFile: Bool

  /// A path below `Tests/Fixtures`.
  init(fixture path: String) { self.init(PackageFolder.fixture(path)) }

  /// A path below `../shared/data`.
  init(outside path: String) { self.init(OutsideFiles.url(path)) }

  private init(_ url: URL) {
    var isFolder: ObjCBool = false
    _ = FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder)
    isSingleFile = !isFolder.boolValue
    name = url.lastPathComponent
    root = isSingleFile ? url.deletingLastPathComponent() : url
  }

  func files() throws -> [SourceFile] {
    let paths =
      isSingleFile ? [name] : FileManager.default.subpaths(atPath: root.path) ?? []
    return try paths.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.compactMap { path in
      let found = try FileManager.default.attributesOfItem(atPath: root.path + "/" + path)
      guard found[.type] as? FileAttributeType == .typeRegular else { return nil }
      return SourceFile(path: path, size: found[.size] as? Int ?? 0, modified: 0)
    }
  }

  func read(
    _ path: String, at offset: Int, into buffer: UnsafeMutableRawBufferPointer
  ) throws -> Int {
    let file = try FileHandle(forReadingFrom: root.appending(path: path))
    defer { try? file.close() }
    try file.seek(toOffset: UInt64(offset))
    let data = try file.read(upToCount: buffer.count) ?? Data()
    data.copyBytes(to: buffer)
    return data.count
  }
}
