import AssayCore

/// Lists the members of a tar archive: `ustar`, `pax`, and GNU's long names.
struct TarMembers {
  private let file: ArchiveFile
  private var entries: ArchiveEntries
  private var window: ArchiveWindow
  /// The fields of the next member that headers before it state.
  private var next = Stated()

  private struct Stated {
    var name: [UInt8]?
    var size: Int?
    var seconds: Double?
    var isSparse = false
  }

  /// The maximum size of the fields of one member.
  private static let fieldLimit = 1 << 20

  private init(_ file: ArchiveFile) {
    self.file = file
    entries = ArchiveEntries(archive: file.name)
    // Members that are smaller are read along with the headers.
    window = ArchiveWindow(file, span: 1 << 14)
  }

  /// - Throws: ``ArchiveError``; any error that the tree throws.
  static func read(_ file: ArchiveFile) throws -> ArchiveEntries {
    var members = TarMembers(file)
    try members.run()
    return members.entries
  }

  private func damaged(_ problem: String) -> ArchiveError { .damaged(file.name, problem: problem) }

  private mutating func run() throws {
    var place = 0
    while true {
      guard let block = try window.bytes(at: place, count: TarHeader.size) else {
        if place < file.size {
          entries.note(
            .truncated, file.name, "the tar archive ends in a header, at byte \(file.size)")
        } else {
          entries.note(
            .truncated, file.name,
            "the tar archive has no end mark (blocks of zeros) behind its last member, at byte "
              + "\(file.size), so it may be cut off; all of its members are read",
            severity: .warning)
        }
        return
      }
      if block.allSatisfy({ $0 == 0 }) { return try finish(from: place) }
      guard let header = TarHeader(block), var size = header.dataSize else {
        throw damaged("the tar archive is damaged at byte \(place)")
      }
      try entries.count()
      var data = place + TarHeader.size
      if header.kind == UInt8(ascii: "S"), header.hasMoreSparse { data = try sparseMap(from: data) }
      if isMember(header.kind) { size = next.size ?? size }
      let (end, overflow) = data.addingReportingOverflow(size)
      guard !overflow, end <= Int.max - TarHeader.size else {
        throw damaged("the tar archive is damaged at byte \(place)")
      }
      try take(header, data: data, size: size)
      guard end <= file.size else { return }
      place = (end + TarHeader.size - 1) / TarHeader.size * TarHeader.size
    }
  }

  private func isMember(_ kind: UInt8) -> Bool {
    !["x", "g", "L", "K", "X"].contains { UInt8(ascii: $0) == kind }
  }

  /// The offset behind the blocks of a sparse file's map.
  private mutating func sparseMap(from start: Int) throws -> Int {
    var place = start
    while let block = try window.bytes(at: place, count: TarHeader.size) {
      place += TarHeader.size
      if block[block.startIndex + 504] == 0 { break }
    }
    return place
  }

  private mutating func take(_ header: TarHeader, data: Int, size: Int) throws {
    switch header.kind {
    case UInt8(ascii: "x"), UInt8(ascii: "X"):
      try readFields(try fields(at: data, size))
      return
    case UInt8(ascii: "L"):
      next.name = TarHeader.text(try fields(at: data, size))
      return
    case UInt8(ascii: "g"), UInt8(ascii: "K"): return
    default: break
    }
    let stated = next
    next = Stated()
    let bytes = stated.name ?? header.name
    let name = String(decoding: bytes, as: UTF8.self)
    if header.kind == UInt8(ascii: "5") || name.hasSuffix("/") { return }
    guard let path = entries.path(of: name) else { return }
    guard String(validating: bytes, as: UTF8.self) != nil else {
      entries.note(.badUTF8, path, "the member's name is not valid UTF-8; left out")
      return
    }
    switch header.kind {
    case 0, UInt8(ascii: "0"), UInt8(ascii: "7"): break
    case UInt8(ascii: "1"), UInt8(ascii: "2"):
      let kind = header.kind == UInt8(ascii: "2") ? "a symbolic link" : "a hard link"
      entries.note(.unsupportedFile, path, "\(kind) in an archive; not followed, left out")
      return
    case UInt8(ascii: "S"):
      entries.note(.unsupportedFile, path, "a sparse file; left out (unpack the archive)")
      return
    default:
      entries.note(.unsupportedFile, path, "neither a file nor a folder; left out")
      return
    }
    guard !stated.isSparse else {
      entries.note(.unsupportedFile, path, "a sparse file; left out (unpack the archive)")
      return
    }
    guard data + size <= file.size else {
      entries.note(
        .truncated, path,
        "the tar archive ends in this member, at byte \(file.size); left out, with all that follows"
      )
      return
    }
    let seconds = stated.seconds ?? Double(header.seconds)
    entries.add(
      path, size: size, modified: Int64(exactly: (seconds * 1e9).rounded()) ?? 0,
      ArchiveEntries.Place(offset: data, packed: size, method: .plain))
  }

  /// The data of a header that states fields of the next member.
  private mutating func fields(at place: Int, _ size: Int) throws -> [UInt8] {
    guard size <= Self.fieldLimit, let bytes = try window.bytes(at: place, count: size) else {
      throw damaged(
        "the tar archive is cut off at byte \(place), or has more than \(Self.fieldLimit) bytes of "
          + "fields there")
    }
    return Array(bytes)
  }

  /// Reads `pax` records: `LENGTH NAME=VALUE` and a line feed each.
  private mutating func readFields(_ bytes: [UInt8]) throws {
    var rest = bytes[...]
    while let first = rest.first, first != 0 {
      let digits = rest.prefix { (0x30...0x39).contains($0) }
      guard !digits.isEmpty, digits.count < 9,
        let length = Int(String(decoding: digits, as: UTF8.self)), length > digits.count + 1,
        length <= rest.count, rest[rest.startIndex + digits.count] == 0x20,
        rest[rest.startIndex + length - 1] == 0x0A
      else { throw damaged("a field of the tar archive is damaged") }
      let record = rest.prefix(length - 1).dropFirst(digits.count + 1)
      rest = rest.dropFirst(length)
      guard let mark = record.firstIndex(of: UInt8(ascii: "=")) else { continue }
      let value = Array(record[(mark + 1)...])
      switch String(decoding: record[..<mark], as: UTF8.self) {
      case "path": next.name = value
      case "size":
        guard let size = Int(String(decoding: value, as: UTF8.self)), size >= 0 else {
          throw damaged("a size in the tar archive is damaged")
        }
        next.size = size
      case "mtime": next.seconds = Double(String(decoding: value, as: UTF8.self))
      case let name where name.hasPrefix("GNU.sparse."): next.isSparse = true
      default: break
      }
    }
  }

  /// Reports members behind the archive's end, as in archives that were appended to each other.
  private mutating func finish(from end: Int) throws {
    var place = end
    let limit = min(file.size, end + (1 << 20))
    while place < limit, let block = try window.bytes(at: place, count: TarHeader.size) {
      if TarHeader(block) != nil {
        entries.note(
          .truncated, file.name,
          "the tar archive's end mark is at byte \(end), and another archive follows at byte \(place); "
            + "that one is not read (take it apart with tar --ignore-zeros)")
        return
      }
      place += TarHeader.size
    }
  }
}
