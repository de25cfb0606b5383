import AssayCore
import AssayInference
import AssayStore

/// The features of a view's images, computed by a model, in a ``WorkingFile``.
struct FeatureTable: Sendable {
  /// The places in the list of samples of the images that the model was run on, ascending.
  private(set) var places: [Int] = []
  /// The number of images that could not be read.
  private(set) var unread = 0
  let layout: FeatureLayout
  private let file: WorkingFile

  /// The number of images that one worker has in memory at a time.
  private static let chunk = 16

  /// Runs a model over images.
  ///
  /// - Parameter reference: the model's name, with `:` and the name of an output if another than a
  ///   classifier's scores is read.
  /// - Throws: ``PredictError``, ``Interrupted``, ``CheckError``, `InferenceError`, `StoreError`.
  init(
    _ reference: String, of view: CheckedView, workers: Int
  ) throws {
    let (model, output) = try Self.model(reference, in: view.catalog)
    let images = SampleImages(catalog: view.catalog, dataset: view.selection.dataset)
    // A vector that the manifest names says more about an image than its scores.
    let fitted = try model.load(features: try output ?? model.readManifest().embedding)
    view.progress.report(0, "compiling \(model.name)")
    ModelProcess.setThreads(workers + 1)
    let samples = view.samples
    let pool = try FeaturePool(
      fitted, workers: workers,
      probe: try PredictProbe(images: images).pictures(
        of: samples, view: view.request.view, mayBeNone: false))
    layout = pool.reader.layout
    file = try WorkingFile(length: layout.dimension * MemoryLayout<Float>.size)
    var start = 0
    let step = max(Self.chunk, pool.batch)
    try OrderedWorkers(workers: workers, window: 4 * workers).run(
      next: { () -> Range<Int>? in
        try Interruption.check("nothing was stored")
        guard start < samples.count else { return nil }
        defer { start = min(start + step, samples.count) }
        return start..<min(start + step, samples.count)
      },
      transform: { worker, range in
        try Self.features(of: range, samples, images, pool, worker)
      },
      deliver: { part in
        for (place, features) in part {
          guard let features else {
            unread += 1
            continue
          }
          try features.withUnsafeBytes { try file.write($0, at: places.count) }
          places.append(place)
        }
        view.progress.report(
          0.8 * Double(places.count + unread) / Double(samples.count),
          "running \(model.name) on \(Counted.text(samples.count, "image", "images"))")
      })
  }

  private static func features(
    of range: Range<Int>, _ samples: [SampleRecord], _ images: SampleImages, _ pool: FeaturePool,
    _ worker: Int
  ) throws -> [(place: Int, features: [Float]?)] {
    var pictures: [NamedRaster] = []
    var found: [(place: Int, features: [Float]?)] = []
    for place in range {
      // Originals can be large, so only one of them is in memory at a time.
      switch try images.rasters(of: [samples[place]]).first {
      case .success(let raster)?:
        pictures.append(images.named(samples[place], pool.picture(worker: worker, of: raster)))
        found.append((place, []))
      default: found.append((place, nil))
      }
    }
    var answers = try pool.answers(worker: worker, of: pictures).makeIterator()
    return found.map { place, features in (place, features == nil ? nil : answers.next()) }
  }

  /// The model of `MODEL` or `MODEL:OUTPUT`. A model whose name has a colon is found first.
  private static func model(
    _ reference: String, in catalog: Catalog
  ) throws -> (ModelRecord, output: String?) {
    if let model = try catalog.models().first(where: { $0.name == reference }) {
      return (model, nil)
    }
    guard let colon = reference.firstIndex(of: ":") else {
      return (try catalog.model(named: reference), nil)
    }
    return (
      try catalog.model(named: String(reference[..<colon])),
      String(reference[reference.index(after: colon)...])
    )
  }

  /// The number of images with features.
  var count: Int { places.count }

  /// Reads the features of the image at an index of ``places``.
  ///
  /// - Parameter features: memory for the dimension's number of values.
  func read(_ index: Int, into features: UnsafeMutableBufferPointer<Float>) throws(CheckError) {
    try file.read(index, into: UnsafeMutableRawBufferPointer(features))
  }
}
