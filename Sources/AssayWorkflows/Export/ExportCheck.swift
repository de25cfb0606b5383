import AssayCore
import AssayFormats
package import AssayStore
import Foundation

/// Reads an export back as `assay import` would, into a temporary catalog, and compares it with what
/// the format can hold: every image with its split, size and labels, and every object with its class,
/// shape, coordinates or pixels, crowd flag and attributes.
package struct ExportCheck: Sendable {
  private let summary: DatasetExportSummary
  private let catalog: Catalog
  private let workers: Int

  /// - Parameter catalog: the catalog that the export was made from.
  package init(of summary: DatasetExportSummary, catalog: Catalog, workers: Int? = nil) {
    self.summary = summary
    self.catalog = catalog
    self.workers = workers ?? max(1, ProcessInfo.processInfo.activeProcessorCount)
  }

  /// The meaning of the columns of ``ExportFormat/csv``, for an import.
  package static let columns = "image=image,split=split,label=class,box=xmin:ymin:xmax:ymax"

  /// Refuses an export that could not be read back.
  ///
  /// - Throws: ``ExportError/noImporter(format:)``.
  package static func check(_ request: DatasetExportRequest) throws(ExportError) {
    guard request.format.importFormat(request.variant) != nil else {
      throw .noImporter(format: request.format.rawValue)
    }
  }

  /// - Parameter database: the path of a catalog that does not exist yet.
  /// - Throws: ``ImportError``, ``SourceError``, `FormatError`, `StoreError`, `MaskError`,
  ///   ``Interrupted``.
  package func run(
    database: String, progress: some ProgressSink = NoProgress()
  ) throws -> ExportVerification {
    var request = ImportRequest(summary.readPath)
    request.path = summary.readPath
    request.format = summary.request.format.importFormat(summary.request.variant)
    request.name = "result"
    if request.format == .csv {
      try request.setColumns(Self.columns)
      request.coordinates = .pixels
    }
    let imported = try DatasetImport(request).run(catalogPath: database, progress: progress)
    let result = try Catalog.open(database, .readOnly)
    let scope = try ExportScope("result", in: result)
    let names = try result.taxonomy(of: scope.dataset.id).names
    let plan = summary.plan
    var verification = ExportVerification()
    verification.issues = imported.issueCounts
    var indices: [String: Int] = [:]
    for index in plan.samples.indices where plan.firstObjects[index] >= 0 {
      indices[plan.paths[index]] = index
    }
    // Images without a file are kept under the path that the annotations state.
    var absent: [Substring: Int?] = [:]
    for index in plan.samples.indices where plan.firstObjects[index] >= 0 && !plan.hasFiles[index] {
      let name = plan.paths[index].split(separator: "/").last ?? ""
      absent[name] = absent[name] == nil ? index : .some(nil)
    }
    var isSeen = [Bool](repeating: false, count: plan.samples.count)
    var hashes: [CanonicalImage.Digest] = []
    var start = 0
    let samples = scope.samples
    let comparison = ExportComparison(
      plan: plan, names: names, isMultiLabel: scope.dataset.isMultiLabel)
    let (catalog, places, others) = (catalog, indices, absent)
    try OrderedWorkers(workers: workers).run(
      next: { () -> ArraySlice<SampleRecord>? in
        try Interruption.check("the files are written; they were not read back to their end")
        guard start < samples.count else { return nil }
        defer { start += ExportPlan.chunk }
        return samples[start..<min(start + ExportPlan.chunk, samples.count)]
      },
      transform: {
        _, samples -> (found: ExportVerification, seen: [Int], hashes: [CanonicalImage.Digest]) in
        let known = samples.map { sample -> Int? in
          let path = sample.location ?? sample.key
          return places[path] ?? others[path.split(separator: "/").last ?? ""] ?? nil
        }
        let expected = try plan.images(known.compactMap { $0 }, catalog)
        return try comparison.compare(Array(samples), known, expected, result)
      },
      deliver: { part in
        verification.add(part.found)
        hashes += part.hashes
        for index in part.seen { isSeen[index] = true }
        progress.report(
          Double(hashes.count) / Double(samples.count), "comparing \(summary.folder)")
      })
    for index in plan.samples.indices where plan.firstObjects[index] >= 0 && !isSeen[index] {
      verification.note(.images, "image \(plan.paths[index]) was not read back")
    }
    noteClasses(names, &verification)
    for failure in summary.leftOut {
      verification.note(.files, "image \(failure.key) was not written: \(failure.reason)")
    }
    verification.hash = CanonicalImage.hash(ofDataset: hashes)
    return verification
  }

  private func noteClasses(_ names: [String], _ verification: inout ExportVerification) {
    let can = summary.plan.exporter.capabilities
    guard can.classOrder else { return }
    let expected = zip(summary.plan.dataset.classes, summary.survey.isUsed)
      .filter { can.names($0, isUsed: $1) }.map(\.0.name)
    // A dataset without objects does not have to name its classes.
    if names != expected {
      verification.note(
        .classOrder, "the classes are \(names.prefix(20)), expected \(expected.prefix(20))")
    }
  }
}
