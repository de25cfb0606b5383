import AssayCore

/// The meaning of an entry's name in an archive.
enum ArchiveName: Hashable {
  /// A path below the archive's root, `/` between components.
  case file(String)
  /// A hidden file, or one that macOS adds.
  case hidden
  /// A name that leaves the archive: absolute, or with `..`.
  case outside
  /// A name that is empty, too long or nested too deep.
  case unusable

  /// The maximum length of a name in bytes, and the maximum number of folders above a file.
  static let lengthLimit = 4_096
  static let depthLimit = 64

  init(_ name: String) {
    let bytes = name.utf8
    guard !bytes.isEmpty, bytes.count <= Self.lengthLimit, !bytes.contains(0) else {
      self = .unusable
      return
    }
    let isDrive = bytes.dropFirst().first == UInt8(ascii: ":") && name.first?.isLetter == true
    var parts = name.split(separator: "/")
    guard bytes.first != UInt8(ascii: "/"), !isDrive, !parts.contains("..") else {
      self = .outside
      return
    }
    parts.removeAll { $0 == "." }
    if parts.contains(where: HiddenName.isFolder) {
      self = .hidden
    } else if parts.isEmpty || parts.count > Self.depthLimit + 1 {
      self = .unusable
    } else {
      // The common case needs no new text.
      let length = parts.reduce(parts.count - 1) { $0 + $1.utf8.count }
      self = .file(length == bytes.count ? name : parts.joined(separator: "/"))
    }
  }
}

/// Code page 437, in which zip archives without a Unicode mark spell names.
enum CodePage437 {
  private static let upper = Array(
    "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀"
      + "αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u{A0}")

  static func text(_ bytes: some Sequence<UInt8>) -> String {
    String(
      bytes.map { byte in
        let place = Int(byte) - 128
        return upper.indices.contains(place) ? upper[place] : Character(Unicode.Scalar(byte))
      })
  }
}
