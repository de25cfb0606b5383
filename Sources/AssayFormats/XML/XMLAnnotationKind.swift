import AssayCore

/// The format of an XML file of annotations, from its beginning.
enum XMLAnnotationKind: Hashable, Sendable {
  /// Pascal VOC's: boxes with `bndbox`, or an image without objects.
  case voc
  /// The original LabelMe tool's: polygons with `pt`, or masks with `segm`.
  case labelMe
  /// CVAT's: images and tracks below `annotations`.
  case cvat
  /// Any other XML, or none.
  case other

  /// The elements that only LabelMe has.
  private static let labelMeNames: Set<String> = [
    "pt", "segm", "deleted", "verified", "imagesize", "nrows", "hasparts", "ispartof",
    "sourceImage",
    "sourceAnnotation",
  ]
  private static let vocNames: Set<String> = [
    "bndbox", "size", "segmented", "object", "filename", "robndbox",
  ]

  /// The number of bytes that are read to recognize a file.
  static let headBytes = 1 << 16

  /// - Parameter head: the file's first bytes.
  init(_ head: [UInt8]) {
    self = .other
    guard let reader = try? XMLReader() else { return }
    // A cut or broken file is recognized by what comes before the end.
    try? reader.parse(head, isLast: false)
    var root: String?
    var names: Set<String> = []
    var isCVAT = false
    for case .start(let name, let attributes, _, _) in reader.events {
      guard let root else {
        root = name
        continue
      }
      names.insert(name)
      guard root == "annotations" else { continue }
      let keys = Set(attributes.map(\.name))
      isCVAT =
        isCVAT || name == "meta" || (name == "image" && keys.isSuperset(of: ["id", "name"]))
        || (name == "track" && keys.isSuperset(of: ["id", "label"]))
    }
    if root == "annotations" {
      self = isCVAT ? .cvat : .other
    } else if root == "annotation" {
      if !names.isDisjoint(with: Self.labelMeNames) {
        self = .labelMe
      } else if !names.isDisjoint(with: Self.vocNames) {
        self = .voc
      }
    }
  }

  /// The problem with the beginning of a file; `nil` for none that is known yet.
  static func problem(of path: String, in tree: any SourceTree) -> XMLProblem? {
    guard let reader = try? XMLReader() else { return nil }
    do {
      try reader.parse(head(of: path, in: tree), isLast: false)
      return nil
    } catch {
      return error
    }
  }

  private static func head(of path: String, in tree: any SourceTree) -> [UInt8] {
    var head = [UInt8](repeating: 0, count: headBytes)
    let count = (try? SourceContent.readHead(tree, path, into: &head)) ?? 0
    head.removeLast(head.count - count)
    return head
  }

  /// The format of a file; ``other`` if it cannot be read.
  init(_ path: String, in tree: any SourceTree) {
    self.init(Self.head(of: path, in: tree))
  }
}
