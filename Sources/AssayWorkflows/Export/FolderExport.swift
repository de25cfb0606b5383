import AssayCore
import AssayFormats
import AssayImaging
package import AssayStore
import Foundation

/// Exports a view as class folders, `images/CLASS/NAME` or `images/SPLIT/CLASS/NAME`: image files
/// byte for byte, embedded pixels as PNG, with a manifest that maps files to samples.
package struct FolderExport: Sendable {
  private let scope: ExportScope
  private let catalog: Catalog
  private let workers: Int

  /// The subfolder that contains the folders of the splits and classes.
  package static let images = "images"
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
    let names = try catalog.taxonomy(of: dataset.id).names
    guard !dataset.isMultiLabel else { throw ExportError.setsOfLabels(dataset: dataset.name) }
    guard samples.contains(where: { $0.category != nil }) else {
      throw ExportError.noLabels(dataset: dataset.name)
    }
    try folder.keepOff(sourceOf: dataset)
    let layout = ImageFolderExporter(
      samples.map { sample in
        .init(
          key: sample.key, location: sample.location, split: sample.split,
          category: sample.category.map { names[$0] })
      })
    let paths = layout.paths.map { Self.images + "/" + $0 }
    try folder.begin(paths + [ExportManifest.json, ExportManifest.csv])
    // The manifest is written last: a folder without one is incomplete.
    try folder.remove(ExportManifest.json)
    let copier = SampleFiles(catalog: catalog, dataset: dataset)
    var rows: [ExportManifest.Row] = []
    var leftOut: [LeftOutSample] = []
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
          guard case .success(let file) = result else { return (range.lowerBound + place, result) }
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
            rows.append(
              ExportManifest.Row(
                sample: sample, file: paths[place], label: sample.category.map { names[$0] },
                imageHash: file.hash))
          case .failure(let error):
            leftOut.append(LeftOutSample(key: sample.key, reason: error.reason))
          }
        }
        progress.report(Double(done) / Double(samples.count), "writing \(scope.view)")
      })
    var manifest = ExportManifest(scope: scope, kind: "folder", rows: rows, leftOut: leftOut)
    manifest.members = [
      .init("classes", .array(names.map { .string($0) })),
      .init(
        "renamed_classes",
        .array(
          layout.renamed.map { ["class": .string($0.category), "folder": .string($0.folder)] })),
    ]
    try folder.write(ExportManifest.csv, manifest.csvBytes)
    try folder.write(ExportManifest.json, manifest.jsonBytes)
    var summary = TableExportSummary(
      scope: scope, kind: .folder, folder: folder.path, classes: names, rows: rows,
      leftOut: leftOut)
    summary.notes =
      layout.notes
      + layout.renamed.map { name, folder in
        "the folder of the class “\(name)” is named \(folder)"
      }
    summary.splitFolders = layout.splits
    summary.renamed = Dictionary(
      layout.renamed.map { ($0.category, $0.folder) }, uniquingKeysWith: { first, _ in first })
    return summary
  }
}
