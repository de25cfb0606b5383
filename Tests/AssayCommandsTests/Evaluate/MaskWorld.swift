import AssayCore
import AssayStore
import AssayTestSupport
import Foundation
import Testing

/// Sixty images of 8 × 6 in a catalog, each with a person of 4 × 4 pixels, two runs on them, and
/// the program to run on it.
///
/// `m1` finds 8 of the 16 pixels with probability 0.8 and 8 next to them with 0.5; `m2` finds all
/// if the image's number is even, else the same as `m1`. Therefore IoU is 8/24 in `m1`, and 8/16 at
/// 0.6 and above.
struct MaskWorld {
  let folder: TemporaryFolder
  let program: Program
  var path: String { folder.path + "/assay.db" }

  static let size = ImageSize(width: 8, height: 6)
  static let count = 60

  init() throws {
    folder = try TemporaryFolder()
    program = try Program()
    let catalog = try Catalog.open(folder.path + "/assay.db", .create)
    let mask = Mask(box: Box(x: 0, y: 0, width: 4, height: 4), size: Self.size)
    var batch = ImportedBatch()
    batch.newCategories = [Category(name: "person"), Category(name: "car")]
    for index in 0..<Self.count {
      batch.samples.append(
        ImportedSample(
          key: "\(index).png", location: "\(index).png", split: index < 40 ? "train" : "val",
          size: Self.size))
      let start = batch.geometry.count
      batch.geometry += mask.compressed
      batch.annotations.append(
        ImportedAnnotation(
          sample: index, category: 0, ordinal: 0, shape: .mask, area: 16, box: mask.boundingBox,
          geometry: start..<batch.geometry.count))
    }
    let draft = ImportDraft(name: "set", format: .coco, root: folder.path, isSingleFile: false)
    _ = try catalog.importDataset(draft) { writer in
      try writer.write(batch)
      var outcome = ImportOutcome()
      (outcome.read, outcome.accepted) = (Self.count, Self.count)
      outcome.ordinals = [0, 1]
      return (outcome, nil)
    }
    try run("m1", catalog) { _ in Self.half }
    try run("m2", catalog) { index in index % 2 == 0 ? Self.whole : Self.half }
  }

  /// Columns 2 and 3 of the person at 0.8, columns 4 and 5 next to it at 0.5.
  private static let half: [UInt8] = (0..<6).flatMap { y -> [UInt8] in
    y < 4 ? [0, 0, 204, 204, 128, 128, 0, 0] : [0, 0, 0, 0, 0, 0, 0, 0]
  }
  private static let whole: [UInt8] = (0..<6).flatMap { y -> [UInt8] in
    y < 4 ? [255, 255, 255, 255, 0, 0, 0, 0] : [0, 0, 0, 0, 0, 0, 0, 0]
  }

  private func run(_ name: String, _ catalog: Catalog, _ map: (Int) -> [UInt8]) throws {
    let selection = try catalog.resolve("set")
    let samples = try catalog.samples(in: selection)
    let settings = """
      {"task": "segmentation", "precision": "f32", "maps": true, "threshold": 0.5, \
      "background": null, "input": {"width": 8, "height": 6, "resize": "stretch"}}
      """
    let run = try catalog.createRun(
      RunDraft(
        name: name, task: .segmentation, dataset: selection.dataset.id, view: "set",
        settings: settings, classes: ["person"], samples: samples.map(\.id)))
    try catalog.record(
      samples.enumerated().map { index, sample in
        SampleMasks(
          sample: sample.id,
          masks: [MaskPrediction(class: 0, area: 16, meanInside: 0.65, meanDistance: 0.4)],
          maps: [
            ProbabilityMapRecord(class: 0, width: 8, height: 6, bytes: map(index))
          ])
      }, in: run.id)
  }

  @discardableResult
  func run(_ arguments: String..., columns: Int? = nil) throws -> Program.Outcome {
    try program.run(
      arguments + ["--db", path], environment: columns.map { ["COLUMNS": "\($0)"] } ?? [:])
  }
}
