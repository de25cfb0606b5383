import AssayCore
import AssayTestSupport
import Foundation
import Testing

import AssayInference

/// The small models of `Tests/Fixtures/models`.
enum Fixture {
  static func path(_ name: String) -> String { PackageFolder.fixture("models/" + name).path }

  /// For the models of `Tests/Fixtures/models`: 2 × 2 gray, pixel/255, two classes.
  static func tinyManifest(activation: Activation = .none) -> ModelManifest {
    ModelManifest(
      input: ModelInput(
        size: ImageSize(width: 2, height: 2), layout: .nchw, color: .gray, scale: [1.0 / 255]),
      activation: activation, outputs: ["bright", "dark"])
  }

  static func tiny(_ name: String, activation: Activation = .none) throws -> ValidatedModel {
    try ValidatedModel(
      try ModelFile.read(path(name)), manifest: tinyManifest(activation: activation))
  }

  /// For the models of `make_masks.py`: 4 × 4 gray, pixel/255.
  static func maskManifest(
    activation: Activation = .none, threshold: Double? = nil,
    outputLayout: ModelInput.Layout? = nil, classes: [String] = ["thing"]
  ) -> ModelManifest {
    ModelManifest(
      task: .segmentation,
      input: ModelInput(
        size: ImageSize(width: 4, height: 4), layout: .nchw, color: .gray, scale: [1.0 / 255]),
      activation: activation, outputLayout: outputLayout, threshold: threshold, outputs: classes)
  }

  static func mask(_ name: String, _ manifest: ModelManifest = maskManifest()) throws
    -> ValidatedModel
  {
    try ValidatedModel(try ModelFile.read(path(name)), manifest: manifest)
  }

  /// A 2 × 2 image.
  static func picture(_ pixels: [UInt8]) -> NamedRaster {
    let empty = Raster<UInt8>(repeating: 0, width: 2, height: 2)
    return NamedRaster(
      "\(pixels)", Raster(width: 2, height: 2, elements: pixels) ?? empty)
  }
}

extension ModelPool {
  /// Verifies the values that a worker computed.
  func verify(_ samples: [NamedRaster], expected: [[Float]], worker: Int = 0) throws {
    try verify(
      zip(samples, expected).map { ComputedSample($0, outputs: $1, worker: worker) })
  }
}

/// Expects an ``InferenceError`` whose text contains all of `texts`.
func expectFault(
  _ texts: String..., location: SourceLocation = #_sourceLocation, body: () throws -> Void
) {
  let error = #expect(throws: InferenceError.self, sourceLocation: location) { try body() }
  for text in texts {
    #expect(
      error.map { "\($0)" }?.contains(text) == true, "\(String(describing: error))",
      sourceLocation: location)
  }
}
