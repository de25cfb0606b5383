import AssayCore
import AssayFormats
package import AssayStore
import Foundation

/// Exports a view in COCO's instances format, one file per split:
/// `annotations/instances_SPLIT.json`.
///
/// Ids are those of the source, with their type; missing ids are replaced by unused numbers.
/// `file_name` is the path relative to the dataset's folder, so that `--images` with that folder
/// finds the images.
package struct COCOExport: Sendable {
  private let catalog: Catalog
  private let view: String
  private let scope: ExportScope?
  private let copiesImages: Bool
  private let workers: Int

  /// - Parameter copiesImages: true to copy the image files into the folder, under their paths.
  package init(
    catalog: Catalog, view: String, copiesImages: Bool = false, workers: Int? = nil
  ) {
    self.catalog = catalog
    self.view = view
    scope = nil
    self.copiesImages = copiesImages
    self.workers = workers ?? max(1, ProcessInfo.processInfo.activeProcessorCount)
  }

  /// Exports samples that were already selected; if they include corrections, a manifest is written
  /// as well.
  ///
  /// - Parameter catalog: reads the ground truth to be written.
  package init(
    _ scope: ExportScope, catalog: Catalog, copiesImages: Bool = false, workers: Int? = nil
  ) {
    self.catalog = catalog
    view = scope.view
    self.scope = scope
    self.copiesImages = copiesImages
    self.workers = workers ?? max(1, ProcessInfo.processInfo.activeProcessorCount)
  }

  /// - Throws: ``ExportError``, ``OutputError``, `StoreError`, `MaskError`, ``Interrupted``.
  package func run(
    into folder: ExportFolder, progress: any ProgressSink = NoProgress()
  ) throws -> COCOExportSummary {
    let scope = try self.scope ?? ExportScope(view, in: catalog)
    let (samples, dataset) = (scope.samples, scope.dataset)
    guard samples.allSatisfy({ $0.location != nil }) else {
      throw ExportError.noFiles(dataset: dataset.name)
    }
    let taxonomy = try catalog.taxonomy(of: dataset.id)
    guard !taxonomy.categories.isEmpty, !dataset.isMultiLabel else {
      throw ExportError.noRegions(dataset: dataset.name)
    }
    guard copiesImages || dataset.mergedSources.isEmpty else {
      throw ExportError.severalRoots(dataset: dataset.name)
    }
    try folder.keepOff(sourceOf: dataset)
    var plan = COCOExportPlan(samples: samples, taxonomy: taxonomy)
    try plan.number(catalog, workers: workers)
    try plan.countFields(of: dataset, catalog)
    let copies = copiesImages ? samples.compactMap(\.location) : []
    let manifests = scope.corrections == nil ? [] : [ExportManifest.json, ExportManifest.csv]
    try folder.begin(plan.parts.map(\.file) + copies + manifests)
    // The manifest is written last: a folder without one is incomplete.
    for name in manifests { try folder.remove(name) }
    // The image paths in a COCO source that is a single JSON file are relative to the file's
    // folder.
    let root = DatasetRoot.folder(of: dataset)
    var summary = COCOExportSummary(
      view: view, dataset: dataset.name, root: root, folder: folder.path, plan: plan)
    var done = 0
    for part in plan.parts {
      try folder.stream(part.file) { append in
        try write(part, plan, append) { count in
          done += count
          progress.report(
            Double(done) / Double(samples.count), "writing the annotations of \(view)")
        }
      }
    }
    if copiesImages {
      summary.copied = try copy(samples, of: dataset, to: folder, &summary.leftOut, progress)
    }
    summary.scope = scope
    if scope.corrections != nil {
      let manifest = try manifest(of: scope, plan, leftOut: summary.leftOut)
      try folder.write(ExportManifest.csv, manifest.csvBytes)
      try folder.write(ExportManifest.json, manifest.jsonBytes)
    }
    return summary
  }

  private func manifest(
    of scope: ExportScope, _ plan: COCOExportPlan, leftOut: [LeftOutSample]
  ) throws -> ExportManifest {
    let names = plan.taxonomy.names
    let rows = try scope.samples.map { sample in
      ExportManifest.Row(
        sample: sample, file: sample.location, label: sample.category.map { names[$0] },
        imageHash: try catalog.contentHash(of: sample.id))
    }
    var manifest = ExportManifest(scope: scope, kind: "coco", rows: rows, leftOut: leftOut)
    manifest.members = [.init("files", .array(plan.parts.map { .string($0.file) }))]
    return manifest
  }

  private func write(
    _ part: COCOExportPlan.Part, _ plan: COCOExportPlan,
    _ append: ([UInt8]) throws -> Void, report: (Int) -> Void
  ) throws {
    var bytes = COCODatasetExporter.opening(description: "\(view), written by assay")
    for (place, category) in plan.taxonomy.categories.enumerated() {
      if place > 0 { bytes += COCODatasetExporter.separator }
      COCODatasetExporter.append(category, id: plan.categoryIDs[place], to: &bytes)
    }
    bytes += COCODatasetExporter.toImages
    for start in stride(from: 0, to: part.samples.count, by: COCOExportPlan.chunk) {
      let indices = part.samples[start..<min(start + COCOExportPlan.chunk, part.samples.count)]
      if start > 0 { bytes += COCODatasetExporter.separator }
      bytes += try plan.images(of: Array(indices), catalog)
      if bytes.count > 1 << 20 {
        try append(bytes)
        bytes.removeAll(keepingCapacity: true)
      }
    }
    try append(bytes + COCODatasetExporter.toAnnotations)
    var isFirst = true
    var start = 0
    try OrderedWorkers(workers: workers).run(
      next: { () -> ArraySlice<Int>? in
        try Interruption.check("the folder is not complete; run the same command to start again")
        guard start < part.samples.count else { return nil }
        defer { start += COCOExportPlan.chunk }
        return part.samples[start..<min(start + COCOExportPlan.chunk, part.samples.count)]
      },
      transform: { _, indices in
        (indices.count, try plan.annotations(of: Array(indices), catalog))
      },
      deliver: { count, annotations in
        if !annotations.isEmpty {
          try append((isFirst ? [] : COCODatasetExporter.separator) + annotations)
          isFirst = false
        }
        report(count)
      })
    try append(COCODatasetExporter.closing)
  }

  /// Copies the image files, byte for byte. Files that cannot be decoded as images are left out.
  private func copy(
    _ samples: [SampleRecord], of dataset: DatasetRecord, to folder: ExportFolder,
    _ leftOut: inout [LeftOutSample], _ progress: any ProgressSink
  ) throws -> Int {
    var place = 0
    var copied = 0
    // Two samples can share a file, and two workers must not write it at the same time.
    var started: Set<String> = []
    let tree = Result { try DatasetRoot.tree(of: dataset) }
    try OrderedWorkers(workers: workers).run(
      next: { () -> SampleRecord? in
        try Interruption.check("the folder is not complete; run the same command to start again")
        while place < samples.count {
          defer { place += 1 }
          if started.insert(Self.file(of: samples[place])).inserted { return samples[place] }
        }
        return nil
      },
      transform: { _, sample -> LeftOutSample? in
        let location = Self.file(of: sample)
        let bytes: [UInt8]
        do {
          bytes = try tree.get().readAll(location, limit: SampleImages.fileLimit)
          // An untrusted catalog can name any file; only images may be copied.
          _ = try SampleImages.decode(bytes, in: sample.size)
        } catch {
          return LeftOutSample(key: sample.key, reason: "\(error)")
        }
        try folder.write(location, bytes)
        return nil
      },
      deliver: { failure in
        if let failure { leftOut.append(failure) } else { copied += 1 }
        progress.report(Double(copied) / Double(samples.count), "copying the images of \(view)")
      })
    return copied
  }

  private static func file(of sample: SampleRecord) -> String { sample.location ?? sample.key }
}
