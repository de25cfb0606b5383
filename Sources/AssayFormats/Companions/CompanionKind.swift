import AssayCore

/// The kind of a file beside images, determined by its content and, if necessary, its name.
struct CompanionKind: Hashable, Sendable {
  /// The plural name of the kind: `YOLO labels`.
  let name: String
  /// True if they contain labels or images of a known dataset layout, rather than arbitrary data.
  let isAnnotation: Bool
  /// The format that imports files of this kind; `nil` if there is none.
  let format: DatasetFormat?
  /// The command that converts the folder PATH to a format that is imported, in the folder DIR, and what
  /// installs its program; `nil` if none is known, or none is needed.
  let conversion: String?

  /// Annotations.
  init(_ name: String, _ format: DatasetFormat? = nil, conversion: String? = nil) {
    self.name = name
    self.format = format
    self.conversion = conversion
    isAnnotation = true
  }

  /// Files that are no annotations.
  init(other name: String) {
    self.name = name
    format = nil
    conversion = nil
    isAnnotation = false
  }

  /// The number of bytes that suffice to recognize a file.
  static let headBytes = 1 << 16

  /// The kind of a file; `nil` if it is not recognized.
  ///
  /// - Parameters:
  ///   - path: relative to the root, `/` between components.
  ///   - head: the file's first bytes, at most ``headBytes``.
  ///   - size: the file's size in bytes.
  static func of(_ path: String, head: [UInt8], size: Int) -> CompanionKind? {
    let place = CompanionPlace(path)
    if let binary = BinaryCompanion.kind(place, head, size: size) { return binary }
    if let encoding = TextEncoding(head) {
      return CompanionKind(
        other: "text in \(encoding.rawValue), which is not read (\(encoding.advice(path)))")
    }
    guard !head.prefix(4096).contains(0) else { return nil }
    let text = String(decoding: head, as: UTF8.self)
    guard let first = text.first(where: { !$0.isWhitespace && $0 != "\u{FEFF}" }) else {
      return place.folders.contains("labels") && place.suffix == ".txt" ? .yolo : nil
    }
    switch first {
    case "<": return XMLCompanion.kind(text)
    case "{", "[": return JSONCompanion.kind(place, text) ?? TextCompanion.kind(place, text)
    default: return TextCompanion.kind(place, text)
    }
  }
}

/// The significant parts of a companion's path, in lower case.
struct CompanionPlace {
  var folders: [String]
  var name: String
  /// From the last dot on; empty if there is none.
  var suffix: String

  init(_ path: String) {
    var parts = path.lowercased().split(separator: "/").map(String.init)
    name = parts.popLast() ?? ""
    folders = parts
    suffix = FileNameKind.suffix(of: name)
  }
}

/// Recognizes XML annotation files.
enum XMLCompanion {
  static func kind(_ text: String) -> CompanionKind? {
    func has(_ part: String) -> Bool { text.contains(part) }
    if has("<annotations"), has("<image ") || has("<track ") || has("<meta>") {
      return .cvat
    }
    if has("<annotation") {
      if has("<polygon"), has("<pt>") { return .labelMeXML }
      if has("<bndbox") || has("<object") || has("<filename") { return .voc }
    }
    if has("<dataset"), has("<images") { return .dlib }
    return has("<html") || has("<!DOCTYPE html") || has("<svg")
      ? nil : CompanionKind(other: "XML files")
  }
}
