import AssayCore
import AssayImaging
import AssayInference
import AssayStore
import AssayTestSupport
import Foundation
import Testing

import AssayWorkflows

/// A catalog of gray image files called `shapes`, and the models of `make_masks.py`, which return
/// their input as a probability.
final class MaskCatalog {
  private let temporary: TemporaryFolder
  let folder: URL
  let catalog: Catalog
  let size: ImageSize

  /// - Parameters:
  ///   - count: the number of images; number *n* is the gradient 3x + 2y + 11n modulo 256.
  ///   - stated: the size that the dataset states, if it differs from the images'.
  ///   - broken: keys of samples whose file is missing.
  ///   - ids: whether samples have an id in the source: 900 + n.
  init(
    count: Int = 5, size: ImageSize = ImageSize(width: 24, height: 16), stated: ImageSize? = nil,
    categories: [Category] = [
      Category(name: "other", sourceID: .integer(3)),
      Category(name: "thing", sourceID: .integer(7)),
    ], broken: Set<Int> = [], ids: Bool = true
  ) throws {
    self.size = size
    temporary = try TemporaryFolder()
    folder = temporary.url
    catalog = try Catalog.open(folder.appending(path: "assay.db").path, .create)
    var batch = ImportedBatch()
    batch.newCategories = categories
    for number in 0..<count {
      let picture = Self.picture(number, size)
      if !broken.contains(number) {
        try Data(try ImageCodec.encodePNG(picture)).write(
          to: folder.appending(path: "\(number).png"))
      }
      batch.samples.append(
        ImportedSample(
          key: "\(number).png", location: "\(number).png", split: "test", size: stated ?? size,
          sourceID: ids ? .integer(900 + Int64(number)) : nil))
    }
    var outcome = ImportOutcome()
    (outcome.read, outcome.accepted) = (count, count)
    outcome.ordinals = Array(categories.indices)
    let (done, part) = (outcome, batch)
    _ = try catalog.importDataset(
      ImportDraft(name: "shapes", format: .coco, root: folder.path, isSingleFile: false)
    ) { writer in
      try writer.write(part)
      return (done, inputHash: nil)
    }
  }

  static func picture(_ number: Int, _ size: ImageSize) -> Raster<UInt8> {
    var picture = Raster<UInt8>(repeating: 0, width: size.width, height: size.height)
    for y in 0..<size.height {
      for x in 0..<size.width { picture[x, y] = UInt8((3 * x + 2 * y + 11 * number) & 255) }
    }
    return picture
  }

  func path(_ name: String) -> String { folder.appending(path: name).path }

  /// Adds a small model, named after its file.
  func add(
    _ name: String = "mask_nchw", classes: String = "[thing]", resize: String = "stretch",
    more: String = ""
  ) throws {
    let manifest = """
      task: segmentation
      input: {width: 4, height: 4, layout: NCHW, color: gray, scale: 1/255, offset: 0, resize: \(resize)}
      classes: \(classes)
      \(more)
      """
    try Data(manifest.utf8).write(to: folder.appending(path: "\(name).yaml"))
    _ = try ModelAddition(
      modelPath: PredictCatalog.models.appending(path: "\(name).onnx").path,
      manifestPath: path("\(name).yaml"), name: name
    ).run(catalogPath: catalog.path)
  }

  /// Runs a small model on the shapes.
  @discardableResult
  func predict(
    _ model: String = "mask_nchw", _ change: (inout PredictRequest) -> Void = { _ in }
  ) throws -> PredictSummary {
    var request = PredictRequest(view: "shapes", model: model, programVersion: "0")
    change(&request)
    return try Prediction(request, catalog: catalog).run()
  }

  var samples: [SampleRecord] {
    get throws { try catalog.samples(in: catalog.resolve("shapes")) }
  }

  /// The masks of a run's samples, in order.
  func masks(_ run: String, threshold: Double? = nil) throws -> [PredictedMasks] {
    let masks = try RunMasks(catalog: catalog, run: catalog.run(named: run))
    var result: [PredictedMasks] = []
    try masks.masks(of: try samples, threshold: threshold) { result.append($1) }
    return result
  }

  /// The stored maps of a run's samples, in order.
  func maps(_ run: String) throws -> [[ProbabilityMapRecord]] {
    var result: [[ProbabilityMapRecord]] = []
    try catalog.maps(of: catalog.run(named: run).id, samples: try samples.map(\.id)) {
      result.append($1)
    }
    return result
  }
}
