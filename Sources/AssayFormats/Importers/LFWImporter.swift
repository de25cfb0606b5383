package import AssayCore

/// Labeled Faces in the Wild: one folder per person (`name/name_0001.jpg`), with its lists of people,
/// pairs and landmarks, also as Datumaro and CVAT write them.
///
/// Key and location of a sample: its image's path. Source: G. Huang et al., "Labeled Faces in the
/// Wild" (2007), University of Massachusetts, Technical Report 07-49.
package struct LFWImporter: DatasetImporter {
  package init() {}

  package var format: DatasetFormat { .lfw }

  package var summary: String { "LFW: a folder per person, with lists of people, pairs, landmarks" }

  package var recognizedBy: String {
    "name/name_0001.jpg, and one of people.txt, pairs.txt, landmarks.txt, peopleDevTrain.txt, … with "
      + "LFW's lines"
  }

  package func probe(_ tree: any SourceTree) throws -> Probe {
    guard !tree.isSingleFile else {
      return .noMatch("it is a single file; to import LFW, name its folder")
    }
    let files = try tree.files()
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
    let layout = try LFWLayout(tree)
    let files = try tree.files()
    let unread = Companions.candidates(files).filter { !layout.known.contains($0.path) }
    return try Companions(
      unread, in: tree, signs: [LFWParts.finding(files)].compactMap(\.self), isKnownOnly: true)
  }

  package func run(
    _ tree: any SourceTree, _ options: ImportOptions, deliver: (ImportedBatch) throws -> Void
  ) throws -> FinishedImport {
    guard try probe(tree).isMatch else {
      throw FormatError.mismatch(name: tree.name, format: format, reason: try probe(tree).reason)
    }
    try options.refuse([.size, .classes], for: format)
    let layout = try LFWLayout(tree)
    var pass = try RegionImport(tree, LFWSource(layout, name: tree.name), options)
    return try pass.run(deliver)
  }
}
