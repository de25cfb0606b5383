package import AssayCore
import AssayImaging

/// CamVid's layouts: `train/` beside `trainannot/` with index PNGs, with or without lists of the pairs, or
/// images beside color masks (`_L.png`) with a label file.
///
/// Every pixel belongs to a class or is void. Key and location of a sample: its image's path; the
/// split: the name of the list or folder. Values are named by the label file, else by `classes.txt`
/// or `codes.txt` from 0 on, else they are CamVid's eleven classes (11 is void) or, for colors, its
/// 32.
package struct CamVidImporter: DatasetImporter {
  package init() {}

  package var format: DatasetFormat { .camVid }

  package var summary: String { "CamVid's index or color masks beside their images" }

  package var recognizedBy: String {
    "folders train/ and trainannot/ with PNGs of the same names, lists of pairs (train.txt), or images "
      + "and masks with a label_colors.txt (R G B name) or class_dict.csv"
  }

  package func probe(_ tree: any SourceTree) throws -> Probe {
    guard !tree.isSingleFile else { return .noMatch("it is a single file") }
    let files = try tree.files()
    let lists = try PairLists(tree, files)
    if let first = lists.pairs.first {
      return .match(
        "lists (\(lists.splits.joined(separator: ", "))) name pairs of image and mask, such as "
          + "\(first.image.path)")
    }
    guard MaskPairing.mayFit(files) else {
      return .noMatch("it has no image with a mask of the same name in a folder beside it")
    }
    let pairing = MaskPairing(files)
    guard let first = pairing.pairs.first, let example = pairing.example else {
      return .noMatch("it has no image with a mask of the same name in a folder beside it")
    }
    let colors = IndexMaskPlan.file(files, called: LabelColors.fileNames.sorted())
    let codes = IndexMaskPlan.file(files, called: ["codes.txt"])
    let isBeside = first.mask.path.lowercased().split(separator: "/").dropLast().contains {
      $0.hasSuffix("annot") && $0 != "annot"
    }
    guard isBeside || colors != nil || codes != nil else {
      return .noMatch(
        "\(example.images) and \(example.masks) hold pairs, but there is no label file with "
          + "colors, and the folders are not named like train and trainannot")
    }
    // A list that begins with background is that of index masks in which not every pixel has a class.
    let listed = try LabelColors.find(files, in: tree)?.entries.first?.name
    guard isBeside || codes != nil || !ClassNames.isBackground(listed ?? "") else {
      return .noMatch("the first class of \(colors?.path ?? "its list") is background")
    }
    guard IndexMaskPlan.isPlausible(pairing.pairs, in: tree) else {
      return .noMatch("\(first.mask.path) is not a mask of \(first.image.path)")
    }
    let by = (colors ?? codes).map { " and \($0.path) names the classes" } ?? ""
    return .match("\(example.images) holds images, \(example.masks) their masks\(by)")
  }

  package func companions(in tree: any SourceTree) throws -> Companions? {
    let files = try tree.files()
    let lists = try PairLists(tree, files).files
    let read = LabelColors.fileNames.union(ClassNames.fileNames + ["codes.txt"])
    let unread = Companions.candidates(files).filter {
      !lists.contains($0.path) && !read.contains(CompanionPlace($0.path).name)
    }
    return try Companions(unread, in: tree)
  }

  package func run(
    _ tree: any SourceTree, _ options: ImportOptions, deliver: (ImportedBatch) throws -> Void
  ) throws -> FinishedImport {
    try options.refuse([.size], for: format)
    let files = tree.isSingleFile ? [] : try tree.files()
    let lists = try PairLists(tree, files)
    let pairing = MaskPairing(files.filter { !lists.mentioned.contains($0.path) })
    let listed = lists.splits.joined(separator: ", ")
    let unlisted = lists.splits.isEmpty ? [] : pairing.pairs
    let pairs = (lists.pairs + pairing.pairs).sorted {
      $0.image.path.utf8.lexicographicallyPrecedes($1.image.path.utf8)
    }
    guard !pairs.isEmpty else {
      throw FormatError.mismatch(
        name: tree.name, format: format, reason: "it has no image with a mask of the same name")
    }
    let issues = unlisted.map { pair in
      Issue(
        .unknownSplit, .warning, at: IssueLocation(file: pair.image.path),
        sampleKey: pair.image.path,
        "in none of the lists (\(listed)); its split is \(pair.split.map { "'\($0)'" } ?? "unknown")"
      )
    }
    let (names, colors, found, assumption) = try Self.names(files, pairs, tree, options)
    var plan = IndexMaskPlan(
      name: tree.name, pairs: pairs, classes: IndexClasses(names, hasBackground: false),
      colors: colors, issues: lists.issues + pairing.issues + issues + found,
      rejected: lists.rejected + pairing.rejected)
    plan.assumption = assumption
    return try plan.run(tree, options, deliver: deliver)
  }

  /// The name of each value, the meaning of colors, the problems of the file that defines them, and the names that
  /// are assumed if there is none.
  private static func names(
    _ files: [SourceFile], _ pairs: [MaskPair], _ tree: any SourceTree, _ options: ImportOptions
  ) throws -> ([UInt16: String], LabelColors?, [Issue], IndexMaskPlan.Assumption?) {
    let colors = try LabelColors.find(files, in: tree)
    let issues = colors?.issues ?? LabelColors.complaints(files)
    let isWide = { IndexMaskPlan.isWide(pairs, in: tree) }
    if let classes = options.classes {
      return (ClassNames(classes, first: 0, isWide: isWide).names, colors, issues, nil)
    }
    if let colors { return (colors.names, colors, issues, nil) }
    if let names = try ClassNames.find(
      files, in: tree, first: 0, also: ["codes.txt"], isWide: isWide)
    {
      return (names.names, nil, issues, nil)
    }
    if IndexMaskPlan.isColor(pairs, in: tree) {
      return (CamVidClasses.colors.names, CamVidClasses.colors, issues, nil)
    }
    let last = CamVidClasses.names.count - 1
    let assumption = IndexMaskPlan.Assumption(
      note: "no file names the classes, so the values 0 to \(last) have CamVid's names, "
        + "\(CamVidClasses.names[0]) to \(CamVidClasses.names[last])",
      refusalOfBinary:
        "no file names the classes, and the masks have only 0, 1 and 255, as masks of one class, not CamVid's "
        + "classes; name the values in a classes.txt or with --classes, or import PATH:masks")
    return (ClassNames(CamVidClasses.names, first: 0).names, nil, issues, assumption)
  }
}
