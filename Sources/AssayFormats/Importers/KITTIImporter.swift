package import AssayCore

/// KITTI's 2D object detection: one text per image with boxes in the image and in space, in the tree
/// of the benchmark, of Datumaro (`subset/image_2`, `subset/label_2`), or `images/` and `labels/`.
///
/// The 2D box is the region; the other fields are attributes. Key and location of a sample: its
/// image's path.
package struct KITTIImporter: DatasetImporter {
  package init() {}

  package var format: DatasetFormat { .kitti }

  package var summary: String {
    "KITTI object detection: 2D boxes with 3D fields, one .txt per image"
  }

  package var recognizedBy: String {
    "image_2/x.png with label_2/x.txt, or images/ or data/ with labels/, whose lines are a class and 14 or 15 "
      + "numbers; folders above (training, testing) or ImageSets/*.txt give the splits"
  }

  /// The number of label files that are opened to recognize the format.
  private static let opened = 64

  package func probe(_ tree: any SourceTree) throws -> Probe {
    guard !tree.isSingleFile else { return .noMatch("it is a single file") }
    let files = SortedFiles(try tree.files())
    var (tried, good, all) = (0, 0, 0)
    var example: String?
    var tracked: String?
    for index in KITTILayout.labelFiles(files) {
      guard tried < Self.opened, all < 16 else { break }
      tried += 1
      guard let line = Self.firstLine(of: files[index], in: tree) else { continue }
      all += 1
      if KITTILine.fits(line) {
        good += 1
        example = example ?? files[index]
      } else if KITTILine.isTracked(line) {
        tracked = tracked ?? files[index]
      }
    }
    if let example, 2 * good >= all { return .match("\(example) holds KITTI labels") }
    return .noMatch(
      Self.other(files, tree, tracked)
        ?? (tried == 0
          ? "no text is in a folder label_2 (or labels)"
          : "the texts in label_2 or labels do not hold a class and 14 or 15 numbers per line"))
  }

  /// KITTI's data for other tasks, one clause; `nil` if there is none.
  private static func other(
    _ files: SortedFiles, _ tree: any SourceTree, _ tracked: String?
  ) -> String? {
    let texts = files.files.lazy.map(\.path).filter { path in
      path.hasSuffix(".txt") && path.containsBytes(of: "label_02/")
    }
    if let path = tracked
      ?? texts.first(where: { path in
        firstLine(of: path, in: tree).map(KITTILine.isTracked) ?? false
      })
    {
      return "\(path) holds labels of KITTI tracking, which are not read"
    }
    let hasImages = files.files.contains { $0.path.containsBytes(of: "image_2/") }
    if let mask = files.files.first(where: { file in
      let path = "/" + file.path
      return path.hasSuffix(".png")
        && (path.containsBytes(of: "/instance/") || path.containsBytes(of: "/semantic/"))
    }), hasImages {
      return "\(mask.path) is a mask of KITTI segmentation, which is not read"
    }
    if let mask = files.files.first(where: { file in
      file.path.hasSuffix(".png") && "/\(file.path)".containsBytes(of: "/instances/")
        && file.path.split(separator: "/").count >= 3
    }), files.files.contains(where: { $0.path.containsBytes(of: "image_02/") }) {
      return "\(mask.path) is a mask of KITTI MOTS, which is not read"
    }
    return nil
  }

  /// The fields of the first line of a text that is not blank; `nil` if there is none.
  private static func firstLine(of path: String, in tree: any SourceTree) -> [Substring]? {
    var head = [UInt8](repeating: 0, count: 1024)
    guard let count = try? SourceContent.readHead(tree, path, into: &head) else { return nil }
    let text = String(decoding: head[..<count], as: UTF8.self)
    for line in text.split(whereSeparator: \.isNewline) {
      let fields = line.split { $0.isWhitespace || $0 == "\u{FEFF}" }
      if !fields.isEmpty { return fields }
    }
    return nil
  }

  package func companions(in tree: any SourceTree) throws -> Companions? {
    guard !tree.isSingleFile else { return nil }
    let layout = try KITTILayout(tree)
    guard !layout.labels.isEmpty else { return nil }
    var isRead = [Bool](repeating: false, count: layout.files.count)
    for index in layout.labels { isRead[Int(index)] = true }
    let unread = layout.files.files.indices.filter { !isRead[$0] }.map { layout.files.files[$0] }
    let signs = layout.masks.first.map { first in
      "\(layout.masks.count) \(layout.masks.count == 1 ? "image looks" : "images look") like masks of "
        + "KITTI segmentation (\(first))"
    }
    return try Companions(
      Companions.candidates(unread).filter { file in
        !layout.lists.contains(file.path)
          && CompanionPlace(file.path).name != DatumaroMeta.fileName
      }, in: tree, signs: [signs].compactMap(\.self), isKnownOnly: true,
      datasets: layout.examples.map { ($0, "KITTI labels") })
  }

  package func run(
    _ tree: any SourceTree, _ options: ImportOptions, deliver: (ImportedBatch) throws -> Void
  ) throws -> FinishedImport {
    try options.refuse([.size], for: format)
    let found = try probe(tree)
    guard found.isMatch else {
      throw FormatError.mismatch(name: tree.name, format: format, reason: found.reason)
    }
    let layout = try KITTILayout(tree)
    let names = try DatumaroMeta.names(layout.files.files, in: tree)
    let source = KITTISource(tree, layout, given: options.classes, names: names)
    var pass = try RegionImport(tree, source, options)
    var finished = try pass.run(deliver)
    finished.notes += layout.notes
    return finished
  }
}
