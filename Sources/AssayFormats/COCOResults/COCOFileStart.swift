import AssayCore

/// The first value of a JSON file.
enum COCOFileStart {
  case list, object

  /// - Throws: ``COCOFileError``; any error that the tree throws.
  init(_ tree: any SourceTree, _ file: SourceFile) throws {
    let head = try Self.head(tree, file, 1 << 12)
    let start = head.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    guard let first = head[start...].first(where: { ![0x20, 0x09, 0x0A, 0x0D].contains($0) })
    else {
      throw head.count < 1 << 12
        ? COCOFileError.emptyFile(file.path)
        : .notJSON(file.path, found: "it begins with \(head.count) blanks")
    }
    switch first {
    case UInt8(ascii: "["): self = .list
    case UInt8(ascii: "{"): self = .object
    default:
      let kind = SourceContent.binaryKind(of: head)
      let text = String(decoding: head[start...].prefix(40), as: UTF8.self)
        .prefix { !$0.isNewline }
      throw COCOFileError.notJSON(
        file.path, found: kind.map { "it is \($0)" } ?? "it begins with '\(text)'")
    }
  }

  /// The beginning of a file.
  static func head(
    _ tree: any SourceTree, _ file: SourceFile, _ count: Int
  ) throws -> [UInt8] {
    var head = [UInt8](repeating: 0, count: min(count, max(0, file.size)))
    head.removeLast(head.count - (try SourceContent.readHead(tree, file.path, into: &head)))
    return head
  }

  /// A single file, decompressed if it is gzip.
  ///
  /// - Throws: ``FormatError/expandsTooFar(_:bytes:ratio:)``, ``COCOFileError``; any error that the
  ///   tree throws.
  static func opened(
    _ tree: any SourceTree, limits: GzipInflater.Limits = GzipInflater.Limits()
  ) throws -> (any SourceTree, SourceFile) {
    guard tree.isSingleFile, let file = try tree.files().first else {
      throw COCOFileError.folder(tree.name)
    }
    guard try head(tree, file, 2) == GzipInflater.magic else { return (tree, file) }
    let unpacked = try UnpackedFile(tree, file, limits)
    return (unpacked, unpacked.file)
  }
}

/// The decompressed content of a file, in memory.
private struct UnpackedFile: SourceTree {
  let file: SourceFile
  private let bytes: [UInt8]

  private static let limit = 4 << 30

  init(_ tree: any SourceTree, _ packed: SourceFile, _ limits: GzipInflater.Limits) throws {
    var stream = try ByteStream(tree, packed, limits: limits)
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 20)
    while true {
      let count = try buffer.withUnsafeMutableBytes { try stream.read(into: $0) }
      guard count > 0 else { break }
      bytes += buffer[..<count]
      guard bytes.count <= Self.limit else {
        throw COCOFileError.unpackedTooLarge(packed.path, limit: Self.limit)
      }
    }
    if let damage = stream.damage { throw COCOFileError.damaged(packed.path, reason: damage) }
    self.bytes = bytes
    file = SourceFile(path: packed.path, size: bytes.count, modified: packed.modified)
  }

  var name: String { file.path }
  var isSingleFile: Bool { true }

  func files() throws -> [SourceFile] { [file] }

  func read(
    _ path: String, at offset: Int, into buffer: UnsafeMutableRawBufferPointer
  ) throws -> Int {
    let count = max(0, min(buffer.count, bytes.count - offset))
    if count > 0 { buffer.copyBytes(from: bytes[offset..<(offset + count)]) }
    return count
  }
}
