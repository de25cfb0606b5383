/// The kind of a file beside images, determined by its content and, if necessary, its name.
struct CompanionKind: Hashable, Sendable {
  /// The plural name of the kind: `YOLO labels`.
  var name: String
  /// True if they contain labels or images of a known dataset layout, rather than arbitrary data.
  var isAnnotation = true

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
        name: "text in \(encoding.rawValue), which is not read (\(encoding.advice(path)))",
        isAnnotation: false)
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

  static let yolo = CompanionKind(name: "YOLO labels")
  /// A model's detections; not a dataset's labels.
  static let cocoResults = CompanionKind(name: "COCO results", isAnnotation: false)
  static let groundTruth = CompanionKind(name: "SageMaker Ground Truth manifests")
  static let voc = CompanionKind(name: "Pascal VOC annotations")
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
      return CompanionKind(name: "CVAT annotations (XML)")
    }
    if has("<annotation") {
      if has("<polygon"), has("<pt>") { return CompanionKind(name: "LabelMe annotations (XML)") }
      if has("<bndbox") || has("<object") || has("<filename") { return .voc }
    }
    if has("<dataset"), has("<images") { return CompanionKind(name: "dlib annotations (XML)") }
    return has("<html") || has("<!DOCTYPE html") || has("<svg")
      ? nil : CompanionKind(name: "XML files", isAnnotation: false)
  }
}
