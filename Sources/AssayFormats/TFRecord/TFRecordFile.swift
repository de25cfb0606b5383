package import AssayCore
import Synchronization

/// A record file of TensorFlow in a source: the places of its records, and their bytes on demand.
/// Thread-safe.
///
/// Each record is a length of 8 bytes (little-endian), its masked CRC-32C, the bytes, and their masked
/// CRC-32C. Source: TensorFlow's documentation of TFRecord.
package final class TFRecordFile: EmbeddedImageFile {
  /// The bytes of an image in a file.
  private struct Span {
    var column: String
    var row: Int
    var bytes: Range<Int>
  }

  package let path: String
  package let size: Int
  package let modified: Int64
  /// The reason why the rest of the file cannot be read; `nil` if all of it can.
  let damage: String?
  private let offsets: [Int]
  private let tree: any SourceTree
  /// The images that were read last.
  private let spans = Mutex<[Span]>([])

  /// The number of bytes of a record beside its content: before it, and all.
  private static let head = 12
  private static let frame = 16
  /// The number of images whose places are remembered.
  private static let spanLimit = 16

  package var rows: Int { offsets.count }

  /// Returns whether a file is called like a record file: `.tfrecord`, `.tfrecords`, `.tfrec` or
  /// `.record`, also before the numbers of a shard, or `train-00000-of-00128` without suffix.
  package static func isNamed(_ path: some StringProtocol) -> Bool {
    // Most of a million files are images.
    let text = String(path)
    guard !text.hasSuffix(ignoringCase: ".jpg"), !text.hasSuffix(ignoringCase: ".png") else {
      return false
    }
    let name = path[(path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex)...]
    guard name.utf8.contains(where: { $0 == UInt8(ascii: ".") }) else { return isShard(name) }
    let lower = name.lowercased()
    return suffixes.contains {
      lower.contains($0 + ".") || lower.contains($0 + "-") || lower.hasSuffix($0)
    }
  }

  /// The suffixes of record files.
  static let suffixes = [".tfrecord", ".tfrecords", ".tfrec", ".record"]

  private static func isShard(_ name: some StringProtocol) -> Bool {
    let words = name.split(separator: "-")
    guard words.count >= 4 else { return false }
    return ShardName.numbers(words.map { String($0) }).map { $0 + 3 == words.count } ?? false
  }

  /// Returns whether a file begins with a record: its length, with the right checksum.
  ///
  /// - Throws: any error that the tree throws.
  static func isRecordFile(_ tree: any SourceTree, _ path: String) throws -> Bool {
    var head = [UInt8](repeating: 0, count: Self.head)
    guard try SourceContent.readHead(tree, path, into: &head) == head.count else { return false }
    return beginsRecord(head)
  }

  /// The reason why a file is none of these, one clause.
  ///
  /// - Throws: any error that the tree throws.
  static func reason(_ tree: any SourceTree, _ file: SourceFile) throws -> String {
    var start = [UInt8](repeating: 0, count: head)
    let count = try SourceContent.readHead(tree, file.path, into: &start)
    return "\(file.path): \(notRecords(start, count))"
  }

  /// Returns whether bytes begin with a length and its checksum.
  static func beginsRecord(_ head: [UInt8]) -> Bool {
    head.withUnsafeBytes { length(of: $0) } != nil
  }

  /// The length that the first 12 bytes state; `nil` if the checksum is not its own.
  private static func length(of head: UnsafeRawBufferPointer) -> UInt64? {
    guard head.count >= Self.head else { return nil }
    let stated = head.loadUnaligned(fromByteOffset: 8, as: UInt32.self).littleEndian
    guard CRC32C.masked(UnsafeRawBufferPointer(rebasing: head[..<8])) == stated else { return nil }
    return head.loadUnaligned(as: UInt64.self).littleEndian
  }

  /// Finds the records of a file.
  ///
  /// - Throws: ``TFRecordError`` if it does not begin with a record; any error that the tree throws.
  package init(_ tree: any SourceTree, _ file: SourceFile) throws {
    (self.tree, path, size, modified) = (tree, file.path, file.size, file.modified)
    var offsets: [Int] = []
    var damage: String?
    // Small records are found with one read for many.
    var window = [UInt8](repeating: 0, count: 1 << 14)
    var read = 0..<0
    var offset = 0
    while offset < file.size {
      if offset < read.lowerBound || offset + Self.head > read.upperBound {
        let count = try window.withUnsafeMutableBytes { bytes in
          try Self.fill(bytes, from: tree, file.path, at: offset)
        }
        read = offset..<offset + count
      }
      let length: UInt64? = window.withUnsafeBytes { bytes in
        Self.length(
          of: UnsafeRawBufferPointer(rebasing: bytes[(offset - read.lowerBound)..<read.count]))
      }
      guard let length else {
        guard offset > 0 else {
          throw TFRecordError(file: file.path, problem: Self.notRecords(window, read.count))
        }
        damage =
          offset + Self.head > file.size
          ? "it ends within a record" : "the checksum of a length at byte \(offset) is wrong"
        break
      }
      guard length <= UInt64(max(0, file.size - offset - Self.frame)) else {
        damage = "it ends within a record of \(length) bytes"
        break
      }
      guard length <= UInt64(TFRecordLimits.record) else {
        damage = "the record at byte \(offset) has more than \(TFRecordLimits.record >> 20) MiB"
        break
      }
      guard offsets.count < TFRecordLimits.rows else {
        throw FormatError.tooManyRows(file.path, limit: TFRecordLimits.rows)
      }
      offsets.append(offset)
      offset += Self.frame + Int(length)
    }
    self.offsets = offsets
    self.damage = damage
  }

  private static func notRecords(_ start: [UInt8], _ count: Int) -> TFRecordProblem {
    let isZlib =
      count > 1 && start[0] & 0x0F == 8 && (Int(start[0]) << 8 | Int(start[1])) % 31 == 0
    if count > 1, start[..<2].elementsEqual(GzipInflater.magic.prefix(2)) {
      return TFRecordProblem(
        "it is compressed with gzip; write it without compression (gunzip < FILE > OTHER.tfrecord)")
    }
    return TFRecordProblem(
      isZlib
        ? "it is compressed with zlib; write it without compression"
        : "it does not begin with a record: the checksum of the first length is wrong")
  }

  private static func fill(
    _ bytes: UnsafeMutableRawBufferPointer, from tree: any SourceTree, _ path: String,
    at offset: Int
  ) throws -> Int {
    var filled = 0
    while filled < bytes.count {
      let rest = UnsafeMutableRawBufferPointer(rebasing: bytes[filled...])
      let part = try tree.read(path, at: offset + filled, into: rest)
      guard part > 0 else { break }
      filled += part
    }
    return filled
  }

  /// The content of a record, after a check of its checksum.
  ///
  /// - Throws: ``TFRecordProblem``; any error that the tree throws.
  func record(_ row: Int) throws -> TFExample {
    guard offsets.indices.contains(row) else { throw TFRecordProblem("it has no record \(row)") }
    let end = row + 1 < offsets.count ? offsets[row + 1] : nil
    let start = offsets[row]
    var bytes: [UInt8]
    if let end {
      bytes = try content(start + Self.head, count: end - start - Self.head)
    } else {
      let head = try content(start, count: Self.head)
      guard let length = head.withUnsafeBytes({ Self.length(of: $0) }),
        length <= UInt64(max(0, size - start - Self.frame))
      else { throw TFRecordProblem("the file has changed") }
      bytes = try content(start + Self.head, count: Int(length) + 4)
    }
    let isWhole = bytes.withUnsafeBytes { bytes in
      CRC32C.masked(UnsafeRawBufferPointer(rebasing: bytes.dropLast(4)))
        == bytes.loadUnaligned(fromByteOffset: bytes.count - 4, as: UInt32.self).littleEndian
    }
    guard isWhole else { throw TFRecordProblem("the checksum of the record is wrong") }
    bytes.removeLast(4)
    return try TFExample(bytes)
  }

  private func content(_ offset: Int, count: Int) throws -> [UInt8] {
    let bytes = try [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      filled = try Self.fill(UnsafeMutableRawBufferPointer(buffer), from: tree, path, at: offset)
    }
    guard bytes.count == count, count >= 4 else { throw TFRecordProblem("the file has changed") }
    return bytes
  }

  package var imageColumns: [String] {
    guard rows > 0, let first = try? record(0) else { return [] }
    return first.keys.filter { first.image($0) != nil }.map(Self.column)
  }

  /// The name of a feature in a path.
  static func column(_ key: String) -> String {
    key.split(separator: "/", omittingEmptySubsequences: false).joined(separator: ".")
  }

  package func readImage(
    _ column: String, row: Int, at offset: Int, into buffer: UnsafeMutableRawBufferPointer
  ) throws -> Int {
    do {
      let span = try span(column, row)
      guard offset < span.count else { return 0 }
      let count = min(buffer.count, span.count - offset)
      return try Self.fill(
        UnsafeMutableRawBufferPointer(rebasing: buffer[..<count]), from: tree, path,
        at: span.lowerBound + offset)
    } catch let problem as TFRecordProblem {
      throw TFRecordError(
        file: path, problem: TFRecordProblem("record \(row): \(problem)"))
    }
  }

  private func span(_ column: String, _ row: Int) throws -> Range<Int> {
    let known = spans.withLock { spans in
      spans.first { $0.row == row && $0.column == column }?.bytes
    }
    if let known { return known }
    let example = try record(row)
    guard let key = example.keys.first(where: { Self.column($0) == column }),
      let image = example.firstBytes(key)
    else { throw TFRecordProblem("it has no bytes of “\(column)”") }
    let start = offsets[row] + Self.head
    let bytes = start + image.startIndex..<start + image.endIndex
    spans.withLock { spans in
      if spans.count >= Self.spanLimit { spans.removeFirst() }
      spans.append(Span(column: column, row: row, bytes: bytes))
    }
    return bytes
  }

  /// Adds the name of the file to problems.
  func naming<Result>(_ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let problem as TFRecordProblem {
      throw TFRecordError(file: path, problem: problem)
    }
  }
}
