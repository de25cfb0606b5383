package import AssayCore

/// Labeled Faces in the Wild: one folder per person (`name/name_0001.jpg`), with its lists of people,
/// pairs and landmarks, also as Datumaro, CVAT and Kaggle (CSV) have them.
///
/// A source with part labels is a dataset of masks of hair and face instead, of the images that have
/// them.
///
/// Key and location of a sample: its image's path. Source: G. Huang et al., "Labeled Faces in the
/// Wild" (2007), University of Massachusetts, Technical Report 07-49.
package struct LFWImporter: DatasetImporter {
  package init() {}

  package var format: DatasetFormat { .lfw }

  package var summary: String {
    "LFW: a folder per person, with lists of people, pairs, landmarks; part labels"
  }

  package var recognizedBy: String {
    "name/name_0001.jpg, and one of people.txt, pairs.txt, landmarks.txt, peopleDevTrain.txt, … with "
      + "LFW's lines, or Kaggle's people.csv, pairs.csv, matchpairsDevTrain.csv, …; or PPM files in a "
      + "folder parts_lfw… called like images"
  }

  package func probe(_ tree: any SourceTree) throws -> Probe {
    guard !tree.isSingleFile else {
      return .noMatch("it is a single file; to import LFW, name its folder")
    }
    let files = try tree.files()
    if !LFWParts.masks(files).isEmpty {
      let parts = try LFWParts(tree)
      guard let first = parts.pairs.first else {
        return .noMatch("it has LFW's part labels, and none of the images that they label")
      }
      return .match("\(first.mask.path) is called like \(first.image.path): LFW's part labels")
    }
    let list = files.first { file in LFWTable(file.path)?.fits(tree, file.path) ?? false }
    guard let list else {
      return .noMatch("it has none of LFW's lists (people.txt, pairs.txt, landmarks.txt)")
    }
    var (named, all): (Int, Int) = (0, 0)
    for file in files where PairPath.isImageName(file.path) {
      all += 1
      if LFWName.isNamed(file.path) { named += 1 }
    }
    guard named > 0, 2 * named >= all else {
      return .noMatch("its images are not called like their folders (name/name_0001.jpg)")
    }
    return .match(
      "its images are called like their folders, and \(list.path) is one of LFW's lists")
  }

  package func companions(in tree: any SourceTree) throws -> Companions? {
    guard !tree.isSingleFile else { return nil }
    let files = try tree.files()
    var known = try LFWLayout(tree).known
    if !LFWParts.masks(files).isEmpty { known.formUnion(try LFWParts(tree).lists) }
    let unread = Companions.candidates(files).filter { !known.contains($0.path) }
    return try Companions(unread, in: tree, isKnownOnly: true)
  }

  package func run(
    _ tree: any SourceTree, _ options: ImportOptions, deliver: (ImportedBatch) throws -> Void
  ) throws -> FinishedImport {
    guard try probe(tree).isMatch else {
      throw FormatError.mismatch(name: tree.name, format: format, reason: try probe(tree).reason)
    }
    try options.refuse([.size, .classes], for: format)
    if !LFWParts.masks(try tree.files()).isEmpty {
      return try runParts(tree, options, deliver: deliver)
    }
    let layout = try LFWLayout(tree)
    var pass = try RegionImport(tree, LFWSource(layout, name: tree.name), options)
    return try pass.run(deliver)
  }

  /// Imports the part labels.
  private func runParts(
    _ tree: any SourceTree, _ options: ImportOptions, deliver: (ImportedBatch) throws -> Void
  ) throws -> FinishedImport {
    let parts = try LFWParts(tree)
    let plan = IndexMaskPlan(
      name: tree.name, pairs: parts.pairs, classes: LFWParts.classes, colors: LFWParts.colors,
      issues: parts.issues, rejected: parts.rejected)
    var finished = try plan.run(tree, options, deliver: deliver)
    finished.imagesLeftOut = 0
    finished.notes.append(
      "the part labels are masks of hair and face; people, landmarks and pairs are read from a folder "
        + "without part labels")
    return finished
  }
}
