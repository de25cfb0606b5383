import AssayCore
import AssayStore
import AssayTestSupport
import Foundation

import AssayWorkflows

/// A catalog in its own folder with labeled and evaluated faces.
final class EvaluateCatalog {
  private let temporary: TemporaryFolder
  let folder: URL
  let catalog: Catalog

  init() throws {
    temporary = try TemporaryFolder()
    folder = temporary.url
    catalog = try Catalog.open(folder.appending(path: "assay.db").path, .create)
  }

  func write(_ name: String, _ text: String) throws -> String {
    let path = folder.appending(path: name).path
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    return path
  }

  /// Imports samples `0`, `1`, … with these labels, the first half in split `train`, the others in
  /// `test`, each with 2 × 2 gray pixels; the first ones with fields, as JSON.
  @discardableResult
  func importFaces(
    _ labels: [String?], classes: [String], as name: String = "faces", replace: Bool = false,
    fields: [String] = []
  ) throws -> DatasetRecord {
    let draft = ImportDraft(
      name: name, format: .fer, root: "/data/\(name).csv", isSingleFile: true, replace: replace)
    return try catalog.importDataset(draft) { writer in
      var batch = ImportedBatch()
      batch.newCategories = classes.map { Category(name: $0) }
      for (index, label) in labels.enumerated() {
        let start = batch.pixels.count
        batch.pixels += [UInt8(index % 256), 0, 128, 255]
        batch.samples.append(
          ImportedSample(
            key: "\(index)", split: 2 * index < labels.count ? "train" : "test",
            size: ImageSize(width: 2, height: 2),
            category: label.flatMap { classes.firstIndex(of: $0) },
            pixels: start..<start + 4,
            attributes: fields.indices.contains(index) ? fields[index] : nil))
      }
      try writer.write(batch)
      var outcome = ImportOutcome()
      (outcome.read, outcome.accepted) = (labels.count, labels.count)
      outcome.ordinals = Array(classes.indices)
      return (outcome, nil)
    }.dataset
  }

  /// A run on all samples, with a row of scores for each; `nil` leaves a sample pending.
  @discardableResult
  func run(
    _ name: String, over dataset: String = "faces", classes: [String], _ rows: [[Float]?]
  ) throws -> RunRecord {
    let selection = try catalog.resolve(dataset)
    let samples = try catalog.samples(in: selection)
    let run = try catalog.createRun(
      RunDraft(
        name: name, dataset: selection.dataset.id, view: dataset, classes: classes,
        samples: samples.map(\.id)))
    try catalog.record(
      zip(samples, rows).compactMap { sample, row in
        row.map { SampleScores(sample: sample.id, scores: $0) }
      }, in: run.id)
    return try catalog.run(named: name)
  }

  /// Four faces; the run `r1` has three of them right; the second run, `r2`, has another three
  /// right.
  static func small() throws -> EvaluateCatalog {
    let world = try EvaluateCatalog()
    try world.importFaces(["happy", "sad", "happy", "sad"], classes: ["happy", "sad"])
    try world.run(
      "r1", classes: ["happy", "sad"], [[0.9, 0.1], [0.2, 0.8], [0.4, 0.6], [0.3, 0.7]])
    try world.run(
      "r2", classes: ["sad", "happy"], [[0.1, 0.9], [0.3, 0.7], [0.2, 0.8], [0.6, 0.4]])
    return world
  }
}
