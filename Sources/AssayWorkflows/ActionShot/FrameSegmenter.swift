import AssayCore
import AssayImaging
import AssayInference
import AssayStore

/// Finds the subject's mask in frames with a segmentation model.
struct FrameSegmenter: FrameMasks {
  private let source: FrameSource
  private let pool: SegmenterPool
  private let recipe: SegmentationRecipe
  private let kept: [Int]
  private let subject: Int
  private let refinements: [MaskRefinement]
  /// True for the book's rule, which sees the center square of a frame.
  private let isSquare: Bool
  let workers: Int

  func name(of index: Int) -> String { source.names[index] }

  /// Compiles the models and checks them on the first readable frames.
  ///
  /// - Throws: `InferenceError`, `PredictError`, ``ActionShotError``.
  init(
    _ source: FrameSource, _ model: ModelRecord, className: String?,
    refinements: [MaskRefinement], isSquare: Bool, workers: Int
  ) throws {
    guard model.task.output == .masks else {
      throw ActionShotError.otherTask(model: model.name, task: model.task)
    }
    let validated = try model.load()
    let manifest = validated.manifest
    kept = manifest.keptClasses
    let classes = validated.classes
    let candidates = kept.filter { $0 != manifest.background }
    subject = try ActionShotRequest.subject(
      className, among: candidates, of: classes, owner: "the model “\(model.name)”")
    self.source = source
    self.refinements = refinements
    self.isSquare = isSquare
    self.workers = max(1, min(workers, source.names.count))
    recipe = SegmentationRecipe(of: manifest, precision: Precision.f32.rawValue, keepsMaps: false)
    ModelProcess.setThreads(self.workers + 1)
    var probe: [NamedRaster] = []
    for index in source.names.indices where probe.count < PoolProbe.limit && index < 64 {
      guard case .success(let raster) = try Self.raster(source, index, isSquare) else { continue }
      probe.append(NamedRaster(source.names[index], raster))
    }
    pool = try ModelPool(validated, workers: self.workers, probe: probe)
    try pool.readProbe()
  }

  private static func raster(
    _ source: FrameSource, _ index: Int, _ isSquare: Bool
  ) throws -> Result<Raster<UInt8>, FrameFault> {
    try source.raster(at: index).map { raster in
      let color = GrayConversion.rgb(raster)
      return isSquare ? square(color) : color
    }
  }

  /// The center square of an image at ``BookRule/side``.
  private static func square(_ raster: Raster<UInt8>) -> Raster<UInt8> {
    let side = min(raster.width, raster.height)
    let rect = PixelRect(
      x: (raster.width - side) / 2, y: (raster.height - side) / 2, width: side, height: side)
    let size = ImageSize(width: BookRule.side, height: BookRule.side)
    return Resize.bilinear(Crop.apply(raster, to: rect) ?? raster, to: size)
  }

  /// The raw outputs of the model for a frame with its image.
  private func answer(
    at index: Int, worker: Int
  ) throws -> Result<(raster: Raster<UInt8>, answer: ClassMaps), FrameFault> {
    switch try Self.raster(source, index, isSquare) {
    case .failure(let fault): return .failure(fault)
    case .success(let raster):
      let name = source.names[index]
      let picture = NamedRaster(name, pool.picture(worker: worker, of: raster))
      let outputs = try pool.probed[name] ?? pool.outputs(worker: worker, of: [picture])[0]
      return .success((raster, try pool.answer(of: outputs, sample: name)))
    }
  }

  private func mask(_ answer: ClassMaps, of size: ImageSize, name: String) throws -> Mask {
    let fields = try PredictedFields(answer, of: kept, size, recipe: recipe, sample: name)
    return fields.masks().masks.first { $0.class == subject }?.mask ?? Mask(emptyOf: size)
  }

  private func field(_ answer: ClassMaps, of size: ImageSize) -> ProbabilityField? {
    guard let place = kept.firstIndex(of: subject), answer.cells.indices.contains(place) else {
      return nil
    }
    return ProbabilityMap(answer.cells[place], plan: recipe.plan(for: size)).field()
  }

  func frame(at index: Int, worker: Int) throws -> ActionFrame {
    let name = source.names[index]
    switch try answer(at: index, worker: worker) {
    case .failure(let fault): return ActionFrame(name: name, content: .failure(fault))
    case .success(let (raster, answer)):
      let mask = try mask(answer, of: raster.size, name: name)
        .refined(by: refinements, in: raster)
      return ActionFrame(name: name, content: .success(mask))
    }
  }

  /// The box that the book's rule scans in a frame; `nil` if there is none or the image cannot be read.
  func scannedBox(at index: Int, worker: Int) throws -> BookRule.ScannedBox? {
    guard case .success(let (raster, answer)) = try answer(at: index, worker: worker) else {
      return nil
    }
    return try BookRule.box(of: bookMatte(answer, of: raster.size, name: source.names[index]))
  }

  /// The probabilities in 8 bits as the book draws with them.
  private func bookMatte(
    _ answer: ClassMaps, of size: ImageSize, name: String
  ) throws -> Raster<UInt8> {
    try field(answer, of: size)?.matte(from: 0, to: 1)
      ?? mask(answer, of: size, name: name).raster()
  }

  func segmented(at index: Int, worker: Int) throws -> SegmentedFrame {
    let name = source.names[index]
    switch try answer(at: index, worker: worker) {
    case .failure(let fault):
      throw ActionShotError.unusableFrame(name, reason: fault.description)
    case .success(let (raster, answer)):
      let size = raster.size
      let plain = try mask(answer, of: size, name: name)
      guard !isSquare else {
        return SegmentedFrame(
          raster: raster, mask: plain, matte: try bookMatte(answer, of: size, name: name))
      }
      let mask = plain.refined(by: refinements, in: raster)
      guard let field = field(answer, of: size) else {
        return SegmentedFrame(raster: raster, mask: mask, matte: mask.raster())
      }
      return SegmentedFrame(
        raster: raster, mask: mask, field: field, plain: plain, isRefined: !refinements.isEmpty)
    }
  }
}
