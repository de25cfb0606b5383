package import AssayCore
import CSimdJSON

/// Reads the ground truth of a COCO file for an evaluation: images, classes, and the boxes or
/// regions of annotations. `.json.gz` is decompressed in memory.
package struct COCOTruthReader {
  private let tree: any SourceTree
  private let file: SourceFile
  private let workers: Int

  /// - Parameters:
  ///   - tree: a single file.
  ///   - workers: the number of parsing threads.
  /// - Throws: ``COCOFileError``; any error that the tree throws.
  package init(_ tree: any SourceTree, workers: Int) throws {
    (self.tree, file) = try COCOFileStart.opened(tree)
    self.workers = max(1, workers)
  }

  /// Reads the whole file.
  ///
  /// - Parameters:
  ///   - regions: whether to read regions; otherwise only boxes are read, which is faster.
  ///   - fields: the fields that an annotation needs to be used; the score is ignored here.
  /// - Throws: ``FormatError``, ``COCOFileError``, ``COCOForeignFile``; any error that the tree
  ///   throws.
  package func read(regions: Bool, requiring fields: COCOFields = .all) throws -> COCOTruth {
    guard try COCOFileStart(tree, file) == .object else {
      throw COCOFileError.listForTruth(file.path)
    }
    let outline = try JSONOutline(tree, file.path, batchBytes: 1 << 19)
    var truth = COCOTruth()
    truth.hasRegions = regions
    try check(outline, fields, &truth)
    let parsers = try (0..<workers).map { _ in try COCOParser() }
    var lists = COCOTruthLists(tree: tree, path: file.path, parser: parsers[0])
    let images = try lists.images(outline["images"], &truth)
    let categories =
      fields.contains(.category) ? try lists.categories(outline["categories"], &truth) : nil
    guard !truth.images.isEmpty else { throw COCOFileError.noImages(file.path) }
    var spans = (outline["annotations"]?.batches ?? [])[...]
    var ids: [SourceID?] = []
    let kind = regions ? assay_coco_truth : assay_coco_truth_boxes
    try OrderedWorkers(workers: workers).run(
      next: { spans.popFirst() },
      transform: { [tree, file] worker, span in
        try parsers[worker].parse(kind, tree, file.path, span.bytes) { batch in
          try batch.marks.check(file.path, "/annotations", from: span.first)
          return COCOTruthPart(batch, images: images, categories: categories)
        }
      },
      deliver: { part in
        truth.findings.merge(part.findings, at: truth.count)
        if part.isOdd { truth.isOdd = true }
        truth.regions.append(part.regions, entries: part.count)
        truth.keypoints.append(part.keypoints, entries: part.count, after: truth.count)
        truth.labeledCounts.append(part.labeledCounts, entries: part.count, after: truth.count)
        truth.imageNumbers += part.images
        truth.categoryNumbers += part.categories
        truth.areas += part.areas
        truth.boxes += part.boxes
        truth.flags += part.flags
        ids += part.ids
      })
    findRepeated(ids, &truth)
    if truth.findings[.repeatedCategoryName] > 0 { truth.nameCategoriesApart() }
    return truth
  }

  /// Rejects files that are not ground truth, and reports missing and repeated lists.
  private func check(
    _ outline: JSONOutline, _ fields: COCOFields, _ truth: inout COCOTruth
  ) throws {
    let names = outline.members.map(\.name)
    let lists = ["images"] + (fields.contains(.category) ? ["categories"] : []) + ["annotations"]
    for name in lists {
      guard let member = outline[name] else {
        guard name == "annotations" else {
          throw COCOFileError.noList(file.path, name: name, members: names)
        }
        truth.findings.note(.noAnnotations, at: nil)
        continue
      }
      guard member.isArray else {
        throw COCOFileError.notAList(file.path, name: name, offset: member.bytes.lowerBound)
      }
      if names.count(where: { $0 == name }) > 1 {
        truth.findings.note(.repeatedList, at: nil, "", "'\(name)'")
      }
    }
    // Parts that are not read must still be valid JSON.
    let parser = try COCOParser()
    for member in outline.members where !lists.contains(member.name) {
      guard member.bytes.count <= JSONOutline.elementLimit else { continue }
      try parser.parse(assay_coco_images, tree, file.path, member.bytes) { _ in }
    }
  }

  /// Finds annotations that share an id; the reference keeps only the last of them.
  private func findRepeated(_ ids: [SourceID?], _ truth: inout COCOTruth) {
    var seen = COCOIDSet()
    var repeated: Set<SourceID> = []
    for (place, id) in ids.enumerated() {
      guard let id, !seen.insert(id) else { continue }
      repeated.insert(id)
      truth.findings.note(.repeatedID, at: place, "/id", "id \(id)")
    }
    guard !repeated.isEmpty else { return }
    var last: [SourceID: Int] = [:]
    for (place, id) in ids.enumerated() {
      if let id, repeated.contains(id) { last[id] = place }
    }
    for (place, id) in ids.enumerated() {
      if let id, let final = last[id] { truth.lastOfID[place] = final }
    }
  }
}
