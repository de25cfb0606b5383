import AssayCore
import AssayFormats
import AssayInference

/// A NumPy archive (`.npz`): a zip file with one array per name, as `numpy.savez` writes it.
struct NumPyArchive {
  /// An array in float32. Whole numbers above 2^24 and doubles are rounded.
  struct Array {
    let shape: [Int]
    let values: [Float]
  }

  /// The maximum size of an array in bytes: 2 GiB.
  private static let arrayLimit = 1 << 31

  /// The names of the arrays, sorted.
  let names: [String]
  private let path: String
  private let tree: ArchiveTree

  /// - Throws: ``ModelCheckError`` if the file is no zip archive of arrays; ``SourceError``; `ArchiveError`.
  init(_ path: String) throws {
    let folder = try DirectoryTree(path)
    guard folder.isSingleFile, let tree = try ArchiveCache.archive(folder, folder.name) else {
      throw ModelCheckError.noArchive(path: path)
    }
    self.path = path
    self.tree = tree
    names = try tree.files().map(\.path).filter { $0.hasSuffix(".npy") }.map {
      String($0.dropLast(4))
    }.sorted()
    guard !names.isEmpty else { throw ModelCheckError.noArchive(path: path) }
  }

  /// Reads an array.
  ///
  /// - Throws: ``ModelCheckError`` for objects (pickles are never read) and damaged arrays.
  func array(_ name: String) throws -> Array {
    let bytes = try tree.readAll(name + ".npy", limit: Self.arrayLimit)
    do {
      let length = try NPYHeader.length(of: bytes)
      guard length <= bytes.count else { throw NPYFault("is cut off") }
      let header = try NPYHeader(Swift.Array(bytes[..<length]))
      guard let count = header.count, header.byteCount == bytes.count - length else {
        throw NPYFault("has \(bytes.count - length) bytes of values, which its shape does not need")
      }
      guard let element = TensorElement(header.element) else {
        throw NPYFault("holds truth values; save numbers")
      }
      return Array(
        shape: header.shape,
        values: bytes.withUnsafeBytes { element.values(count, at: length, of: $0) })
    } catch let fault as NPYFault {
      throw ModelCheckError.badArray(path: path, name: name, reason: fault.description)
    }
  }
}
