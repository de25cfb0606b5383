package import AssayCore

/// Images and index or binary masks with the same names: in sibling folders (`images/` and
/// `masks/`, splits above or below), or in one folder (`x.jpg` and `x_mask.png`).
///
/// Masks that contain only 0 and 255, or only 0 and 1, have one class: the one that is named, else
/// `foreground`. In all others, 0 is background, 255 void (65,535 with 16 bits per value), and the rest
/// are classes, named by `classes.txt`, `labels.txt` or `--classes`, else `class 1`, `class 2`, …. Key
/// and location of a sample: its image's path.
package struct MasksImporter: DatasetImporter {
  package init() {}

  package var format: DatasetFormat { .masks }

  package var summary: String { "images beside index or binary PNG masks of the same names" }

  package var recognizedBy: String {
    "folders images/ and masks/ (labels/, annotations/, …) with files of the same names, or x.jpg and "
      + "x_mask.png in one folder; masks are PNGs of their image's size"
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
    let unread = Companions.candidates(try tree.files()).filter {
      !read.contains(CompanionPlace($0.path).name)
    }
    return try Companions(unread, in: tree)
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
    let list = try ClassNames.find(files, in: tree, isWide: isWide)
    var names = options.classes.map { ClassNames($0, isWide: isWide) }
    if names == nil, let colors {
      // A list of colors ends where values of 8 bits do.
      names = colors.isCut && list != nil && isWide() ? list : ClassNames(colors)
    }
    names = names ?? list
    let plan = IndexMaskPlan(
      name: tree.name, pairs: pairing.pairs,
      classes: IndexClasses(
        names?.names ?? [:], hasBackground: names?.hasBackground ?? true,
        nameOf255: names?.nameOf255),
      colors: colors,
      issues: pairing.issues + (colors?.issues ?? LabelColors.complaints(files)),
      rejected: pairing.rejected)
    return try plan.run(tree, options, deliver: deliver)
  }
}
