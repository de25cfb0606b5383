import AssayCore
import AssayFormats
package import AssayStore
import Foundation

/// Exports a view as FER-2013's CSV of gray pixels, `fer2013.csv`, with a manifest that maps rows
/// to samples.
///
/// A sample is exported if its image is grayscale and has the most frequent size; pixels are not
/// altered.
package struct FERExport: Sendable {
  private let scope: ExportScope
  private let catalog: Catalog
  private let workers: Int

  /// The file's name.
  package static let file = "fer2013.csv"
  /// The number of samples processed at a time.
  private static let chunk = 64

  package init(_ scope: ExportScope, catalog: Catalog, workers: Int? = nil) {
    self.scope = scope
    self.catalog = catalog
    self.workers = workers ?? max(1, ProcessInfo.processInfo.activeProcessorCount)
  }

  /// A row of the file, or the reason why there is none.
  private enum Written {
    case row(bytes: [UInt8], hash: String)
    case leftOut(String)
  }

  /// - Throws: ``ExportError``, ``OutputError``, `StoreError`, ``Interrupted``.
  package func run(
    into folder: ExportFolder, progress: any ProgressSink = NoProgress()
  ) throws -> TableExportSummary {
    let (samples, dataset) = (scope.samples, scope.dataset)
    let taxonomy = try catalog.taxonomy(of: dataset.id)
    guard !dataset.isMultiLabel else { throw ExportError.setsOfLabels(dataset: dataset.name) }
    guard samples.contains(where: { $0.category != nil }) else {
      throw ExportError.noLabels(dataset: dataset.name)
    }
    let files = SampleFiles(catalog: catalog, dataset: dataset)
    let size = try size(of: samples, files)
    guard size.area <= FERExporter.pixelLimit else {
      throw ExportError.tooLargeForTable(size, limit: FERExporter.pixelLimit)
    }
    try folder.keepOff(sourceOf: dataset)
    try folder.begin([Self.file, ExportManifest.json, ExportManifest.csv])
    // The manifest is written last: a folder without one is incomplete.
    try folder.remove(ExportManifest.json)
    let exporter = FERExporter(classes: taxonomy.names)
    var rows: [ExportManifest.Row] = []
    var leftOut: [LeftOutSample] = []
    try folder.stream(Self.file) { append in
      try append(FERExporter.header)
      var start = 0
      var done = 0
      try OrderedWorkers(workers: workers).run(
        next: { () -> ArraySlice<SampleRecord>? in
          try Interruption.check("the folder is not complete; run the same command to start again")
          guard start < samples.count else { return nil }
          defer { start += Self.chunk }
          return samples[start..<min(start + Self.chunk, samples.count)]
        },
        transform: { _, part in
          (Array(part), try write(Array(part), size, exporter, files))
        },
        deliver: { part, results in
          for (sample, result) in zip(part, results) {
            switch result {
            case .row(let bytes, let hash):
              try append(bytes)
              rows.append(
                ExportManifest.Row(
                  sample: sample, file: Self.file, row: rows.count,
                  label: sample.category.map { taxonomy.names[$0] }, imageHash: hash))
            case .leftOut(let reason):
              leftOut.append(LeftOutSample(key: sample.key, reason: reason))
            }
          }
          done += part.count
          progress.report(Double(done) / Double(samples.count), "writing \(scope.view)")
        })
    }
    var manifest = ExportManifest(scope: scope, kind: "fer", rows: rows, leftOut: leftOut)
    manifest.members = [
      .init("classes", .array(exporter.classes.map { .string($0) })),
      .init("width", JSONValue(size.width)), .init("height", JSONValue(size.height)),
    ]
    try folder.write(ExportManifest.csv, manifest.csvBytes)
    try folder.write(ExportManifest.json, manifest.jsonBytes)
    var summary = TableExportSummary(
      scope: scope, kind: .fer, folder: folder.path, classes: taxonomy.names,
      rows: rows, leftOut: leftOut)
    summary.size = size
    summary.namesForImport = exporter.needsClasses ? exporter.classes : nil
    return summary
  }

  /// The most frequent image size among those known; if none is known, that of the first readable
  /// image.
  private func size(of samples: [SampleRecord], _ files: SampleFiles) throws -> ImageSize {
    var counts: [ImageSize: Int] = [:]
    for sample in samples { if let size = sample.size { counts[size, default: 0] += 1 } }
    // For equal counts the larger size, so that the result does not depend on dictionary order.
    let most = counts.max {
      ($0.value, $0.key.area, $0.key.width) < ($1.value, $1.key.area, $1.key.width)
    }
    if let most { return most.key }
    for sample in samples {
      if let raster = try? files.pictures(of: [sample])[0].get().raster {
        return ImageSize(width: raster.width, height: raster.height)
      }
    }
    throw ExportError.noPictures(view: scope.view)
  }

  private func write(
    _ samples: [SampleRecord], _ size: ImageSize, _ exporter: FERExporter, _ files: SampleFiles
  ) throws -> [Written] {
    let pictures = try files.pictures(of: samples)
    return zip(samples, pictures).map { sample, picture in
      switch picture {
      case .failure(let error): return .leftOut(error.reason)
      case .success(let picture):
        let raster = picture.raster
        guard raster.channels == 1 else {
          return .leftOut("it is in color, but this format is grayscale")
        }
        let found = ImageSize(width: raster.width, height: raster.height)
        guard found == size else {
          return .leftOut("its size is \(found), the others are \(size)")
        }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(4 * raster.elements.count + 32)
        exporter.append(
          category: sample.category, pixels: raster.elements, split: sample.split, to: &bytes)
        return .row(bytes: bytes, hash: picture.hash)
      }
    }
  }
}
