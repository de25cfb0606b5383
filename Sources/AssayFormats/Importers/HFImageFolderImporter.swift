package import AssayCore

/// Hugging Face's image folders with `metadata.jsonl`, `.csv` or `.parquet`: labels of images, boxes and
/// captions.
///
/// Key and location of a sample: its image's path. Boxes are x, y, width, height in pixels, as in
/// COCO. Source: the documentation of Hugging Face Datasets, "Create an image dataset".
package struct HFImageFolderImporter: DatasetImporter {
  package init() {}

  package var format: DatasetFormat { .hfImageFolder }

  package var summary: String {
    "Hugging Face image folders with metadata: labels, boxes or captions"
  }

  package var recognizedBy: String {
    "metadata.jsonl, metadata.csv or metadata.parquet with file_name, and label, objects (bbox, "
      + "categories) or a caption (text)"
  }

  package func probe(_ tree: any SourceTree) throws -> Probe {
    guard !tree.isSingleFile else {
      return .noMatch("it is a single file; to import an image folder, name the folder")
    }
    var other: String?
    for file in try tree.files().filter({ HFMetadata.isNamed($0.path) }).prefix(16) {
      guard let fields = HFMetadata.fields(tree, file.path) else { continue }
      if !fields.isDisjoint(with: HFMetadata.knownFields) {
        let isLabeled = !fields.isDisjoint(with: HFMetadata.labelFields)
        return .match(
          "\(file.path) has "
            + (fields.contains("objects") ? "objects" : isLabeled ? "labels" : "captions")
            + " of images")
      }
      other = file.path
    }
    return .noMatch(
      other.map { "\($0) has neither labels, objects nor captions" }
        ?? "it has no metadata.jsonl, metadata.csv or metadata.parquet with file_name")
  }

  package func companions(in tree: any SourceTree) throws -> Companions? {
    guard try probe(tree).isMatch else { return nil }
    let unread = Companions.candidates(try tree.files()).filter { !HFMetadata.isNamed($0.path) }
    return try Companions(unread, in: tree, isKnownOnly: true)
  }

  package func run(
    _ tree: any SourceTree, _ options: ImportOptions, deliver: (ImportedBatch) throws -> Void
  ) throws -> FinishedImport {
    guard try probe(tree).isMatch else {
      throw FormatError.mismatch(name: tree.name, format: format, reason: try probe(tree).reason)
    }
    try options.refuse([.size], for: format)
    let layout = try HFLayout(tree)
    if let problem = layout.boxProblem(in: tree) {
      throw FormatError.mismatch(name: tree.name, format: format, reason: problem)
    }
    let source = HFSource(layout, name: tree.name, names: options.classes)
    var pass = try RegionImport(tree, source, options)
    var finished = try pass.run(deliver)
    if finished.lists?.annotationsRead == 0 { finished.lists = nil }
    return finished
  }
}
