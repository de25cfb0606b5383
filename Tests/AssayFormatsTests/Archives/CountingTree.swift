import AssayCore
import Synchronization

/// A file in memory, `x.zip`, that counts the bytes that are read.
final class CountingTree: SourceTree {
  let tree: MemoryTree
  let count = Mutex(0)

  init(_ bytes: [UInt8]) { tree = MemoryTree(bytes, name: "x.zip") }

  var name: String { tree.name }
  var isSingleFile: Bool { true }
  func files() throws -> [SourceFile] { try tree.files() }
  func read(
    _ path: String, at offset: Int, into buffer: UnsafeMutableRawBufferPointer
  ) throws -> Int {
    let read = try tree.read(path, at: offset, into: buffer)
    count.withLock { $0 += read }
    return read
  }
}
