import AssayCore

/// The classes of Roboflow's semantic masks: `_classes.csv` with the header `Pixel Value, Class`, one in
/// the folder of each split.
struct RoboflowClasses {
  /// The lists' paths.
  private(set) var files: Set<String> = []
  /// The names of the values; `nil` if there is no list.
  private(set) var names: ClassNames?

  private static let fileName = "_classes.csv"
  private static let header = "pixelvalue,class"
  private static let byteLimit = 1 << 20

  /// - Throws: ``FormatError/classList(_:problem:)`` for lists that differ or cannot be read; any error
  ///   that the tree throws.
  init(_ files: [SourceFile], in tree: any SourceTree) throws {
    var first: String?
    for file in files where file.path.fileName == Self.fileName && file.size <= Self.byteLimit {
      let text = String(decoding: try tree.readAll(file.path, limit: Self.byteLimit), as: UTF8.self)
      let lines = text.split(whereSeparator: \.isNewline)
      guard let head = lines.first,
        head.lowercased().filter({ !$0.isWhitespace && $0 != "\u{FEFF}" }) == Self.header
      else { continue }
      let rows = Array(lines.dropFirst().joined(separator: "\n").utf8)
      if let fault = ClassNames.fault(rows, isWide: false) {
        throw FormatError.classList(file.path, problem: fault)
      }
      guard let found = ClassNames(rows) else { continue }
      if let names, let first, names != found {
        throw FormatError.classList(
          file.path, problem: "its classes are not those of \(first): import one of the folders")
      }
      names = found
      first = first ?? file.path
      self.files.insert(file.path)
    }
  }
}
