package import AssayCore
import Synchronization

/// A Parquet file in a source: its footer, and its bytes on demand. Thread-safe.
package final class ParquetFile: EmbeddedImageFile {
  /// The first and last 4 bytes.
  static let magic = Array("PAR1".utf8)
  private static let nextID = Atomic(0)
  private static let encrypted = Array("PARE".utf8)

  /// A number that no other file of the process has.
  let id: Int
  package let path: String
  package let size: Int
  /// The time of its last change, in nanoseconds since 1970.
  package let modified: Int64
  let footer: ParquetFooter
  private let tree: any SourceTree

  var schema: ParquetSchema { footer.schema }

  /// Returns whether a file is called like a Parquet file.
  package static func isNamed(_ path: some StringProtocol) -> Bool {
    path.utf8.count > 8 && String(path).hasSuffix(ignoringCase: ".parquet")
  }

  /// Returns whether a source is a single Parquet file.
  static func isParquet(_ tree: any SourceTree) throws -> Bool {
    guard tree.isSingleFile, let file = try tree.files().first else { return false }
    var head = [UInt8](repeating: 0, count: 4)
    return try SourceContent.readHead(tree, file.path, into: &head) == 4 && head == magic
  }

  /// Reads the footer of a file.
  ///
  /// - Throws: ``ParquetError``; any error that the tree throws.
  package init(_ tree: any SourceTree, _ file: SourceFile) throws {
    self.tree = tree
    id = Self.nextID.add(1, ordering: .relaxed).newValue
    modified = file.modified
    path = file.path
    size = file.size
    do {
      let tail = try Self.read(tree, file.path, at: max(0, file.size - 8), count: min(8, file.size))
      guard tail.count == 8, file.size >= 12 else {
        throw ParquetProblem.damaged("it is too short")
      }
      guard tail[4...].elementsEqual(Self.magic) else {
        throw tail[4...].elementsEqual(Self.encrypted)
          ? ParquetProblem("it is encrypted, which is not read")
          : ParquetProblem.damaged("it does not end with PAR1; was it copied completely?")
      }
      let length = tail[..<4].reversed().reduce(0) { $0 << 8 | Int($1) }
      guard length <= file.size - 12 else {
        throw ParquetProblem.damaged("its footer would begin before the file")
      }
      guard length <= ParquetLimits.footer else {
        throw ParquetProblem(
          "its footer has more than \(ParquetLimits.footer >> 20) MiB, the limit")
      }
      footer = try ParquetFooter(
        try Self.read(tree, file.path, at: file.size - 8 - length, count: length), size: file.size)
    } catch let problem as ParquetProblem {
      throw ParquetError(file: file.path, problem: problem)
    }
  }

  private static func read(
    _ tree: any SourceTree, _ path: String, at offset: Int, count: Int
  ) throws -> [UInt8] {
    try [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      while filled < count {
        let rest = UnsafeMutableRawBufferPointer(buffer)[filled...]
        let part = try tree.read(
          path, at: offset + filled, into: UnsafeMutableRawBufferPointer(rebasing: rest))
        guard part > 0 else { throw ParquetProblem.damaged("it ends too early") }
        filled += part
      }
    }
  }

  /// Reads bytes that must be there.
  ///
  /// - Throws: ``ParquetProblem``; any error that the tree throws.
  func bytes(at offset: Int, count: Int) throws -> [UInt8] {
    guard offset >= 0, count >= 0, offset <= size, count <= size - offset else {
      throw ParquetProblem.damaged("a page lies outside of the file")
    }
    return try Self.read(tree, path, at: offset, count: count)
  }

  /// The row group of a row, and the row's number in it; `nil` if there is no such row.
  func place(ofRow row: Int) -> (group: Int, row: Int)? {
    guard row >= 0, row < footer.rows else { return nil }
    var (low, high) = (0, footer.groups.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if footer.groups[middle].firstRow <= row { low = middle } else { high = middle }
    }
    return (low, row - footer.groups[low].firstRow)
  }

  /// Adds the name of the file to problems.
  func naming<Result>(_ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let problem as ParquetProblem {
      throw ParquetError(file: path, problem: problem)
    }
  }

  package var rows: Int { footer.rows }

  package var imageColumns: [String] { ParquetImageColumn.all(of: self).map(\.name) }

  package func readImage(
    _ column: String, row: Int, at offset: Int, into buffer: UnsafeMutableRawBufferPointer
  ) throws -> Int {
    guard let found = ParquetImageColumn(self, column) else {
      throw ParquetError(
        file: path, problem: ParquetProblem("it has no column of images “\(column)”"))
    }
    let count = try ParquetPages.withBytes(self, leaf: found.bytes, row: row) { bytes -> Int? in
      guard let bytes else { return nil }
      let part = bytes.dropFirst(offset).prefix(buffer.count)
      part.withUnsafeBytes { buffer.copyMemory(from: $0) }
      return part.count
    }
    guard let count else {
      throw ParquetError(
        file: path, problem: ParquetProblem("row \(row) of \(column) has no bytes"))
    }
    return count
  }
}
