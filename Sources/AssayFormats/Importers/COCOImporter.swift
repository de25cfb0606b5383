package import AssayCore
import CSimdJSON

/// COCO's instances JSON: beside its images, in `annotations/` beside folders of images, the
/// layouts of Roboflow and MMDetection, or a single JSON with its images in another folder.
///
/// Each JSON file is a split. Key and location of a sample: its image's path below the images'
/// root. The file is read in steps: first its lists are located, then images and categories are
/// read, then annotations, in batches of whole elements that workers parse.
package struct COCOImporter: DatasetImporter {
  package init() {}

  package var format: DatasetFormat { .coco }

  package var summary: String {
    "COCO instances JSON: polygons, RLE, boxes; keypoints are kept, not evaluated"
  }

  package var recognizedBy: String {
    "a JSON with 'images' and 'annotations', alone (--images DIR) or in a folder: "
      + "annotations/instances_val2017.json + val2017/ (or images/val2017/), x.json beside its "
      + "images, train/_annotations.coco.json; each JSON is a split"
  }

  /// The split in a JSON file's name: `val2017` of `instances_val2017.json`; `nil` if there is
  /// none.
  package static func split(ofFile name: String) -> String? { COCOLayout.split(of: name) }

  /// Some of the image files that a JSON file names, if its beginning contains any.
  ///
  /// - Throws: any error that the tree throws.
  package static func someFileNames(
    of path: String, in tree: any SourceTree
  ) throws -> [String] {
    var head = [UInt8](repeating: 0, count: COCOCandidate.headBytes)
    head.removeLast(head.count - (try SourceContent.readHead(tree, path, into: &head)))
    guard let images = try JSONOutline(head: head)["images"], images.isArray else { return [] }
    let parser = try COCOParser()
    return images.batches.prefix(8).compactMap { span in
      guard span.bytes.upperBound <= head.count, span.count > 0 else { return nil }
      return try? parser.parse(assay_coco_images, head[span.bytes]) { batch in
        guard let image = batch.images?.pointee, FieldState(image.name_state).isUsable else {
          return nil
        }
        return batch.text(image.name)
      }
    }
  }

  package func probe(_ tree: any SourceTree) throws -> Probe {
    guard let layout = try COCOLayout(tree, imagesApart: false) else {
      return .noMatch(
        tree.isSingleFile
          ? "it is not a JSON object with 'images' and 'annotations'"
          : "it has no JSON with 'images' and 'annotations'")
    }
    return .match(layout.reason)
  }

  package func companions(in tree: any SourceTree) throws -> Companions? {
    guard let layout = try COCOLayout(tree, imagesApart: false), !layout.parts.isEmpty else {
      return nil
    }
    let parts = layout.parts.map(\.file.path)
    let read = Set(parts + layout.others.map(\.file.path))
    let unread = Companions.candidates(try tree.files()).filter { !read.contains($0.path) }
    return try Companions(
      unread, in: tree, isKnownOnly: true,
      datasets: parts.map { ($0, "COCO annotations") }, kin: layout.others.map(\.file))
  }

  package func run(
    _ tree: any SourceTree, _ options: ImportOptions, deliver: (ImportedBatch) throws -> Void
  ) throws -> FinishedImport {
    guard options.size == nil else { throw FormatError.unusedOption("--size", format: format) }
    guard options.classes == nil else {
      throw FormatError.unusedOption("--classes", format: format)
    }
    guard let layout = try COCOLayout(tree, imagesApart: options.images != nil) else {
      throw FormatError.mismatch(
        name: tree.name, format: format, reason: try probe(tree).reason)
    }
    guard !layout.parts.isEmpty else {
      // For an invalid file, that error is reported first.
      if tree.isSingleFile { _ = try JSONOutline(tree, layout.others[0].file.path) }
      throw Self.nothingToImport(layout, tree)
    }
    let hash = tree.isSingleFile ? FileHash(tree, layout.parts[0].file.path) : nil
    defer { hash?.cancel() }
    var run = try COCOImportPass(tree, layout, options)
    try run.start(deliver)
    for part in layout.parts { try run.read(part, deliver) }
    return FinishedImport(
      outcome: run.outcome, contentHash: try hash?.result(), lists: run.lists)
  }

  private static func nothingToImport(
    _ layout: COCOLayout, _ tree: any SourceTree
  ) -> FormatError {
    let list = layout.others.prefix(4).map { "\($0.file.path) \($0.reason)" }
      .joined(separator: "; ")
    let hint =
      tree.isSingleFile
      ? "" : "; PATH:image-folder --ignore-companions imports the images alone"
    return .notCOCO(tree.name, problem: "no instances JSON found: \(list)\(hint)")
  }
}
