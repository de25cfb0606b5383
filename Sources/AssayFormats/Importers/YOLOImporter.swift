package import AssayCore

/// YOLO's label files, one text per image: the trees of Ultralytics and Roboflow with `data.yaml`,
/// those of Darknet with `obj.data`, and folders of images and labels without a data file.
///
/// A line is a class and a box, a polygon, or a box with keypoints, relative to the displayed size
/// of the image. Key and location of a sample: its image's path.
package struct YOLOImporter: DatasetImporter {
  package init() {}

  package var format: DatasetFormat { .yolo }

  package var summary: String {
    "YOLO labels: boxes, polygons and keypoints in one .txt file per image"
  }

  package var recognizedBy: String {
    "x.jpg with YOLO lines (class x y width height, or class and points) in x.txt: in labels/ "
      + "beside images/ (splits above or below) or beside the image; data.yaml, obj.data or lists "
      + "such as train.txt give splits and class names"
  }

  package func probe(_ tree: any SourceTree) throws -> Probe {
    guard !tree.isSingleFile else {
      return .noMatch("it is a single file; to import a YOLO dataset, name its folder")
    }
    var inventory = try YOLOInventory(tree)
    let found = Self.search(&inventory)
    let data = inventory.dataFiles.first { file in
      let bases = YOLODataFiles.bases(of: file, inventory.files).folders
      let finder = YOLOPathFinder(inventory.files)
      return file.entries.contains { finder.find($0.path, bases: bases) != nil }
    }
    let by = data.map { "; \($0.path) describes the dataset" } ?? ""
    if let (image, label) = found.example {
      return .match(
        "\(inventory.files[label]) holds YOLO labels of \(inventory.files[image])\(by)")
    }
    guard inventory.roles.contains(where: \.isImage) else {
      return .noMatch(
        "it has no image with a label file"
          + (inventory.roles.contains(.text)
            ? "; put the images beside the .txt files, or into images/ beside labels/" : ""))
    }
    if let data { return .match("\(data.path) describes a YOLO dataset") }
    if let (image, label) = found.other {
      return .noMatch(
        "\(inventory.files[label]) beside \(inventory.files[image]) does not hold YOLO labels")
    }
    return .noMatch("no image has a .txt file of the same name beside it or in labels/")
  }

  package func companions(in tree: any SourceTree) throws -> Companions? {
    guard !tree.isSingleFile else { return nil }
    let layout = try YOLOLayout(tree)
    if let fault = layout.inventory.fault { throw fault }
    guard layout.labeled > 0 else { return nil }
    let datasets = YOLODatasets(layout)
    let signs = MaskCompanions.words(layout.masks).map { $0 + "; to import masks, use PATH:masks" }
    return try Companions(
      layout.unread, in: tree, signs: [signs].compactMap(\.self) + layout.secondSets,
      isKnownOnly: true,
      datasets: (datasets.roots.count > 1 ? layout.examples : datasets.examples).map {
        ($0, "YOLO labels")
      })
  }

  package func run(
    _ tree: any SourceTree, _ options: ImportOptions, deliver: (ImportedBatch) throws -> Void
  ) throws -> FinishedImport {
    guard !tree.isSingleFile else {
      throw FormatError.mismatch(name: tree.name, format: format, reason: try probe(tree).reason)
    }
    try options.refuse([.size], for: format)
    var layout = try YOLOLayout(tree)
    if let fault = layout.inventory.fault { throw fault }
    if options.ignoresCompanions { layout.leaveOutMasks() }
    if let conflict = layout.dataFiles.conflict {
      throw FormatError.mismatch(name: tree.name, format: format, reason: conflict)
    }
    guard layout.labeled > 0 else {
      throw FormatError.mismatch(name: tree.name, format: format, reason: Self.complaint(layout))
    }
    let names = try YOLONames(
      layout.inventory, layout.dataFiles.chosen, given: options.classes)
    let source = YOLOSource(layout, names)
    var pass = try RegionImport(tree, source, options)
    var finished = try pass.run(deliver)
    let counts = source.tally.counts
    if let given = options.classes, let (category, place) = counts.largest,
      category >= given.count
    {
      throw FormatError.table(
        place.file, line: place.line,
        problem:
          "the line has class \(category), and --classes names \(Counted.text(given.count, "class", "classes")); give "
          + "at least \(category + 1) names")
    }
    if let (place, problem) = counts.poseProblem(hasDataFile: layout.dataFiles.chosen != nil) {
      throw FormatError.table(place.file, line: place.line, problem: problem)
    }
    var last = ImportedBatch()
    last.issues = counts.issues
    last.progress = 1
    if !last.issues.isEmpty { try deliver(last) }
    finished.notes += layout.notes + names.notes + counts.notes
    return finished
  }

  /// The number of label files that are opened, and of images whose label file is looked up, to
  /// recognize the format.
  private static let opened = 32
  private static let sought = 50_000

  /// An image whose label file has YOLO's lines, if most of the first label files have them; and
  /// one whose text has other lines.
  private static func search(
    _ inventory: inout YOLOInventory
  ) -> (example: (image: Int, label: Int)?, other: (image: Int, label: Int)?) {
    guard inventory.roles.contains(.text) else { return (nil, nil) }
    var (example, other): ((image: Int, label: Int)?, (image: Int, label: Int)?)
    var (good, all, tried) = (0, 0, 0)
    for index in 0..<inventory.files.count where inventory.roles[index].isImage {
      let path = inventory.files[index]
      guard !inventory.labelFolders(of: SortedFiles.folder(of: path)).isEmpty else { continue }
      tried += 1
      guard all < opened, tried < sought else { break }
      guard let label = inventory.label(ofImage: path),
        let head = YOLOInventory.head(of: inventory.files[label], in: inventory.tree),
        !head.bytes.allSatisfy({ $0 <= 0x20 })
      else { continue }
      all += 1
      if YOLOTextLines.looksLikeLabels(head.bytes, isWhole: head.isWhole) {
        good += 1
        example = example ?? (index, label)
      } else {
        other = other ?? (index, label)
      }
    }
    return (2 * good >= all ? example : nil, other)
  }

  /// The reason why no image has labels, one clause.
  private static func complaint(_ layout: YOLOLayout) -> String {
    var inventory = layout.inventory
    guard let index = inventory.roles.firstIndex(where: \.isImage) else {
      return
        "it has no images; the labels need them, because their coordinates are relative to the "
        + "images' sizes"
    }
    let path = inventory.files[index]
    let folders = inventory.labelFolders(of: SortedFiles.folder(of: path))
    let name = SortedFiles.stem(of: path) + ".txt"
    let places = folders.map { SortedFiles.join($0, name) }
    let oriented = inventory.files.files.first {
      $0.path.lowercased().split(separator: "/").dropLast().contains("labeltxt")
    }
    if let oriented {
      return
        "no image has a label file, and \(oriented.path) looks like one of \(CompanionKind.dota.name)"
        + (CompanionKind.dota.conversion.map { "; convert them, and import DIR: \($0)" } ?? "")
    }
    return "no image has a label file: "
      + (places.isEmpty
        ? "no .txt file is beside \(path) or in a folder labels/ beside images/"
        : "there is no \(places.joined(separator: " and no ")) for \(path)")
  }
}
