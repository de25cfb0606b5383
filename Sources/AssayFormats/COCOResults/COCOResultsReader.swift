package import AssayCore
import CSimdJSON

/// Reads a JSON list of COCO results: boxes, regions as run lengths or polygons, or both.
///
/// The list is split at positions that look like the gap between two results, and workers parse the
/// pieces; if a position proves wrong, and for an object with a list `annotations`, the file is
/// first scanned for its structure. `.json.gz` is decompressed in memory.
package struct COCOResultsReader {
  private let tree: any SourceTree
  private let file: SourceFile
  private let workers: Int
  private let pieceBytes: Int

  /// - Parameters:
  ///   - tree: a single file.
  ///   - workers: the number of parsing threads.
  /// - Throws: ``COCOFileError``; any error that the tree throws.
  package init(_ tree: any SourceTree, workers: Int) throws {
    try self.init(tree, workers: workers, pieceBytes: JSONListPieces.pieceBytes)
  }

  /// - Parameter pieceBytes: the minimum number of bytes that are parsed together; the result does
  ///   not depend on it.
  init(_ tree: any SourceTree, workers: Int, pieceBytes: Int) throws {
    (self.tree, file) = try COCOFileStart.opened(tree)
    self.workers = max(1, workers)
    self.pieceBytes = pieceBytes
  }

  /// The fields of the first result, from the beginning of the file; `nil` if there is no result.
  ///
  /// - Throws: ``FormatError``, ``COCOFileError``; any error that the tree throws.
  package func firstShape() throws -> COCOResults.Shape? {
    for count in [1 << 16, JSONOutline.elementLimit] {
      let head = try COCOFileStart.head(tree, file, count)
      let outline = try JSONOutline(head: head, takesList: true)
      if let batch = (outline[""] ?? outline["annotations"])?.batches.first, batch.count > 0 {
        return try COCOParser().parse(assay_coco_result_boxes, head[batch.bytes]) {
          COCOResultsPart($0, end: 0).first
        }
      }
      if head.count < count { break }
    }
    return nil
  }

  /// Reads all results.
  ///
  /// - Parameters:
  ///   - regions: whether to read regions; otherwise only boxes are read, which is faster.
  ///   - byImage: whether ``COCOResults/detections(of:size:)`` will be used.
  ///   - fields: the fields that a result needs to be used.
  ///   - progress: receives the share of the file that has been read, in 0...1.
  /// - Throws: ``FormatError``, ``COCOFileError``, ``COCOForeignFile``; any error that the tree or
  ///   `progress` throws.
  package func read(
    regions: Bool = true, byImage: Bool = true, requiring fields: COCOFields = .all,
    progress: (Double) throws -> Void = { _ in }
  ) throws -> COCOResults {
    let start = try COCOFileStart(tree, file)
    if start == .list, let list = try JSONListPieces(tree, file, pieceBytes: pieceBytes) {
      do {
        return try read(list.pieces, regions: regions, fields, progress)
          .finished(isWrapped: false, hasRegions: regions, isGrouped: byImage)
      } catch FormatError.badJSON {
        // Either the file was split at a wrong position, or scanning it as a whole shows the
        // problem.
      }
    }
    let outline = try JSONOutline(tree, file.path, batchBytes: pieceBytes, takesList: true)
    let isWrapped = start == .object
    if isWrapped { try checkWrapped(outline, fields) }
    let batches = (isWrapped ? outline["annotations"] : outline[""])?.batches ?? []
    return try read(
      batches.map(\.bytes), regions: regions, fields, isWrapped: isWrapped, progress
    )
    .finished(isWrapped: isWrapped, hasRegions: regions, isGrouped: byImage)
  }

  /// Rejects an object that does not contain results.
  private func checkWrapped(_ outline: JSONOutline, _ fields: COCOFields) throws {
    guard let list = outline["annotations"], list.isArray else {
      throw COCOFileError.noResults(file.path, members: outline.members.map(\.name))
    }
    guard fields.contains(.score), let first = list.batches.first else { return }
    let hasScore = try COCOParser().parse(
      assay_coco_result_boxes, tree, file.path, first.bytes
    ) { batch in
      (0..<batch.count).contains { place in
        batch.results.map { FieldState($0[place].score_state) != .missing } ?? false
      }
    }
    if !hasScore {
      throw outline["images"] == nil
        ? COCOFileError.noScores(file.path) : .truthForResults(file.path)
    }
  }

  private func read(
    _ pieces: [Range<Int>], regions: Bool, _ fields: COCOFields, isWrapped: Bool = false,
    _ progress: (Double) throws -> Void
  ) throws -> COCOResultsMerge {
    let parsers = try (0..<workers).map { _ in try COCOParser() }
    let kind = regions ? assay_coco_results : assay_coco_result_boxes
    var merge = COCOResultsMerge()
    let list = isWrapped ? "/annotations" : ""
    var foreign: COCOForeignFile?
    var rest = pieces[...]
    try OrderedWorkers(workers: workers).run(
      next: { rest.popFirst() },
      transform: { [tree, file] worker, piece in
        try parsers[worker].parse(kind, tree, file.path, piece) {
          COCOResultsPart($0, requiring: fields, end: piece.upperBound)
        }
      },
      deliver: { part in
        let share = Double(part.end) / Double(max(1, file.size))
        let place = merge.count
        try merge.add(part, share: share)
        foreign = foreign ?? part.marks.kind(file.path, list, from: place)
        try progress(share)
      })
    // Invalid JSON is reported first, wherever it is.
    if let foreign { throw foreign }
    return merge
  }
}
