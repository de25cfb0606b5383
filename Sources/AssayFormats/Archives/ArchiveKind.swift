package import AssayCore

/// The archives that are recognized by a file's first bytes.
package enum ArchiveKind: Hashable, Sendable {
  /// Read in place.
  case zip, tar
  /// A tar archive compressed with gzip, read in place after it was unpacked once in memory.
  case gzippedTar
  /// Recognized and not read: compressed as a whole, so that no file in it can be reached alone.
  case packed(Packing)

  /// The archives that must be unpacked before an import.
  package enum Packing: String, Hashable, Sendable {
    case bzip2 = "a tar archive compressed with bzip2"
    case xz = "a tar archive compressed with xz"
    case zstd = "a tar archive compressed with Zstandard"
    case sevenZip = "a 7-Zip archive"
    case rar = "a RAR archive"
  }

  /// True for a tar archive that is read in place, compressed or not.
  package var isTar: Bool { self == .tar || self == .gzippedTar }

  /// The kind of a file; `nil` if it is no archive.
  ///
  /// - Throws: any error that the tree throws.
  package static func detect(_ tree: any SourceTree, _ path: String) throws -> ArchiveKind? {
    var head = [UInt8](repeating: 0, count: 2_048)
    let count = try SourceContent.readHead(tree, path, into: &head)
    head.removeLast(head.count - count)
    let name = (path.split(separator: "/").last ?? "").lowercased()
    if starts(head, [0x50, 0x4B, 3, 4]) || starts(head, [0x50, 0x4B, 5, 6]) { return .zip }
    if TarHeader(head.prefix(TarHeader.size)) != nil { return .tar }
    if starts(head, Array("MZ".utf8)), try ZipDirectory.isAtEnd(of: tree, path) { return .zip }
    if starts(head, Array("7z".utf8) + [0xBC, 0xAF, 0x27, 0x1C]) { return .packed(.sevenZip) }
    if starts(head, Array("Rar!\u{1A}\u{7}".utf8)) { return .packed(.rar) }
    if starts(head, GzipInflater.magic), isNamed(name, "gz", "tgz") || holdsTar(head) {
      return .gzippedTar
    }
    if starts(head, [0x42, 0x5A, 0x68]),
      isNamed(name, "bz2", "tbz", "tbz2") || isNamed(name, "gz", "tgz")
    {
      return .packed(.bzip2)
    }
    if starts(head, [0xFD, 0x37, 0x7A, 0x58, 0x5A]),
      isNamed(name, "xz", "txz") || isNamed(name, "gz", "tgz")
    {
      return .packed(.xz)
    }
    if starts(head, [0x28, 0xB5, 0x2F, 0xFD]),
      isNamed(name, "zst", "tzst") || isNamed(name, "gz", "tgz")
    {
      return .packed(.zstd)
    }
    return nil
  }

  private static func starts(_ head: [UInt8], _ signature: [UInt8]) -> Bool {
    head.starts(with: signature)
  }

  /// Returns whether a file name ends as a compressed tar archive's does.
  private static func isNamed(_ name: String, _ suffix: String, _ short: String...) -> Bool {
    name.hasSuffix(".tar." + suffix) || short.contains { name.hasSuffix("." + $0) }
  }

  /// Returns whether gzip data starts with a tar header.
  private static func holdsTar(_ head: [UInt8]) -> Bool {
    guard let inflater = try? GzipInflater() else { return false }
    var text = [UInt8](repeating: 0, count: TarHeader.size)
    let count = text.withUnsafeMutableBytes { text -> Int in
      _ = try? inflater.refill { free in
        let count = min(free.count, head.count)
        free.copyBytes(from: head[..<count])
        return count
      }
      return inflater.inflate(into: text)
    }
    return count == text.count && TarHeader(text[...]) != nil
  }
}

extension ArchiveKind.Packing {
  /// The command that makes a file or folder that can be imported.
  func command(_ name: String) -> String {
    let file = ShellText.quoted(name)
    let folder = ShellText.quoted(String(name.prefix { $0 != "." }))
    return switch self {
    case .bzip2: "bunzip2 -k \(file)"
    case .xz: "unxz -k \(file)"
    case .zstd: "zstd -d \(file)"
    case .sevenZip: "7z x \(file) -o\(folder)"
    case .rar: "unrar x \(file) \(folder)/"
    }
  }

  /// True if the command leaves a tar archive, which is read in place.
  var leavesTar: Bool { self != .sevenZip && self != .rar }
}
