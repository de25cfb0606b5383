package import AssayCore

/// Datumaro's own JSON: one file per subset in `annotations/`, the images in `images/SUBSET/`.
///
/// Key and location of a sample: its image's path. The subset is the split.
package struct DatumaroImporter: DatasetImporter {
  package init() {}

  package var format: DatasetFormat { .datumaro }

  package var summary: String {
    "Datumaro JSON: boxes, polygons, masks, lines, points, labels and captions"
  }

  package var recognizedBy: String {
    "a JSON with 'dm_format_version', or with a list 'items' and an object 'categories': "
      + "annotations/train.json + images/train/; each JSON is a split"
  }

  package func probe(_ tree: any SourceTree) throws -> Probe {
    let files = try DatumaroFile.all(in: tree)
    guard let first = files.first else {
      return .noMatch("it has no JSON with Datumaro's 'items' and 'categories'")
    }
    guard !tree.isSingleFile else { return .noMatch(Self.advice) }
    return .match(
      "\(first.file.path): its JSON has Datumaro's items"
        + (files.count > 1 ? ", and \(files.count - 1) more like it" : ""))
  }

  /// The reason why a single file is not read, one clause.
  static let advice =
    "it is a single file of a Datumaro dataset; import the folder that has annotations/ and images/"

  package func companions(in tree: any SourceTree) throws -> Companions? {
    let files = try DatumaroFile.all(in: tree)
    guard !tree.isSingleFile, !files.isEmpty else { return nil }
    let read = Set(files.map(\.file.path))
    let unread = Companions.candidates(try tree.files()).filter { !read.contains($0.path) }
    return try Companions(
      unread, in: tree, isKnownOnly: true,
      datasets: files.map { ($0.file.path, "Datumaro annotations") })
  }

  package func run(
    _ tree: any SourceTree, _ options: ImportOptions, deliver: (ImportedBatch) throws -> Void
  ) throws -> FinishedImport {
    try options.refuse([.size, .classes], for: format)
    let files = try DatumaroFile.all(in: tree)
    guard !tree.isSingleFile, !files.isEmpty else {
      throw FormatError.mismatch(name: tree.name, format: format, reason: try probe(tree).reason)
    }
    let source = try DatumaroSource(tree, files, workers: options.workers)
    var pass = try RegionImport(tree, source, options)
    return try pass.run(deliver)
  }
}
