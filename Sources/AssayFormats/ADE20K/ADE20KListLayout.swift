import AssayCore

/// The images of a source in the layout of ADE20K's full releases of 2016 and 2017, with their lists of
/// objects: `x.jpg`, `x_atr.txt`, `x_seg.png` and `x_parts_1.png` in one folder. Nothing is opened.
struct ADE20KListLayout: Sendable {
  struct Item: Sendable {
    /// The path of the image, also if there is none.
    var path: String
    /// The path without the ending: that of the list and the masks.
    var stem: String
    var split: String?
  }

  let files: SortedFiles
  /// By the path of the image.
  private(set) var items: [Item] = []
  private(set) var issues: [Issue] = []
  /// The number of images without a list.
  private(set) var imagesLeftOut = 0

  private static let suffixes = [".jpg", ".jpeg", ".png", ".JPG", ".JPEG", ".PNG"]

  init(_ files: [SourceFile]) {
    self.files = SortedFiles(files)
    var (images, masks) = (0, [String]())
    for file in files {
      if let stem = Self.stem(ofList: file.path) {
        let paths = Self.suffixes.map { stem + $0 }
        let path = paths.first { self.files.index(of: $0) != nil } ?? paths[0]
        items.append(
          Item(
            path: path, stem: stem,
            split: YOLOFolderFacts.split(of: SortedFiles.folder(of: path))?.name))
      } else if PairPath.isImageName(file.path) {
        if ADE20KJSON.isMask(file.path) { masks.append(file.path) } else { images += 1 }
      }
    }
    items.sort { SortedFiles.precedes($0.path, $1.path) }
    imagesLeftOut = images - items.count { self.files.index(of: $0.path) != nil }
    for path in masks {
      guard path.hasSuffix(ADE20KLevel.ending(0)) else { continue }
      let stem = path.dropLast(ADE20KLevel.ending(0).count)
      guard self.files.index(of: stem + ADE20KList.ending) == nil else { continue }
      issues.append(
        Issue(
          .unpairedMask, .warning, at: IssueLocation(file: path),
          "no \(stem.split(separator: "/").last ?? "")\(ADE20KList.ending) lists its objects; the "
            + "image is left out"))
    }
  }

  /// The path without the ending of a list's; `nil` for other files.
  static func stem(ofList path: String) -> String? {
    path.hasSuffix(ADE20KList.ending) ? String(path.dropLast(ADE20KList.ending.count)) : nil
  }

  /// The paths of the lists of a source.
  static func lists(_ files: [SourceFile]) -> [SourceFile] {
    files.filter { $0.path.utf8.suffix(8).elementsEqual(ADE20KList.ending.utf8) }
  }

  /// Checks whether a source has lists of objects with masks.
  ///
  /// - Throws: any error that the tree throws while it lists its files.
  static func probe(_ tree: any SourceTree) throws -> Probe {
    let files = try tree.files()
    let lists = lists(files)
    guard !lists.isEmpty else { return .noMatch("it has no x_atr.txt") }
    let sorted = SortedFiles(files)
    var head = [UInt8](repeating: 0, count: 4096)
    for file in JSONImageFiles.spread(lists, JSONImageFiles.opened) {
      guard let stem = stem(ofList: file.path),
        sorted.index(of: stem + ADE20KLevel.ending(0)) != nil,
        let count = try? SourceContent.readHead(tree, file.path, into: &head),
        let line = String(decoding: head[..<count], as: UTF8.self)
          .split(whereSeparator: \.isNewline).first(where: { !$0.allSatisfy(\.isWhitespace) }),
        ADE20KList.isLine(line)
      else { continue }
      return .match("\(file.path) lists the objects of \(stem)\(ADE20KLevel.ending(0))")
    }
    return .noMatch("\(lists[0].path) does not list the objects of a mask beside it")
  }

  /// A list of each dataset in a source: of each folder above a folder `images` or similar.
  var examples: [String] {
    var found: [String: String] = [:]
    for item in items {
      guard let root = DatasetRoots.root(of: SortedFiles.folder(of: item.stem)) else { continue }
      found[root] = found[root] ?? item.stem + ADE20KList.ending
    }
    return found.values.sorted()
  }
}
