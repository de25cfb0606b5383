package import AssayCore

/// ADE20K as released for scene parsing (`ADEChallengeData2016`), images and index PNGs of 150 classes; and
/// the full release of 2021 (`ADE20K_2021_17_01`), a JSON of objects and their parts beside each image.
///
/// Key and location of a sample: its image's path. Value 0 of an index PNG is everything else, which is
/// not evaluated. Source: B. Zhou et al., "Scene Parsing through ADE20K Dataset" (2017), doi:10.1109/CVPR.2017.544.
package struct ADE20KImporter: DatasetImporter {
  package init() {}

  package var format: DatasetFormat { .ade20k }

  package var summary: String {
    "ADE20K: index masks of 150 classes, or the full release's objects and parts"
  }

  package var recognizedBy: String {
    "objectInfo150.txt with the columns Idx and Name, and images/training/x.jpg with "
      + "annotations/training/x.png; or x.json with 'annotation', 'imsize' and 'object' beside x.jpg"
  }

  package func probe(_ tree: any SourceTree) throws -> Probe {
    guard !tree.isSingleFile else {
      return .noMatch("it is a single file; to import ADE20K, name its folder")
    }
    let challenge = try probeChallenge(tree)
    if challenge.isMatch { return challenge }
    let full = try JSONImageFiles.probe(ADE20KJSON(tree), tree)
    return full.isMatch ? full : challenge
  }

  private func probeChallenge(_ tree: any SourceTree) throws -> Probe {
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

  /// Returns whether a source is the full release.
  private func isFull(_ tree: any SourceTree) throws -> Bool {
    guard !tree.isSingleFile, try !probeChallenge(tree).isMatch else { return false }
    return try JSONImageFiles.probe(ADE20KJSON(tree), tree).isMatch
  }

  package func companions(in tree: any SourceTree) throws -> Companions? {
    if try isFull(tree) { return try JSONImageFiles.companions(ADE20KJSON(tree), tree) }
    let read: Set<String> = [ADE20KClasses.fileName, ADE20KClasses.scenesName]
    let unread = Companions.candidates(try tree.files()).filter {
      !read.contains(CompanionPlace($0.path).name)
    }
    return try Companions(unread, in: tree, isKnownOnly: true)
  }

  package func run(
    _ tree: any SourceTree, _ options: ImportOptions, deliver: (ImportedBatch) throws -> Void
  ) throws -> FinishedImport {
    if try isFull(tree) { return try runFull(tree, options, deliver: deliver) }
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
  /// The index of the full release, whose pickle is never executed.
  private static let indices: Set<String> = ["index_ade20k.pkl", "index_ade20k.mat"]

  private func runFull(
    _ tree: any SourceTree, _ options: ImportOptions, deliver: (ImportedBatch) throws -> Void
  ) throws -> FinishedImport {
    try options.refuse([.size, .classes], for: format)
    var indices = ImportedBatch()
    indices.issues = try tree.files().filter {
      Self.indices.contains(CompanionPlace($0.path).name)
    }.map {
      Issue(
        .unsupportedFile, .warning, at: IssueLocation(file: $0.path),
        "the index is not read: the JSON files beside the images have the same contents")
    }
    try deliver(indices)
    let images = ADE20KJSON(tree)
    let plan = try JSONImagePlan(images, tree, options)
    var pass = try RegionImport(tree, JSONImageSource(plan: plan), options)
    var finished = try pass.run(deliver)
    finished.notes += plan.notes + images.notes
    finished.notes.append(
      "objects are whole, as their polygons, also where others hide them; the visible pixels in "
        + "x_seg.png and x_parts_1.png are not read")
    return finished
  }
}
