import AssayCore
import AssayStore
import Foundation
import Testing

/// Stores the segmentation runs of the goldens, which cannot be imported.
enum GoldenMaskRuns {
  private static let maps = """
    {"task": "segmentation", "precision": "f32", "maps": true, "threshold": 0.5, "background": null, \
    "input": {"width": 12, "height": 9, "resize": "stretch"}}
    """
  private static let masks = """
    {"task": "segmentation", "precision": "f32", "maps": false, "threshold": null, "background": 0, \
    "input": {"width": 48, "height": 36, "resize": "stretch"}}
    """

  /// Adds the runs of `masks.json` to the catalog in a folder.
  static func add(to folder: String) throws {
    let catalog = try Catalog.open(folder + "/assay.db", .readWrite)
    let json = try JSONValue(
      parsing: String(contentsOfFile: folder + "/masks.json", encoding: .utf8))
    for (name, dataset, classes, settings) in [
      ("s1", "street", ["car"], maps), ("s2", "street", ["car"], maps),
      ("s3", "street", ["background", "car", "person"], masks),
      ("es", "empty", ["background", "car"], masks),
    ] {
      let selection = try catalog.resolve(dataset)
      let samples = try catalog.samples(in: selection)
      let run = try catalog.createRun(
        RunDraft(
          name: name, task: .segmentation, dataset: selection.dataset.id, view: dataset,
          settings: settings, versions: "{\"maker\": \"goldens\"}", classes: classes,
          samples: samples.map(\.id)))
      let byKey = Dictionary(uniqueKeysWithValues: samples.map { ($0.key, $0) })
      try catalog.record(
        try #require(json[name]?.elements).map { row in
          let key = try #require(row["sample"]?.text)
          let sample = try #require(byKey[key])
          return try settings == maps
            ? map(row, of: sample) : boxes(row, of: sample, classes: classes)
        }, in: run.id)
    }
  }

  /// A map of 12 × 9 probabilities in steps of 28/255, from digits.
  private static func map(_ row: JSONValue, of sample: SampleRecord) throws -> SampleMasks {
    let bytes = try #require(row["car"]?.text).utf8.map { ($0 - 0x30) * 28 }
    let values = bytes.map { Double($0) / 255 }
    let inside = values.filter { $0 >= 0.5 }
    let mask = MaskPrediction(
      class: 0, area: 16 * inside.count,
      meanInside: inside.isEmpty ? nil : inside.reduce(0, +) / Double(inside.count),
      meanDistance: values.map { abs($0 - 0.5) }.reduce(0, +) / Double(values.count))
    return SampleMasks(
      sample: sample.id, masks: [mask],
      maps: [ProbabilityMapRecord(class: 0, width: 12, height: 9, bytes: bytes)])
  }

  /// A box for each class that has one, an empty mask for the others.
  private static func boxes(
    _ row: JSONValue, of sample: SampleRecord, classes: [String]
  ) throws -> SampleMasks {
    let size = try #require(sample.size)
    return SampleMasks(
      sample: sample.id,
      masks: classes.enumerated().dropFirst().map { ordinal, name in
        let box = row[name]?.elements?.compactMap(\.double) ?? []
        let mask =
          box.count == 4
          ? Mask(box: Box(x: box[0], y: box[1], width: box[2], height: box[3]), size: size)
          : Mask(emptyOf: size)
        return MaskPrediction(
          class: ordinal, area: mask.area, meanInside: mask.isEmpty ? nil : 0.875,
          meanDistance: 0.25 + 0.125 * Double(ordinal % 2), counts: mask.compressed)
      })
  }
}
