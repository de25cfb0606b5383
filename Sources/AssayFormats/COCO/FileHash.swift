import AssayCore
import Dispatch
import Synchronization

/// The SHA-256 of a file, computed on its own thread while the file is read elsewhere.
final class FileHash: Sendable {
  private let done = DispatchGroup()
  private let isCancelled = Atomic<Bool>(false)
  private let outcome = Mutex<Result<String, any Error>?>(nil)

  init(_ tree: any SourceTree, _ path: String) {
    DispatchQueue(label: "assay.hash", qos: .userInitiated).async(group: done) { [self] in
      let result = Result { try hash(tree, path) }
      outcome.withLock { $0 = result }
    }
  }

  /// Stops the computation and waits for the thread.
  func cancel() {
    isCancelled.store(true, ordering: .relaxed)
    done.wait()
  }

  /// Waits for the hash, 64 hexadecimal digits.
  ///
  /// - Throws: any error that the tree throws.
  func result() throws -> String? {
    done.wait()
    return try outcome.withLock { $0 }?.get()
  }

  private func hash(_ tree: any SourceTree, _ path: String) throws -> String {
    var hash = ContentHash()
    var buffer = [UInt8](repeating: 0, count: 1 << 18)
    var offset = 0
    while !isCancelled.load(ordering: .relaxed) {
      let count = try buffer.withUnsafeMutableBytes { bytes in
        let count = try tree.read(path, at: offset, into: bytes)
        hash.update(UnsafeRawBufferPointer(rebasing: bytes[..<count]))
        return count
      }
      guard count > 0 else { break }
      offset += count
    }
    return hash.hexadecimal()
  }
}
