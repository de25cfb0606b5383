import AssayCore
import AssayReports
package import AssayStore
import Foundation

/// The samples found by a search, as one sheet of images with their labels or regions and keys.
package struct SampleSheet {
  /// The maximum number of images on a sheet.
  package static let limit = 240

  private let catalog: Catalog
  private let found: FoundSamples
  private let run: String?

  /// - Parameter run: the run whose predictions are drawn; `nil` for the last one that the search
  ///   names.
  package init(catalog: Catalog, found: FoundSamples, run: String? = nil) {
    self.catalog = catalog
    self.found = found
    self.run = run
  }

  /// The sheet's PNG with the first ``limit`` images; images that cannot be read are left out.
  ///
  /// - Throws: ``SheetError/noPicture(firstReason:)`` if there is no image; ``Interrupted``,
  ///   `ReportError`, `StoreError`.
  package func draw() throws -> DrawnSheet {
    let samples = Array(found.samples.prefix(Self.limit))
    let regions = try SheetRegions(catalog: catalog, found: found, samples: samples)
    let detections = try SheetDetections(catalog: catalog, found: found, run: run)
    let drawing = detections.isEmpty ? try self.drawing() : nil
    let painter = SheetRenderer(
      catalog: catalog, found: found, samples: samples, regions: regions, detections: detections,
      drawing: drawing)
    var tiles: [ContactSheet.Tile] = []
    var firstReason: String?
    var start = 0
    try OrderedWorkers(workers: ProcessInfo.processInfo.activeProcessorCount).run(
      next: { () -> Range<Int>? in
        try Interruption.check("no sheet was written")
        guard start < samples.count else { return nil }
        defer { start = min(start + SheetRenderer.step, samples.count) }
        return start..<min(start + SheetRenderer.step, samples.count)
      },
      transform: { _, range in try painter.tiles(of: range) },
      deliver: { part in
        for tile in part {
          switch tile {
          case .success(let tile): tiles.append(tile)
          case .failure(let error): firstReason = firstReason ?? error.description
          }
        }
      })
    guard !tiles.isEmpty else { throw SheetError.noPicture(firstReason: firstReason) }
    let of = tiles.count < found.count ? "\(tiles.count) of \(found.count)" : "\(tiles.count)"
    let title =
      [found.selection.name, found.expression, drawing?.run.name, of].compactMap(\.self)
      + found.matching.map(\.description)
    var sheet = ContactSheet(
      tiles: tiles, title: title.joined(separator: " · "), legend: regions.legend)
    sheet.sides = drawing?.sides ?? detections.sides
    return DrawnSheet(
      png: try sheet.png(), pictures: tiles.count, unreadable: samples.count - tiles.count)
  }
}

extension SampleSheet {
  /// The drawing of the requested run, or of the run that the search names; `nil` without one.
  ///
  /// - Throws: ``SheetError/otherDataset(run:dataset:view:)``, ``RunMasksError``, `StoreError`.
  private func drawing() throws -> RunDrawing? {
    guard let name = run ?? found.runs.last else { return nil }
    let reference = try RunReference(name, in: catalog)
    let record = reference.run
    guard record.dataset.id == found.selection.dataset.id else {
      throw SheetError.otherDataset(
        run: record.name, dataset: record.dataset.name, view: found.selection.name)
    }
    return try RunDrawing(reference, in: catalog)
  }
}

/// An image sheet.
package struct DrawnSheet: Sendable {
  package var png: [UInt8]
  /// The number of images on the sheet.
  package var pictures: Int
  /// The number of samples whose image cannot be read.
  package var unreadable: Int
}

/// The reasons why there is no sheet.
package enum SheetError: Error, Hashable {
  /// No sample was found, or none of them has a readable image (then with the first reason).
  case noPicture(firstReason: String?)
  /// A run over a different dataset than the samples'.
  case otherDataset(run: String, dataset: String, view: String)
}

extension SheetError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .noPicture(let reason?): "no sample has an image: \(reason)"
    case .otherDataset(let run, let dataset, let view):
      "the run “\(run)” is over \(dataset), but the samples are from \(view); name a run over \(view)"
    case .noPicture(nil): "no samples found, so there is no sheet"
    }
  }
}
