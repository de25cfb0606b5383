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
    // Fields alone, as of the library's documentation; beside folders of classes they do not say what the label is, and
    // lists and objects can be annotations that are not known here.
    if let other, Self.hasPlainFields(tree, other) {
      let images = try tree.files().map(\.path).filter(PairPath.isImageName)
      if !images.isEmpty, !FolderLayout(images).hasClasses {
        return .match("\(other) has fields of images")
      }
    }
    return .noMatch(
      other.map { "\($0) has neither labels, objects nor captions" }
        ?? "it has no metadata.jsonl, metadata.csv or metadata.parquet with file_name")
  }

  /// Returns whether the first record of metadata has texts and numbers alone.
  private static func hasPlainFields(_ tree: any SourceTree, _ path: String) -> Bool {
    if path.hasSuffix(ignoringCase: ".csv") { return true }
    guard path.hasSuffix(ignoringCase: ".jsonl") else { return false }
    var head = [UInt8](repeating: 0, count: 1 << 16)
    guard let count = try? SourceContent.readHead(tree, path, into: &head) else { return false }
    let line = head[..<count].prefix { $0 != UInt8(ascii: "\n") }
    guard let record = try? JSONValue(parsing: String(decoding: line, as: UTF8.self)) else {
      return false
    }
    return record.members?.allSatisfy { $0.value.members == nil && $0.value.elements == nil }
      ?? false
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
