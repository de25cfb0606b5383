import AssayCore
import AssayFormats
import AssayImaging
import AssayInference
package import AssayStore

/// Writes the exact input tensors of a model for a view's samples, to compare them with another
/// program's.
///
/// A sample is `000000.npy`, float32 in the model's shape with a batch of 1, and `000000.png`, its image
/// after the resize, before scale and offset; `inputs.json` names the samples. The model's file is not
/// needed: the manifest says everything.
package struct ModelInputs {
  /// The list of the samples.
  package static let listName = "inputs.json"

  private let catalog: Catalog
  private let progress: any ProgressSink

  package init(catalog: Catalog, progress: any ProgressSink = NoProgress()) {
    self.catalog = catalog
    self.progress = progress
  }

  /// The outcome of a call.
  package struct Summary: Sendable {
    package let model: String
    package let view: String
    /// The shape of each tensor; `nil` for lengths that differ from image to image.
    package let shape: [Int?]
    package let written: Int
    /// Samples whose image cannot be read, with the reason.
    package let failures: [(key: String, reason: String)]
  }

  /// Writes the tensors of the first samples of a view.
  ///
  /// - Parameters:
  ///   - limit: the maximum number of samples; `nil` for all.
  ///   - write: writes a sample's files, and at last the list, into the output folder.
  /// - Throws: `StoreError`, `InferenceError` for a damaged manifest, ``Interrupted``, the errors of
  ///   `write`; ``PredictError/emptyView(_:)``.
  package func run(
    model name: String, view: String, limit: Int?,
    write: (_ files: [(name: String, bytes: [UInt8])]) throws -> Void
  ) throws -> Summary {
    let selection = try catalog.resolve(view)
    let input = try catalog.model(named: name).readManifest().input
    let samples = try catalog.samples(in: selection, limit: limit)
    guard !samples.isEmpty else { throw PredictError.emptyView(view) }
    let images = SampleImages(catalog: catalog, dataset: selection.dataset)
    let shape = input.shape(batch: 1)
    var preprocessor = Preprocessor(input)
    var entries: [JSONValue] = []
    var failures: [(key: String, reason: String)] = []
    for (index, sample) in samples.enumerated() {
      try Interruption.check("\(entries.count) of \(samples.count) inputs were written")
      progress.report(Double(index) / Double(samples.count), "writing inputs")
      switch try images.rasters(of: [sample])[0] {
      case .failure(let error): failures.append((sample.key, "\(error)"))
      case .success(let raster):
        let stem = Self.stem(index)
        let (values, size) = preprocessor.tensor(of: raster)
        guard let tensor = NPYFile.bytes(of: values, shape: input.shape(batch: 1, of: size)) else {
          continue
        }
        let image = try ImageCodec.encodePNG(preprocessor.picture(of: raster))
        try write([(stem + ".npy", tensor), (stem + ".png", image)])
        entries.append(
          [
            "sample": .string(sample.key), "tensor": .string(stem + ".npy"),
            "image": .string(stem + ".png"),
          ])
      }
    }
    let list: JSONValue = [
      "model": .string(name), "view": .string(view), "shape": .array(shape.map { JSONValue($0) }),
      "layout": .string(input.layout.rawValue), "inputs": .array(entries),
    ]
    try write([(Self.listName, Array((list.text() + "\n").utf8))])
    return Summary(
      model: name, view: view, shape: shape, written: entries.count, failures: failures)
  }

  private static func stem(_ index: Int) -> String {
    let digits = String(index)
    return String(repeating: "0", count: max(0, 6 - digits.count)) + digits
  }
}
