import AssayCore
import CSimdJSON

/// A JSON file that looks like COCO, and its contents as far as its beginning shows.
struct COCOCandidate {
  var file: SourceFile
  var content: COCOContent
  /// True if its images have the fields of LVIS.
  private(set) var isLVIS = false
  /// The reason why it is considered COCO, one clause without a subject.
  var reason: String

  /// The number of bytes that are read from the beginning of a file.
  static let headBytes = 1 << 16
  /// The maximum number of JSON files that are read in a folder.
  static let fileLimit = 256

  /// Examines the beginning of a file; `nil` if it is not a COCO JSON file.
  ///
  /// - Throws: any error that the tree throws.
  init?(_ tree: any SourceTree, _ file: SourceFile) throws {
    var head = [UInt8](repeating: 0, count: Self.headBytes)
    head.removeLast(head.count - (try SourceContent.readHead(tree, file.path, into: &head)))
    var outline = try JSONOutline(head: head)
    let named = COCOContent(fileName: COCOLayout.fileName(of: file.path))
    let names = Set(outline.members.map(\.name))
    guard names.contains("images") || names.contains("annotations") else { return nil }
    // Only reading the whole file shows what follows a long list of images.
    if !names.contains("annotations"), outline.problem != nil, named == nil,
      let whole = try? JSONOutline(tree, file.path)
    {
      outline = whole
      head = []
    }
    self.file = file
    let seen = Set(outline.members.map(\.name))
    let shown = ["images", "annotations", "categories"].filter(seen.contains)
    reason = "its JSON has \(shown.map { "'\($0)'" }.joined(separator: " and "))"
    content = try Self.content(outline, head, named, tree, file)
    isLVIS = Self.isLVIS(outline, head, tree, file)
    guard isLVIS || named != nil || Self.isCOCO(outline, head, tree, file) else { return nil }
    if isLVIS { reason += ", and its images have fields of LVIS" }
  }

  private static func content(
    _ outline: JSONOutline, _ head: [UInt8], _ named: COCOContent?, _ tree: any SourceTree,
    _ file: SourceFile
  ) throws -> COCOContent {
    let parser = try COCOParser()
    var seen: COCOContent?
    for place in 0..<16 where seen == nil || seen == .labels {
      let found = try? element(
        place, outline, "annotations", assay_coco_annotations, parser, head, tree, file
      ) { batch in batch.annotations.map { [COCOContent($0.pointee, in: batch)] } }
      guard let found else { break }
      seen = found.compactMap(\.self).first ?? seen
    }
    if let content = seen {
      // COCO's stuff and keypoints look like instances and are distinguished by their file names.
      guard content == .instances, let named else { return content }
      return named == .keypoints || named == .stuff ? named : .instances
    }
    if let named { return named }
    let isWhole = outline.problem == nil
    return isWhole && outline["annotations"] == nil ? .imageInfo : .instances
  }

  /// True if the first image has LVIS's lists of classes, or a URL in place of a file name.
  ///
  /// LVIS lists its annotations first, and they have no 'iscrowd': only then the whole file is read
  /// for its first image.
  private static func isLVIS(
    _ outline: JSONOutline, _ head: [UInt8], _ tree: any SourceTree, _ file: SourceFile
  ) -> Bool {
    guard let parser = try? COCOParser() else { return false }
    var (outline, head) = (outline, head)
    if outline["images"] == nil, outline.problem != nil {
      let hasCrowd = try? element(
        0, outline, "annotations", assay_coco_annotations, parser, head, tree, file
      ) { batch in batch.annotations.map { FieldState($0.pointee.crowd_state) != .missing } }
      guard hasCrowd == false, let whole = try? JSONOutline(tree, file.path) else { return false }
      (outline, head) = (whole, [])
    }
    let found = try? element(
      0, outline, "images", assay_coco_lvis_images, parser, head, tree, file
    ) { batch in
      batch.images.map { image in
        batch.marks.lvis >= 0
          || (!FieldState(image.pointee.name_state).isUsable
            && FieldState(image.pointee.url_state).isUsable && image.pointee.url.count > 0)
      }
    }
    return found ?? false
  }

  /// True if the first image or the first annotation has COCO's fields.
  private static func isCOCO(
    _ outline: JSONOutline, _ head: [UInt8], _ tree: any SourceTree, _ file: SourceFile
  ) -> Bool {
    guard let parser = try? COCOParser() else { return false }
    let hasImage = try? element(
      0, outline, "images", assay_coco_images, parser, head, tree, file
    ) { batch in batch.images.map { FieldState($0.pointee.name_state).isUsable } }
    if hasImage == true { return true }
    let hasAnnotation = try? element(
      0, outline, "annotations", assay_coco_annotations, parser, head, tree, file
    ) { batch in batch.annotations.map { $0.pointee.image.field.isUsable } }
    if hasAnnotation == true { return true }
    // The import reports the problem with a file that was given explicitly.
    if tree.isSingleFile, let problem = outline.problem,
      !problem.isTruncation || head.count < COCOCandidate.headBytes
    {
      return true
    }
    // Both lists exist, without a readable element: the import reports the problem.
    return outline["images"]?.isArray == true && outline["annotations"]?.isArray == true
  }

  /// Passes one of the first elements of a list to a closure, if it was read completely.
  private static func element<Result>(
    _ place: Int, _ outline: JSONOutline, _ name: String, _ kind: assay_coco_kind,
    _ parser: COCOParser, _ head: [UInt8], _ tree: any SourceTree, _ file: SourceFile,
    _ body: (assay_coco_batch) -> Result?
  ) throws -> Result? {
    guard let member = outline[name], member.isArray, member.batches.indices.contains(place),
      member.batches[place].count > 0
    else { return nil }
    let batch = member.batches[place]
    if batch.bytes.upperBound <= head.count {
      return try parser.parse(kind, head[batch.bytes], body)
    }
    return try parser.parse(kind, tree, file.path, batch.bytes, body)
  }
}
