package import AssayCore

/// Images and index or binary masks with the same names: in sibling folders (`images/` and
/// `masks/`, splits above or below), or in one folder (`x.jpg` and `x_mask.png`).
///
/// Masks that contain only 0 and 255, or only 0 and 1, have one class: the one that is named, else
/// `foreground`. In all others, 0 is background, 255 void (65,535 with 16 bits per value), and the rest
/// are classes, named by `classes.txt`, `labels.txt`, Roboflow's `_classes.csv` or `--classes`, else `class 1`, `class 2`, …. Key
/// and location of a sample: its image's path.
package struct MasksImporter: DatasetImporter {
  package init() {}

  package var format: DatasetFormat { .masks }

  package var summary: String { "images beside index or binary masks of the same names" }

  package var recognizedBy: String {
    "folders images/ and masks/ (labels/, annotations/, …) with files of the same names, or x.jpg and "
      + "x_mask.png in one folder; masks are PNG, BMP, TIFF or PNM of their image's size"
  }

  package func probe(_ tree: any SourceTree) throws -> Probe {
    guard !tree.isSingleFile else { return .noMatch("it is a single file") }
    let files = try tree.files()
    let noMatch = Probe.noMatch(
      "it has no image with a mask of the same name, in images/ and masks/ or similar")
    guard MaskPairing.mayFit(files) else { return noMatch }
    let pairing = MaskPairing(files)
    guard let first = pairing.pairs.first, let example = pairing.example else { return noMatch }
    guard IndexMaskPlan.isPlausible(pairing.pairs, in: tree) else {
      return .noMatch("\(first.mask.path) is not a mask of \(first.image.path)")
    }
    return .match(
      "\(example.images) holds images, \(example.masks) their masks: "
        + "\(pairing.pairs.count) \(pairing.pairs.count == 1 ? "pair" : "pairs")")
  }

  package func companions(in tree: any SourceTree) throws -> Companions? {
    let read = LabelColors.fileNames.union(ClassNames.fileNames)
    let files = try tree.files()
    let lists = try RoboflowClasses(files, in: tree).files
    let arrays = MaskArrays(files).paths
    let unread = Companions.candidates(files).filter {
      !read.contains(CompanionPlace($0.path).name) && !lists.contains($0.path)
        && !arrays.contains($0.path)
    }
    let pairs = MaskPairing(files).pairs
    return try Companions(
      unread, in: tree, signs: Self.classFolders(pairs) + Self.secondSets(files, pairs, in: tree))
  }

  /// The maximum number of folders that can be classes.
  private static let classLimit = 50

  /// The finding that images lie beside their masks, in the same folder or in one of the images and one of the
  /// masks, in folders that can be classes; empty for others.
  private static func classFolders(_ pairs: [MaskPair]) -> [String] {
    var folders: Set<String> = []
    for pair in pairs {
      var folder = pair.image.path.folderPath
      let masks = pair.mask.path.folderPath
      if folder != masks {
        guard folder.folderPath == masks.folderPath, !folder.folderPath.isEmpty else { return [] }
        folder = folder.folderPath
      }
      folders.insert(String(folder))
      guard folders.count <= classLimit else { return [] }
    }
    let names = Set(folders.map { String($0.split(separator: "/").last ?? "") }).sorted()
    guard names.count > 1, 2 * folders.count <= pairs.count,
      !names.contains(where: { $0.isEmpty || FolderLayout.isSplit($0) }),
      !LayoutNames.holdLayoutFolder(names)
    else { return [] }
    return [
      "the folders \(names.prefix(4).joined(separator: ", "))\(names.count > 4 ? ", …" : "") can be "
        + "classes of the images, which masks do not have: PATH:masks --ignore-companions imports the "
        + "masks alone, and the classes without masks need a copy of the images without them"
    ]
  }

  /// The folders of masks beside those that are read, of the same images: one line each.
  private static func secondSets(
    _ files: [SourceFile], _ pairs: [MaskPair], in tree: any SourceTree
  ) -> [String] {
    var images: [Substring: String] = [:]
    var used: Set<Substring> = []
    for pair in pairs {
      images[SortedFiles.stem(of: pair.image.path)] = pair.image.path
      used.formUnion([pair.image.path.folderPath, pair.mask.path.folderPath])
    }
    let others = files.filter {
      ImageName.isMask($0.path) && !used.contains($0.path.folderPath)
    }
    let folders = Dictionary(grouping: others) { String($0.path.folderPath) }
    return folders.sorted { $0.key < $1.key }.compactMap { folder, files in
      let twins = files.compactMap { file in
        images[SortedFiles.stem(of: file.path)].map { (mask: file.path, image: $0) }
      }
      guard twins.count == files.count, MaskFolders.areMasks(twins, in: tree) else { return nil }
      return "\(Counted.text(files.count, "file", "files")) in \(folder) "
        + "\(files.count == 1 ? "looks like a mask" : "look like masks") of images whose masks are read from "
        + "another folder (\(twins[0].mask) of \(twins[0].image)); take one of the folders away"
    }
  }

  package func run(
    _ tree: any SourceTree, _ options: ImportOptions, deliver: (ImportedBatch) throws -> Void
  ) throws -> FinishedImport {
    try options.refuse([.size], for: format)
    let files = tree.isSingleFile ? [] : try tree.files()
    let pairing = MaskPairing(files)
    guard !pairing.pairs.isEmpty else {
      throw FormatError.mismatch(
        name: tree.name, format: format, reason: "it has no image with a mask of the same name")
    }
    let colors = try LabelColors.find(files, in: tree)
    let isWide = { IndexMaskPlan.isWide(pairing.pairs, in: tree) }
    let list =
      options.classes == nil ? try ClassNames.find(files, in: tree, isWide: isWide) : nil
    var names = options.classes.map { ClassNames($0, isWide: isWide) }
    if names == nil, let colors {
      // A list of colors ends where values of 8 bits do.
      names = colors.isCut && list != nil && isWide() ? list : ClassNames(colors)
    }
    names = try names ?? RoboflowClasses(files, in: tree).names ?? list
    let plan = IndexMaskPlan(
      name: tree.name, pairs: pairing.pairs,
      classes: IndexClasses(
        names?.names ?? [:], hasBackground: names?.hasBackground ?? true,
        nameOf255: names?.nameOf255),
      colors: colors,
      issues: pairing.issues + (colors?.issues ?? LabelColors.complaints(files)),
      assumedFromOne: options.classes == nil ? names?.assumedFromOne : nil,
      rejected: pairing.rejected)
    var finished = try plan.run(tree, options, deliver: deliver)
    if let note = MaskArrays(files).note { finished.notes.append(note) }
    return finished
  }
}
