import AssayCore
import AssayFormats
import AssayImaging
package import AssayStore
import Foundation

/// Exports a view as pairs of image and mask, `images/KEY.png` and `masks/KEY.png`, which the
/// `masks` format can read, with the class names and a manifest.
package struct MaskExport: Sendable {
  private let request: MaskExportRequest
  private let catalog: Catalog
  private let scope: ExportScope?
  private let workers: Int

  /// - Parameters:
  ///   - scope: the samples, if they were already selected, and their corrections.
  ///   - catalog: reads the ground truth to be written.
  package init(
    _ request: MaskExportRequest, scope: ExportScope? = nil, catalog: Catalog, workers: Int? = nil
  ) {
    self.request = request
    self.scope = scope
    self.catalog = catalog
    self.workers = workers ?? max(1, ProcessInfo.processInfo.activeProcessorCount)
  }

  /// The manifest's name.
  package static let manifest = ExportManifest.json

  /// - Throws: ``ExportError``, ``OutputError``, `StoreError`, ``Interrupted``.
  package func run(
    into folder: ExportFolder, progress: any ProgressSink = NoProgress()
  ) throws -> MaskExportSummary {
    let scope = try self.scope ?? ExportScope(request.view, in: catalog)
    let (samples, dataset) = (scope.samples, scope.dataset)
    guard !dataset.isMultiLabel else { throw ExportError.noRegions(dataset: dataset.name) }
    let taxonomy = try catalog.taxonomy(of: dataset.id)
    let (painting, classes) = try painting(taxonomy, dataset)
    try folder.keepOff(sourceOf: dataset)
    var names = MaskPairsExporter()
    let paths = samples.map { names.path(for: $0.key) }
    let pairs = paths.flatMap { [Self.image($0), Self.mask($0)] }
    let table = scope.corrections == nil ? [] : [ExportManifest.csv]
    let colors = painting.isBinary ? nil : MaskPairsExporter.colorList(of: classes)
    let lists = [MaskPairsExporter.classes] + (colors == nil ? [] : [MaskPairsExporter.colors])
    try folder.begin(pairs + lists + [Self.manifest] + table)
    // The manifest is written last: a folder without one is incomplete.
    try folder.remove(Self.manifest)
    try folder.write(MaskPairsExporter.classes, MaskPairsExporter.list(of: classes))
    if let colors { try folder.write(MaskPairsExporter.colors, colors) }
    let maker = MaskPairWriter(
      catalog: catalog, images: SampleImages(catalog: catalog, dataset: dataset),
      painting: painting, request: request, folder: folder)
    var summary = MaskExportSummary(
      view: request.view, dataset: dataset.name, classes: classes,
      isBinary: painting.isBinary, depth: painting.depth, request: request, folder: folder.path,
      scope: scope)
    var start = 0
    var done = 0
    try OrderedWorkers(workers: workers).run(
      next: { () -> Range<Int>? in
        try Interruption.check(
          "\(done) of \(samples.count) samples are written; run the same command to start again")
        guard start < samples.count else { return nil }
        defer { start += 8 }
        return start..<min(start + 8, samples.count)
      },
      transform: { _, range in
        try maker.make(Array(samples[range]), paths: Array(paths[range]))
      },
      deliver: { made in
        for result in made {
          done += 1
          switch result {
          case .success(let pair): summary.pairs.append(pair)
          case .failure(let leftOut): summary.leftOut.append(leftOut.sample)
          }
        }
        progress.report(Double(done) / Double(samples.count), "writing \(request.view)")
      })
    if scope.corrections != nil {
      let rows = try summary.pairs.map { pair in
        ExportManifest.Row(
          sample: pair.sample, file: Self.image(pair.path),
          imageHash: try catalog.contentHash(of: pair.sample.id))
      }
      let manifest = ExportManifest(
        scope: scope, kind: "masks", rows: rows, leftOut: summary.leftOut)
      try folder.write(ExportManifest.csv, manifest.csvBytes)
    }
    try folder.write(Self.manifest, Array((summary.manifest.text(indented: true) + "\n").utf8))
    return summary
  }

  static func image(_ path: String) -> String { MaskPairsExporter.images + "/" + path }
  static func mask(_ path: String) -> String { MaskPairsExporter.masks + "/" + path }

  /// The painted values, and the class names in their order.
  private func painting(
    _ taxonomy: Taxonomy, _ dataset: DatasetRecord
  ) throws -> (MaskRenderer, [String]) {
    guard !taxonomy.categories.isEmpty else { throw ExportError.noRegions(dataset: dataset.name) }
    var values = Array<UInt16?>(repeating: nil, count: taxonomy.categories.count)
    let ordinals = taxonomy.ordinals
    var chosen = taxonomy.categories.indices.filter { !taxonomy.categories[$0].isVoid }
    if !request.categories.isEmpty {
      chosen = try request.categories.map { name in
        guard let ordinal = ordinals[name] else {
          throw ExportError.unknownCategory(
            name, dataset: dataset.name,
            suggestion: NearMiss.suggestion(for: name, among: taxonomy.names),
            known: taxonomy.names)
        }
        return ordinal
      }
    }
    let isBinary = request.categories.count == 1
    guard chosen.count <= IndexMap.Depth.classLimit else {
      throw ExportError.tooManyCategories(chosen.count, limit: IndexMap.Depth.classLimit)
    }
    let depth = IndexMap.Depth(classes: chosen.count)
    if !isBinary {
      for (ordinal, category) in taxonomy.categories.enumerated() where category.isVoid {
        values[ordinal] = depth.void
      }
    }
    for (place, ordinal) in chosen.enumerated() {
      values[ordinal] = depth.value(ofClass: place)
    }
    let painting = MaskRenderer(values: values, depth: depth, isBinary: isBinary)
    return (painting, chosen.map { taxonomy.categories[$0].name })
  }
}
