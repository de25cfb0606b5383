package import AssayCore

/// ImageNet's trees of images, one folder per synset (`train/n01440764/x.JPEG`) or flat with a list,
/// and plain lists of images and classes (`train.txt`). The XML files of Kaggle's tree are boxes beside
/// the classes.
///
/// Key and location of a sample: its image's path. Source: O. Russakovsky et al., "ImageNet Large
/// Scale Visual Recognition Challenge" (2015), doi:10.1007/s11263-015-0816-y.
package struct ImageNetImporter: DatasetImporter {
  package init() {}

  package var format: DatasetFormat { .imageNet }

  package var summary: String {
    "ImageNet: folders of synsets with boxes, and lists of images and classes"
  }

  package var recognizedBy: String {
    "images only in folders such as n01440764 or flat with ILSVRC's names; or train.txt, val.txt, … "
      + "whose lines are an image that exists and its class, "
      + "or the numbers of several"
  }

  package func probe(_ tree: any SourceTree) throws -> Probe {
    guard !tree.isSingleFile else {
      return .noMatch("it is a single file; to import ImageNet, name its folder")
    }
    let files = SortedFiles(try tree.files())
    var (synset, named, foreign): (String?, String?, String?)
    var (hasTable, tried) = (false, 0)
    var previous: Substring?
    for file in files.files {
      switch ImageNetRole(file.path) {
      case .image:
        let folder = file.path.folderPath
        // Of the images in a folder, only names of validation images say more than the first one.
        guard folder != previous || file.path.fileName.hasPrefix("ILSVRC") else { continue }
        previous = folder
        if ImageNetName.synset(of: file.path) != nil {
          synset = synset ?? file.path
        } else if ImageNetName.validationNumber(of: file.path) != nil {
          named = named ?? file.path
        } else if !ImageNetName.isNeutral(folder.split(separator: "/").last ?? "") {
          foreign = foreign ?? file.path
        }
      case .list(let split) where tried < Self.opened:
        tried += 1
        guard let head = ImageList.head(tree, file.path, split, in: files) else { continue }
        let names = head.entries.prefix(ImageLists.sought).map(\.path)
        let bases = ImageLists.bases(
          of: names, near: file.path, split, hasStems: head.hasStems, in: files)
        let found = names.count { name in
          bases.contains {
            ImageLists.index(of: name, in: $0, hasStems: head.hasStems, files) != nil
          }
        }
        if 2 * found >= names.count {
          return .match("\(file.path) lists images and their classes")
        }
      case .solution, .groundTruth, .validationSynsets: hasTable = true
      default: continue
      }
    }
    if let foreign {
      return .noMatch(
        synset == nil
          ? "no image is in a folder of a synset such as n01440764, and no list names images and "
            + "classes"
          : "\(foreign) is in a folder that is no synset")
    }
    if let synset { return .match("its images are in folders of synsets (\(synset))") }
    if let named, hasTable { return .match("\(named) is called like ILSVRC's validation images") }
    return .noMatch(
      "no image is in a folder of a synset such as n01440764, and no list names "
        + "images and classes")
  }

  package func companions(in tree: any SourceTree) throws -> Companions? {
    guard !tree.isSingleFile else { return nil }
    let layout = try ImageNetLayout(tree, ImportOptions())
    let unread = Companions.candidates(try tree.files()).filter { !layout.known.contains($0.path) }
    return try Companions(unread, in: tree, isKnownOnly: true)
  }

  package func run(
    _ tree: any SourceTree, _ options: ImportOptions, deliver: (ImportedBatch) throws -> Void
  ) throws -> FinishedImport {
    guard !tree.isSingleFile else {
      throw FormatError.mismatch(name: tree.name, format: format, reason: try probe(tree).reason)
    }
    try options.refuse([.size], for: format)
    let layout = try ImageNetLayout(tree, options)
    guard layout.items.contains(where: { $0.category >= 0 }) else {
      throw FormatError.mismatch(
        name: tree.name, format: format,
        reason: "no image has a class: none is in a folder of a synset or in a list of images and "
          + "classes")
    }
    let source = ImageNetSource(layout, tree)
    var pass = try RegionImport(tree, source, options)
    var finished = try pass.run(deliver)
    let counts = source.tally.counts
    if !counts.issues.isEmpty {
      var last = ImportedBatch()
      last.issues = counts.issues
      last.progress = 1
      try deliver(last)
    }
    if finished.lists?.annotationsRead == 0 { finished.lists = nil }
    finished.notes += layout.notes + counts.notes(nil)
    return finished
  }

  /// The number of lists that are opened to recognize the format.
  private static let opened = 32
}
