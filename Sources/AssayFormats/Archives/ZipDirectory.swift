import AssayCore
import CZlib

/// Reads the central directory of a zip archive. Source: PKWARE's APPNOTE 6.3.10; where archives
/// disagree with it, CPython's `zipfile`.
struct ZipDirectory {
  private let file: ArchiveFile
  private var entries: ArchiveEntries
  /// The bytes before the archive's own first byte, as self-extracting archives have.
  private var base = 0
  /// The range of each entry's header and data.
  private var spans: [(start: Int, end: Int, name: String)] = []

  private init(_ file: ArchiveFile) {
    self.file = file
    entries = ArchiveEntries(archive: file.name)
  }

  /// - Throws: ``ArchiveError``; any error that the tree throws.
  static func read(_ file: ArchiveFile) throws -> ArchiveEntries {
    var directory = ZipDirectory(file)
    try directory.run()
    return directory.entries
  }

  /// Returns whether a file ends with a zip archive's directory, as a program that unpacks itself does.
  ///
  /// - Throws: any error that the tree throws.
  static func isAtEnd(of tree: any SourceTree, _ path: String) throws -> Bool {
    let file = ArchiveFile(tree: tree, path: path, size: try size(of: tree, path))
    return (try? ZipDirectory(file).findEnd()) != nil
  }

  /// The size of a file, found by reading single bytes: listing all files of a large folder takes longer.
  private static func size(of tree: any SourceTree, _ path: String) throws -> Int {
    func isInside(_ offset: Int) throws -> Bool {
      var byte: UInt8 = 0
      return try withUnsafeMutableBytes(of: &byte) { try tree.read(path, at: offset, into: $0) } > 0
    }
    var (low, high) = (0, 1 << 16)
    while try high < 1 << 50 && isInside(high) { (low, high) = (high, high * 2) }
    while low < high {
      let middle = (low + high) / 2
      if try isInside(middle) { low = middle + 1 } else { high = middle }
    }
    return low
  }

  private static let endSize = 22
  private static let entrySize = 46
  static let localSize = 30

  private func damaged(_ problem: String) -> ArchiveError {
    .damaged(file.name, problem: problem)
  }

  private mutating func run() throws {
    let end = try findEnd()
    let start = end.place - end.size
    base = start - end.offset
    guard start >= 0, base >= 0 else { throw damaged("the zip archive's directory is cut off") }
    var separators: (slash: Bool, backslash: Bool) = (false, false)
    try scan(from: start, to: end) { directory, record in
      try directory.entries.count()
      let name = record.name.utf8
      separators.slash = separators.slash || name.contains(UInt8(ascii: "/"))
      separators.backslash = separators.backslash || name.contains(UInt8(ascii: "\\"))
    }
    try scan(from: start, to: end) { directory, record in
      var record = record
      // APPNOTE 4.4.17.1 allows only “/”; programs for Windows write “\” nevertheless, some of them with
      // another host in the entries.
      if separators.backslash, !separators.slash { record.replaceBackslashes() }
      directory.add(record, limit: start)
    }
    try checkOverlaps()
  }

  /// Calls a closure with each entry of the directory.
  private mutating func scan(
    from start: Int, to end: End, _ body: (inout ZipDirectory, ZipRecord) throws -> Void
  ) throws {
    var window = ArchiveWindow(file, span: 1 << 20)
    var place = start
    var read = 0
    while place < end.place {
      guard let fixed = try window.bytes(at: place, count: Self.entrySize),
        fixed.number(at: 0, bytes: 4) == 0x0201_4B50
      else { throw damaged("the zip archive's directory is damaged at byte \(place)") }
      let lengths = [28, 30, 32].map { fixed.number(at: $0, bytes: 2) }
      let tail = lengths.reduce(0, +)
      guard place + Self.entrySize + tail <= end.place,
        let record = try window.bytes(at: place, count: Self.entrySize + tail)
      else { throw damaged("the zip archive's directory is damaged at byte \(place)") }
      try body(&self, ZipRecord(record, name: lengths[0], extra: lengths[1]))
      place += Self.entrySize + tail
      read += 1
    }
    guard read == end.count || (!end.isLarge && read & 0xFFFF == end.count) else {
      throw damaged("the zip archive's directory has \(read) entries; expected \(end.count)")
    }
  }

  private struct End {
    /// The offset of the byte after the directory.
    var place: Int
    var count: Int
    var size: Int
    var offset: Int
    var isLarge = false
  }

  /// Finds the record at the end of the archive.
  private func findEnd() throws -> End {
    let reach = min(file.size, Self.endSize + 0xFFFF)
    let tail = try file.bytes(at: file.size - reach, count: reach)[...]
    var found: Int?
    for place in stride(from: tail.count - Self.endSize, through: 0, by: -1)
    where tail[place] == 0x50 && tail.number(at: place, bytes: 4) == 0x0605_4B50 {
      guard place + Self.endSize + tail.number(at: place + 20, bytes: 2) == tail.count else {
        continue
      }
      found = place
      break
    }
    guard let found else {
      throw damaged("the zip archive has no directory at its end; it is cut off or damaged")
    }
    let place = file.size - reach + found
    var end = End(
      place: place, count: tail.number(at: found + 10, bytes: 2),
      size: tail.number(at: found + 12, bytes: 4), offset: tail.number(at: found + 16, bytes: 4))
    let disks = [4, 6].map { tail.number(at: found + $0, bytes: 2) }
    if let large = try largeEnd(before: place) { return large }
    guard disks.allSatisfy({ $0 == 0 }) else {
      throw ArchiveError.unsupported(file.name, problem: "the zip archive has several parts")
    }
    if end.size > place { end.size = .max / 2 }
    return end
  }

  /// The record of an archive over 4 GiB or 65,535 entries (zip64); `nil` if there is none.
  private func largeEnd(before place: Int) throws -> End? {
    let locator = try file.bytes(at: place - 20, count: 20)[...]
    guard locator.count == 20, locator.number(at: 0, bytes: 4) == 0x0706_4B50 else { return nil }
    let stated = locator.number(at: 8, bytes: 8)
    for start in [stated, place - 20 - 56] where start >= 0 && start <= place - 76 {
      let record = try file.bytes(at: start, count: 56)[...]
      guard record.count == 56, record.number(at: 0, bytes: 4) == 0x0606_4B50 else { continue }
      guard record.number(at: 16, bytes: 4) == 0, record.number(at: 20, bytes: 4) == 0 else {
        throw ArchiveError.unsupported(file.name, problem: "the zip archive has several parts")
      }
      let size = record.number(at: 40, bytes: 8)
      let offset = record.number(at: 48, bytes: 8)
      guard size <= start, offset <= start else { break }
      return End(
        place: start, count: record.number(at: 32, bytes: 8), size: size, offset: offset,
        isLarge: true)
    }
    throw damaged("the zip archive's directory is damaged")
  }

  private mutating func add(_ record: ZipRecord, limit: Int) {
    let name = record.name
    let start = base.addingReportingOverflow(record.offset)
    let end = start.partialValue.addingReportingOverflow(record.packed)
    let isInside =
      !start.overflow && !end.overflow
      && end.partialValue <= limit - Self.localSize
    // The local header can have another spelling of the name, of another length.
    if isInside { spans.append((start.partialValue, end.partialValue + Self.localSize, name)) }
    guard !name.hasSuffix("/"), let path = entries.path(of: name) else { return }
    guard isInside else {
      entries.note(.truncated, path, "the entry's data is not in the archive; left out")
      return
    }
    if let problem = record.problem {
      entries.note(problem.kind, path, problem.message)
      return
    }
    entries.add(
      path, size: record.size, modified: record.modified,
      ArchiveEntries.Place(
        offset: start.partialValue, packed: record.packed, checksum: record.checksum,
        method: record.method == 0 ? .stored : .deflated))
  }

  /// Two entries with the same data let an archive of a few megabytes expand to any size.
  private func checkOverlaps() throws {
    let order = spans.indices.sorted { spans[$0].start < spans[$1].start }
    for (a, b) in zip(order, order.dropFirst()) where spans[b].start < spans[a].end {
      throw ArchiveError.overlap(file.name, entry: spans[b].name)
    }
  }
}
