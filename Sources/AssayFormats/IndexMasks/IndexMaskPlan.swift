import AssayCore
import AssayImaging

/// The interpretation of a set of images and index masks: the pairs, and the meaning of values.
struct IndexMaskPlan: Sendable {
  /// The source's name, for issues that concern it as a whole.
  var name: String
  var pairs: [MaskPair]
  var classes: IndexClasses
  var colors: LabelColors?
  /// The issues found before a mask was opened.
  var issues: [Issue] = []
  /// The names of the values, if nothing in the source states them.
  var assumption: Assumption?
  /// The number of names of a list that is taken to begin at 1, though nothing says so; `nil` for others.
  var assumedFromOne: Int?
  /// The number of files and lines that the issues omit.
  var rejected = 0
  /// Names the files of a pair that is read.
  var naming: @Sendable (MaskPair) -> MaskPair = { $0 }

  /// Names of values that the source does not state.
  struct Assumption: Sendable {
    /// One sentence without a period.
    var note: String
    /// The reason against the names if the masks have no other values than 0, 1 and 255.
    var refusalOfBinary: String
  }

  /// Reads all pairs and delivers them in order.
  ///
  /// - Parameter images: the tree of the images, if it is another one than that of the masks.
  /// - Throws: ``FormatError/ambiguousMask(_:problem:)``; any error that `deliver` throws.
  func run(
    _ tree: any SourceTree, images: (any SourceTree)? = nil, _ options: ImportOptions,
    deliver: (ImportedBatch) throws -> Void
  ) throws -> FinishedImport {
    var merge = IndexMaskMerge(self, split: options.split)
    try deliver(merge.start())
    let reader = MaskReader(tree: tree, images: images, classes: classes, colors: colors)
    var start = 0
    try OrderedWorkers(workers: options.workers).run(
      next: { () -> ArraySlice<MaskPair>? in
        guard start < pairs.count else { return nil }
        defer { start += IndexMaskMerge.batchSize }
        return pairs[start..<min(pairs.count, start + IndexMaskMerge.batchSize)]
      },
      transform: { [naming] _, pairs in pairs.map { reader.read(naming($0)) } },
      deliver: { readings in try deliver(merge.add(readings)) })
    try deliver(try merge.finish())
    var run = FinishedImport(outcome: merge.outcome, contentHash: nil)
    // A few masks do not make a folder of images a set of masks.
    run.imagesLeftOut = rejected
    run.notes += [assumption?.note].compactMap(\.self)
    if assumedFromOne != nil {
      run.notes.append(
        "the list of classes has no numbers and no background: its names are taken for the values 1, 2, …, and 0 for "
          + "background")
    }
    return run
  }

  /// Returns whether one of the first pairs looks like an image with its mask: both images have one
  /// size, and the mask keeps its values and has few of them, or few colors.
  static func isPlausible(_ pairs: [MaskPair], in tree: any SourceTree) -> Bool {
    pairs.prefix(4).contains { pair in
      guard let bytes = try? tree.readAll(pair.mask.path, limit: 64 << 20),
        let header = try? ImageCodec.header(of: bytes), !header.isLossy,
        case .success(let size) = ImageProbe(tree, pair.image).size, header.orientedSize == size
      else { return false }
      guard header.channels >= 3 else { return true }
      return (try? ImageCodec.decode(bytes, as: .rgb8)).map(hasFewColors) ?? false
    }
  }

  /// Returns whether the first readable mask is a color mask.
  static func isColor(_ pairs: [MaskPair], in tree: any SourceTree) -> Bool {
    for pair in pairs.prefix(16) {
      guard let bytes = try? tree.readAll(pair.mask.path, limit: 64 << 20),
        let header = try? ImageCodec.header(of: bytes), !header.isLossy
      else { continue }
      return header.channels >= 3
    }
    return false
  }

  /// Returns whether any mask has gray of 16 bits. Reads only the heads of PNG files.
  static func isWide(_ pairs: [MaskPair], in tree: any SourceTree) -> Bool {
    // The signature, and the first fields of IHDR: its length and name, the sizes, depth and color.
    var head = [UInt8](repeating: 0, count: 26)
    return pairs.contains { pair in
      guard let filled = try? SourceContent.readHead(tree, pair.mask.path, into: &head),
        filled == head.count
      else { return false }
      switch head.withUnsafeBytes({ ImageKind.detect($0) }) {
      case .png: return head[24] == 16 && (head[25] == 0 || head[25] == 4)
      case .tiff, .pnm:
        let header = (try? tree.readAll(pair.mask.path, limit: 64 << 20)).flatMap {
          try? ImageCodec.header(of: $0)
        }
        return header.map { $0.bitDepth == 16 && $0.channels <= 2 } ?? false
      case .jpeg, .webp, .bmp, nil: return false
      }
    }
  }

  private static func hasFewColors(_ raster: Raster<UInt8>) -> Bool {
    var colors: Set<UInt32> = []
    for pixel in 0..<raster.width * raster.height {
      let values = raster.elements[3 * pixel..<3 * pixel + 3]
      colors.insert(values.reduce(0) { $0 << 8 | UInt32($1) })
      if colors.count > 255 { return false }
    }
    return true
  }

  /// The first of some files with one of these names, nearest to the root.
  static func file(_ files: [SourceFile], called names: [String]) -> SourceFile? {
    func depth(_ file: SourceFile) -> Int { file.path.utf8.count { $0 == UInt8(ascii: "/") } }
    for name in names {
      let found = files.filter {
        $0.path.hasSuffix(ignoringCase: name) && $0.path.fileName.lowercased() == name
      }
      if let file = found.min(by: { depth($0) < depth($1) }) { return file }
    }
    return nil
  }
}
