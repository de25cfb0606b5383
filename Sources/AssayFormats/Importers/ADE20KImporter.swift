package import AssayCore

/// ADE20K as released for scene parsing (`ADEChallengeData2016`): images and index PNGs of 150 classes.
///
/// Key and location of a sample: its image's path. Value 0 is everything else, which is not evaluated.
/// Source: B. Zhou et al., "Scene Parsing through ADE20K Dataset" (2017), doi:10.1109/CVPR.2017.544.
package struct ADE20KImporter: DatasetImporter {
  package init() {}

  package var format: DatasetFormat { .ade20k }

  package var summary: String { "ADE20K's scene parsing: index masks of 150 classes" }

  package var recognizedBy: String {
    "objectInfo150.txt with the columns Idx and Name, and images/training/x.jpg with "
      + "annotations/training/x.png"
  }

  package func probe(_ tree: any SourceTree) throws -> Probe {
    guard !tree.isSingleFile else {
      return .noMatch("it is a single file; to import ADE20K, name its folder")
    }
    let files = try tree.files()
    guard let classes = try ADE20KClasses(files, in: tree) else {
      return .noMatch("it has no objectInfo150.txt with the columns Idx and Name")
    }
    let pairs = MaskPairing(files).pairs
    guard let first = pairs.first else {
      return .noMatch("\(classes.path) is there, but no image with a mask of the same name")
    }
    guard IndexMaskPlan.isPlausible(pairs, in: tree) else {
      return .noMatch("\(first.mask.path) is not a mask of \(first.image.path)")
    }
    return .match("\(classes.path) names the classes of \(first.mask.path) and others")
  }

  package func companions(in tree: any SourceTree) throws -> Companions? {
    let read: Set<String> = [ADE20KClasses.fileName, ADE20KClasses.scenesName]
    let unread = Companions.candidates(try tree.files()).filter {
      !read.contains(CompanionPlace($0.path).name)
    }
    return try Companions(unread, in: tree, isKnownOnly: true)
  }

  package func run(
    _ tree: any SourceTree, _ options: ImportOptions, deliver: (ImportedBatch) throws -> Void
  ) throws -> FinishedImport {
    try options.refuse([.size], for: format)
    let files = tree.isSingleFile ? [] : try tree.files()
    let pairing = MaskPairing(files)
    guard let classes = try ADE20KClasses(files, in: tree), !pairing.pairs.isEmpty else {
      throw FormatError.mismatch(name: tree.name, format: format, reason: try probe(tree).reason)
    }
    var issues = pairing.issues + classes.issues
    if let scenes = IndexMaskPlan.file(files, called: [ADE20KClasses.scenesName]) {
      issues.append(
        Issue(
          .unsupportedField, .warning, at: IssueLocation(file: scenes.path),
          "the scenes of the images are not kept"))
    }
    var names = classes.names
    if let given = options.classes {
      names = ClassNames(given, first: 1).names
      names[0] = "void"
    }
    let plan = IndexMaskPlan(
      name: tree.name, pairs: pairing.pairs, classes: IndexClasses(names, hasBackground: false),
      colors: nil, issues: issues, rejected: pairing.rejected)
    return try plan.run(tree, options, deliver: deliver)
  }
}
