import AssayCore
import AssayImaging
import AssayStore

/// The subject's masks in the frames of a view, as a run has stored them: the mask of a segmentation run, or the regions
/// of a detection run, such as that of the pipeline `people`, without objects that do not qualify.
struct RunFrames: FrameMasks {
  private enum Content: Sendable {
    case masks(RunMasks)
    case objects
  }

  private let source: FrameSource
  private let samples: [SampleRecord]
  private let catalog: Catalog
  private let run: RunRecord
  private let content: Content
  /// The ordinal of the subject's class in the run.
  private let subject: Int
  private let refinements: [MaskRefinement]
  /// The samples for which the run has a result.
  private let done: Set<Int64>
  let workers: Int

  /// - Throws: ``ActionShotError``, ``RunMasksError``, `StoreError`.
  init(
    _ source: FrameSource, run name: String, className: String?, refinements: [MaskRefinement],
    workers: Int, in catalog: Catalog
  ) throws {
    let run = try catalog.run(named: name)
    guard let view = source.view, view.dataset.id == run.dataset.id else {
      throw ActionShotError.otherFrames(run: name, dataset: run.dataset.name)
    }
    var candidates = Array(run.classes.indices)
    switch run.task.output {
    case .masks:
      let masks = try RunMasks(catalog: catalog, run: run)
      candidates.removeAll { $0 == masks.recipe.background }
      content = .masks(masks)
    case .objects:
      guard try DetectionRecipe(run).hasRegions else { throw RefinementError.noRegions(name) }
      content = .objects
    case .label, .labels: throw RefinementError.otherTask(name, run.task)
    }
    subject = try ActionShotRequest.subject(
      className, among: candidates, of: run.classes, owner: "the run “\(name)”")
    (self.source, samples, self.catalog, self.run) = (source, view.samples, catalog, run)
    self.refinements = refinements
    done = Set(try catalog.doneSamples(of: run.id).map(\.id))
    self.workers = max(1, min(workers, source.names.count))
  }

  func name(of index: Int) -> String { source.names[index] }

  /// The mask of a frame before it is refined, with its probabilities if the run keeps them.
  private func stored(
    at index: Int
  ) throws -> Result<(mask: Mask, field: ProbabilityField?), FrameFault> {
    let sample = samples[index]
    guard let size = sample.size else {
      return .failure(FrameFault("the size of its image is unknown"))
    }
    switch content {
    case .masks(let masks):
      guard let stored = try masks.stored(of: [sample])[0] else {
        return .failure(FrameFault("the run has no result for it"))
      }
      let mask = try stored.masks().mask(of: subject) ?? Mask(emptyOf: size)
      guard masks.recipe.isBinary, case .maps(let maps, _) = stored.content,
        let map = maps.first(where: { $0.class == subject })
      else { return .success((mask, nil)) }
      return .success(
        (mask, ProbabilityMap(map.cells, plan: masks.recipe.plan(for: size)).field()))
    case .objects:
      guard done.contains(sample.id) else {
        return .failure(FrameFault("the run has no result for it"))
      }
      var mask = Mask(emptyOf: size)
      try catalog.forEachDetections(of: run.id, samples: [sample.id], attributes: true) {
        _, found in
        for object in found where object.class == subject {
          let attributes = object.attributes.flatMap { try? JSONValue(parsing: $0) }
          guard attributes?["qualifies"] != .bool(false), let counts = object.counts else {
            continue
          }
          do throws(MaskError) {
            mask = mask.union(try Mask(size: size, compressed: counts))
          } catch {
            throw RefinementError.damaged(sample: sample.key)
          }
        }
      }
      return .success((mask, nil))
    }
  }

  /// The image of a frame in three channels, of its mask's size.
  private func raster(at index: Int, _ size: ImageSize) throws -> Result<Raster<UInt8>, FrameFault>
  {
    try source.raster(at: index).flatMap { raster in
      guard raster.size == size else {
        return .failure(
          FrameFault("its image is not of the size that the dataset states; import it again"))
      }
      return .success(GrayConversion.rgb(raster))
    }
  }

  func frame(at index: Int, worker: Int) throws -> ActionFrame {
    switch try stored(at: index) {
    case .failure(let fault): return ActionFrame(name: name(of: index), content: .failure(fault))
    case .success(let (mask, _)):
      guard !refinements.isEmpty else {
        return ActionFrame(name: name(of: index), content: .success(mask))
      }
      return ActionFrame(
        name: name(of: index),
        content: try raster(at: index, mask.size).map { mask.refined(by: refinements, in: $0) })
    }
  }

  func segmented(at index: Int, worker: Int) throws -> SegmentedFrame {
    let (plain, field) = try stored(at: index).unwrapped(name(of: index))
    let raster = try raster(at: index, plain.size).unwrapped(name(of: index))
    let mask = plain.refined(by: refinements, in: raster)
    guard let field else {
      return SegmentedFrame(raster: raster, mask: mask, matte: mask.softened())
    }
    return SegmentedFrame(
      raster: raster, mask: mask, field: field, plain: plain, isRefined: !refinements.isEmpty)
  }
}

extension Result where Failure == FrameFault {
  /// - Throws: ``ActionShotError/unusableFrame(_:reason:)``.
  fileprivate func unwrapped(_ name: String) throws(ActionShotError) -> Success {
    switch self {
    case .success(let value): return value
    case .failure(let fault): throw .unusableFrame(name, reason: fault.description)
    }
  }
}

extension Mask {
  /// The mask with a soft edge: each pixel is the mean of the 3 × 3 pixels around it, cut off at the edges of the image.
  fileprivate func softened() -> Raster<UInt8> {
    let hard = raster(inside: 1)
    var soft = Raster<UInt8>(repeating: 0, width: hard.width, height: hard.height)
    for y in 0..<hard.height {
      let rows = max(0, y - 1)...min(hard.height - 1, y + 1)
      for x in 0..<hard.width {
        let columns = max(0, x - 1)...min(hard.width - 1, x + 1)
        var sum = 0
        for row in rows { for column in columns { sum += Int(hard[column, row]) } }
        soft[x, y] = UInt8(
          (sum * 255 + rows.count * columns.count / 2) / (rows.count * columns.count))
      }
    }
    return soft
  }
}
