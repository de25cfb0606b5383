import AssayCore
import AssayInference
import AssayStore
import AssayTestSupport
import Foundation
import Testing

import AssayWorkflows

/// A catalog of 2 × 2 images called `squares`, bright or dark, and the small models of
/// `Tests/Fixtures/models`.
final class PredictCatalog {
  private let temporary: TemporaryFolder
  let folder: URL
  let catalog: Catalog

  static let models = PackageFolder.fixture("models")

  /// - Parameters:
  ///   - count: the number of images; number *n* has pixels (n, 2n, 3n, 4n) modulo 256.
  ///   - labels: their class names, repeated cyclically.
  ///   - broken: keys of samples without pixels.
  ///   - whiteFirst: the number of images at the start that are white instead.
  init(
    count: Int = 5, labels: [String?] = ["bright", "dark"], broken: Set<Int> = [],
    whiteFirst: Int = 0
  ) throws {
    temporary = try TemporaryFolder()
    folder = temporary.url
    catalog = try Catalog.open(folder.appending(path: "assay.db").path, .create)
    var batch = ImportedBatch()
    let names = Array(Set(labels.compactMap { $0 })).sorted()
    batch.newCategories = names.map { Category(name: $0) }
    for number in 0..<count {
      let start = batch.pixels.count
      batch.pixels += (1...4).map { number < whiteFirst ? 255 : UInt8(number * $0 & 255) }
      let label = labels[number % labels.count]
      batch.samples.append(
        ImportedSample(
          key: "\(number)", split: "test", size: ImageSize(width: 2, height: 2),
          category: label.flatMap { names.firstIndex(of: $0) },
          pixels: broken.contains(number) ? nil : start..<start + 4))
    }
    var outcome = ImportOutcome()
    (outcome.read, outcome.accepted) = (count, count)
    outcome.ordinals = Array(names.indices)
    let (done, part) = (outcome, batch)
    _ = try catalog.importDataset(
      ImportDraft(name: "squares", format: .pixelCSV, root: "/none.csv", isSingleFile: true)
    ) { writer in
      try writer.write(part)
      return (done, inputHash: nil)
    }
  }

  func path(_ name: String) -> String { folder.appending(path: name).path }

  /// Writes a text file into the folder and returns its path.
  func write(_ name: String, _ text: String) throws -> String {
    try Data(text.utf8).write(to: URL(fileURLWithPath: path(name)))
    return path(name)
  }

  /// A manifest for the small models.
  static func manifest(
    classes: String = "[bright, dark]", activation: String = "none"
  ) -> String {
    """
    task: classification
    input: {width: 2, height: 2, layout: NCHW, color: gray, scale: 1/255, offset: 0, resize: stretch}
    activation: \(activation)
    classes: \(classes)
    """
  }

  /// Adds a small model, named after its file.
  @discardableResult
  func add(
    _ name: String = "tiny", classes: String = "[bright, dark]", activation: String = "none"
  ) throws -> ModelAddition.Outcome {
    let manifest = try write(
      "\(name).yaml", Self.manifest(classes: classes, activation: activation))
    return try ModelAddition(
      modelPath: Self.models.appending(path: "\(name).onnx").path, manifestPath: manifest,
      name: name
    ).run(catalogPath: catalog.path)
  }

  /// Runs a small model on a view.
  func predict(
    _ model: String = "tiny", view: String = "squares",
    _ change: (inout PredictRequest) -> Void = { _ in }
  ) throws -> PredictSummary {
    var request = PredictRequest(view: view, model: model, programVersion: "0")
    change(&request)
    return try Prediction(request, catalog: catalog).run()
  }

  /// The scores of a run, bit for bit.
  func bits(_ run: String) throws -> [[UInt32]] {
    try catalog.predictions(of: catalog.run(named: run).id).map { $0.scores.map(\.bitPattern) }
  }
}
