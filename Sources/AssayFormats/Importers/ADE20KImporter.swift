package import AssayCore

/// ADE20K as released for scene parsing (`ADEChallengeData2016`), images and index PNGs of 150 classes;
/// the full release of 2021 (`ADE20K_2021_17_01`), a JSON of objects and their parts beside each image;
/// and those of 2016 and 2017 (`ADE20K_2016_07_26`), a list and masks of them beside each image.
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
      + "annotations/training/x.png; or x.json with 'annotation', 'imsize' and 'object' beside x.jpg; "
      + "or x_atr.txt and x_seg.png beside x.jpg"
  }

  package func probe(_ tree: any SourceTree) throws -> Probe {
    guard !tree.isSingleFile else {
      return .noMatch("it is a single file; to import ADE20K, name its folder")
    }
    let scenes = try probeScenes(tree)
    if scenes.isMatch { return scenes }
    let objects = try JSONImageFiles.probe(ADE20KJSON(tree), tree)
    if objects.isMatch { return objects }
    let lists = try ADE20KListLayout.probe(tree)
    return lists.isMatch ? lists : scenes
  }

  private func probeScenes(_ tree: any SourceTree) throws -> Probe {
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

  /// The kind of a release.
  private enum Release {
    /// Index masks for scene parsing.
    case scenes
    /// A JSON of objects beside each image.
    case objects
    /// A list of objects beside each image, and their masks.
    case lists
  }

  private func release(_ tree: any SourceTree) throws -> Release {
    guard !tree.isSingleFile, try !probeScenes(tree).isMatch else { return .scenes }
    if try JSONImageFiles.probe(ADE20KJSON(tree), tree).isMatch { return .objects }
    return try ADE20KListLayout.probe(tree).isMatch ? .lists : .scenes
  }

  package func companions(in tree: any SourceTree) throws -> Companions? {
    switch try release(tree) {
    case .scenes: break
    case .objects:
      return try JSONImageFiles.companions(ADE20KJSON(tree), tree, known: Self.indices)
    case .lists:
      let files = try tree.files()
      let unread = Companions.candidates(files).filter {
        ADE20KListLayout.stem(ofList: $0.path) == nil
          && !Self.indices.contains(CompanionPlace($0.path).name)
      }
      return try Companions(
        unread, in: tree, isKnownOnly: true,
        datasets: ADE20KListLayout(files).examples.map { ($0, "ADE20K annotations") })
    }
    let read: Set<String> = [ADE20KClasses.fileName, ADE20KClasses.scenesName]
    let unread = Companions.candidates(try tree.files()).filter {
      !read.contains(CompanionPlace($0.path).name)
    }
    return try Companions(unread, in: tree, isKnownOnly: true)
  }

  package func run(
    _ tree: any SourceTree, _ options: ImportOptions, deliver: (ImportedBatch) throws -> Void
  ) throws -> FinishedImport {
    switch try release(tree) {
    case .scenes: break
    case .objects: return try runObjects(tree, options, deliver: deliver)
    case .lists: return try runLists(tree, options, deliver: deliver)
    }
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

  /// The indices of the full releases, whose pickle is never executed.
  private static let indices: Set<String> = ["index_ade20k.pkl", "index_ade20k.mat"]

  /// A batch of an issue for each index in a source.
  ///
  /// - Parameter files: what has the same contents.
  private func unreadIndices(_ tree: any SourceTree, _ files: String) throws -> ImportedBatch {
    var batch = ImportedBatch()
    batch.issues = try tree.files().filter {
      Self.indices.contains(CompanionPlace($0.path).name)
    }.map {
      Issue(
        .unsupportedFile, .warning, at: IssueLocation(file: $0.path),
        "the index is not read: \(files) beside the images have the same contents")
    }
    return batch
  }

  private func runObjects(
    _ tree: any SourceTree, _ options: ImportOptions, deliver: (ImportedBatch) throws -> Void
  ) throws -> FinishedImport {
    try options.refuse([.size, .classes], for: format)
    try deliver(unreadIndices(tree, "the JSON files"))
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

  private func runLists(
    _ tree: any SourceTree, _ options: ImportOptions, deliver: (ImportedBatch) throws -> Void
  ) throws -> FinishedImport {
    try options.refuse([.size, .classes], for: format)
    try deliver(unreadIndices(tree, "the lists and masks"))
    let layout = ADE20KListLayout(try tree.files())
    var pass = try RegionImport(tree, ADE20KListSource(tree, layout), options)
    var finished = try pass.run(deliver)
    finished.notes.append(
      "objects and parts are their visible pixels, without what others hide; which object a part "
        + "belongs to is not stated")
    return finished
  }
}
