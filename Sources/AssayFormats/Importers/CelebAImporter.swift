package import AssayCore

/// CelebA: 40 attributes as a set of labels per image (`celeba`), or the faces with box, landmarks,
/// identity and attributes (`celeba-faces`). A multi-label dataset has no regions, so these are two
/// datasets.
///
/// Key and location of a sample: its image's path. Source: Z. Liu et al., "Deep Learning Face
/// Attributes in the Wild" (2015), arXiv:1411.7766.
package struct CelebAImporter: DatasetImporter {
  private let withFaces: Bool

  /// - Parameter withFaces: whether boxes and landmarks are read, or attributes as labels.
  package init(withFaces: Bool) { self.withFaces = withFaces }

  package var format: DatasetFormat { withFaces ? .celebAFaces : .celebA }

  package var summary: String {
    withFaces
      ? "CelebA's faces: boxes, landmarks, identities, attributes" : "CelebA's attributes as labels"
  }

  package var recognizedBy: String {
    withFaces
      ? "list_bbox_celeba or list_landmarks_(align_)celeba (.txt, .csv), and no list_attr_celeba"
      : "list_attr_celeba (.txt, or Kaggle's .csv) in a folder; boxes and landmarks are named, and "
        + "PATH:celeba-faces imports them"
  }

  package func probe(_ tree: any SourceTree) throws -> Probe {
    guard !tree.isSingleFile else {
      return .noMatch("it is a single file; to import CelebA, name its folder")
    }
    var paths: [CelebATable.Kind: String] = [:]
    for file in try tree.files() {
      if let kind = CelebATable.Kind(file.path) { paths[kind] = paths[kind] ?? file.path }
    }
    if withFaces {
      guard let path = paths[.boxes] ?? paths[.landmarks] ?? paths[.alignedLandmarks] else {
        return .noMatch("it has no list_bbox_celeba or list_landmarks_celeba (.txt, .csv)")
      }
      return .match("\(path) is a table of CelebA")
    }
    guard let path = paths[.attributes] else {
      return .noMatch("it has no list_attr_celeba (.txt, .csv)")
    }
    return .match("\(path) is CelebA's table of attributes")
  }

  package func companions(in tree: any SourceTree) throws -> Companions? {
    guard !tree.isSingleFile else { return nil }
    let unread = Companions.candidates(try tree.files()).filter {
      CelebATable.Kind($0.path) == nil
    }
    return try Companions(unread, in: tree, isKnownOnly: true)
  }

  package func run(
    _ tree: any SourceTree, _ options: ImportOptions, deliver: (ImportedBatch) throws -> Void
  ) throws -> FinishedImport {
    guard try probe(tree).isMatch else {
      throw FormatError.mismatch(name: tree.name, format: format, reason: try probe(tree).reason)
    }
    try options.refuse([.size], for: format)
    guard options.classes == nil || !withFaces else {
      throw FormatError.unusedOption("--classes", format: format)
    }
    guard options.labelSeparator == nil else {
      throw FormatError.unusedOption("--label-separator", format: format)
    }
    let layout = try CelebALayout(tree, withFaces: withFaces)
    guard layout.main != nil else {
      throw FormatError.mismatch(
        name: tree.name, format: format,
        reason:
          "its images are the \(layout.isAligned ? "aligned" : "unaligned") ones, and the tables "
          + "of boxes and landmarks are for the \(layout.isAligned ? "unaligned" : "aligned") ones")
    }
    let source = try CelebASource(
      layout, name: tree.name, withFaces: withFaces, classes: options.classes)
    var pass = try RegionImport(tree, source, options)
    var finished = try pass.run(deliver)
    if !withFaces { finished.lists = nil }
    finished.notes += layout.notes
    return finished
  }
}
