/// The possible role of a file in a YOLO dataset, from its name alone.
enum YOLOFileRole: UInt8 {
  /// An image that is read.
  case image
  /// An image in a format that assay does not read.
  case unreadableImage
  /// A `.txt` file: labels, a list of images, a list of class names, or any other text.
  case text
  /// A `.yaml` or `.yml` file.
  case yaml
  /// Darknet's `.data` file.
  case darknet
  /// A file whose name is that of a list of classes: `*.names`, `classes.txt`, `_darknet.labels`.
  case names
  /// A file that training programs leave: `labels.cache`.
  case cache
  case other

  /// The names of lists of classes that end in `.txt`, in lower case.
  private static let namesFiles: Set<String> = [
    "classes.txt", "class_names.txt", "labels.txt", "predefined_classes.txt",
  ]

  init(_ path: String) {
    let tail = path.utf8.suffix(7)
    guard let dot = tail.lastIndex(of: UInt8(ascii: ".")) else {
      self = .other
      return
    }
    switch String(decoding: tail[dot...], as: UTF8.self).lowercased() {
    case let suffix where PairPath.isImageName(suffix): self = .image
    case ".dng", ".mpo", ".pfm", ".heic", ".jp2", ".jxl", ".avif", ".gif": self = .unreadableImage
    case ".txt": self = Self.isNamesFile(path) ? .names : .text
    case ".yaml", ".yml": self = .yaml
    case ".data": self = .darknet
    case ".names", ".labels": self = .names
    case ".cache": self = .cache
    default: self = .other
    }
  }

  /// True for images, readable or not.
  var isImage: Bool { self == .image || self == .unreadableImage }

  private static func isNamesFile(_ path: String) -> Bool {
    let bytes = path.utf8
    let name =
      bytes.lastIndex(of: UInt8(ascii: "/")).map { path[bytes.index(after: $0)...] } ?? path[...]
    guard (10...22).contains(name.utf8.count) else { return false }
    return namesFiles.contains(name.lowercased())
  }
}
