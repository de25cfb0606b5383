import AssayCore
import AssayFormats
package import AssayStore
import Foundation

/// Exports a view of a multi-label dataset as `labels.csv`, with a 0/1 column per class, the image
/// files byte for byte in `images/`, and a manifest that maps files to samples.
package struct MultiLabelExport: Sendable {
  private let scope: ExportScope
  private let catalog: Catalog
  private let workers: Int

  /// The table's file name.
  package static let file = "labels.csv"
  /// The number of samples processed at a time.
  private static let chunk = 16

  package init(_ scope: ExportScope, catalog: Catalog, workers: Int? = nil) {
    self.scope = scope
    self.catalog = catalog
    self.workers = workers ?? max(1, ProcessInfo.processInfo.activeProcessorCount)
  }

  /// - Throws: ``ExportError``, ``OutputError``, `StoreError`, ``Interrupted``.
  package func run(
    into folder: ExportFolder, progress: any ProgressSink = NoProgress()
  ) throws -> TableExportSummary {
    let (samples, dataset) = (scope.samples, scope.dataset)
    guard dataset.isMultiLabel else { throw ExportError.noSetsOfLabels(dataset: dataset.name) }
    let names = try catalog.taxonomy(of: dataset.id).names
    if let (name, reason) = MultiLabelCSVExporter.unreadable(names) {
      throw ExportError.unreadableClass(name, reason: reason)
    }
    try folder.keepOff(sourceOf: dataset)
    // Without classes and splits, because both are in the table.
    let layout = ImageFolderExporter(
      samples.map { .init(key: $0.key, location: $0.location, split: nil, category: nil) })
    let paths = layout.paths.map { FolderExport.images + "/" + $0 }
    try folder.begin(paths + [Self.file, ExportManifest.json, ExportManifest.csv])
    // The manifest is written last: a folder without one is incomplete.
    try folder.remove(ExportManifest.json)
    let exporter = MultiLabelCSVExporter(
      classes: names, hasSplits: samples.contains { $0.split != nil })
    let copier = SampleFiles(catalog: catalog, dataset: dataset)
    var rows: [ExportManifest.Row] = []
    var leftOut: [LeftOutSample] = []
    try folder.stream(Self.file) { append in
      try append(exporter.header)
      var start = 0
      var done = 0
      try OrderedWorkers(workers: workers).run(
        next: { () -> Range<Int>? in
          try Interruption.check(
            "\(done) of \(samples.count) images are written; run the same command to start again")
          guard start < samples.count else { return nil }
          defer { start += Self.chunk }
          return start..<min(start + Self.chunk, samples.count)
        },
        transform: { _, range in
          try copier.files(of: Array(samples[range])).enumerated().map { place, result in
            guard case .success(let file) = result else {
              return (range.lowerBound + place, result)
            }
            try folder.write(paths[range.lowerBound + place], file.bytes)
            // The bytes are written and no longer needed.
            return (range.lowerBound + place, .success(SampleFile(bytes: [], hash: file.hash)))
          }
        },
        deliver: { (results: [(Int, Result<SampleFile, SampleImageError>)]) in
          for (place, result) in results {
            done += 1
            let sample = samples[place]
            switch result {
            case .success(let file):
              try append(
                exporter.line(
                  image: paths[place], split: sample.split, labels: sample.categories))
              rows.append(
                ExportManifest.Row(
                  sample: sample, file: paths[place], row: rows.count,
                  labels: sample.categories.map { names[$0] }, imageHash: file.hash))
            case .failure(let error):
              leftOut.append(LeftOutSample(key: sample.key, reason: error.reason))
            }
          }
          progress.report(Double(done) / Double(samples.count), "writing \(scope.view)")
        })
    }
    var manifest = ExportManifest(
      scope: scope, kind: "multilabel-csv", rows: rows, leftOut: leftOut)
    manifest.members = [.init("classes", .array(names.map { .string($0) }))]
    try folder.write(ExportManifest.csv, manifest.csvBytes)
    try folder.write(ExportManifest.json, manifest.jsonBytes)
    return TableExportSummary(
      scope: scope, kind: .multiLabelCSV, folder: folder.path, classes: names, rows: rows,
      leftOut: leftOut)
  }
}
