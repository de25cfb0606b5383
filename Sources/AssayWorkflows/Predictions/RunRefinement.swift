package import AssayCore
import AssayImaging
package import AssayStore
import Foundation

/// Makes a run of another one whose masks are refined, by steps that may look at the images: a segmentation run of one
/// class, or the regions of a detection run.
package struct RunRefinement {
  package struct Request: Sendable {
    package var run: String
    /// The name of the new run.
    package var name: String
    /// At least one.
    package var steps: [MaskRefinement]
    /// The number of threads; `nil` for one per core. It does not affect results.
    package var workers: Int?

    package init(run: String, name: String, steps: [MaskRefinement]) {
      (self.run, self.name, self.steps) = (run, name, steps)
    }
  }

  package struct Summary: Sendable {
    package var run: RunRecord
    package var source: RunRecord
    /// False if the run was already refined by these steps under that name.
    package var isNew: Bool
    /// The numbers of masks, and of those that the steps changed, in this call.
    package var masks = 0
    package var changed = 0
    /// The numbers of masks that had pixels before and have none now.
    package var emptied = 0
    package var seconds = 0.0
    package var hasGroundTruth: Bool
  }

  private let catalog: Catalog
  private let progress: any ProgressSink
  private let programVersion: String

  package init(
    catalog: Catalog, programVersion: String, progress: any ProgressSink = NoProgress()
  ) {
    (self.catalog, self.progress, self.programVersion) = (catalog, progress, programVersion)
  }

  /// Refines all masks; the new run is created completely or not at all. Samples without a result in the source are
  /// left out.
  ///
  /// - Throws: ``RefinementError``, ``RunMasksError``, ``PredictionsError``, `SampleImageError`, `StoreError`,
  ///   ``Interrupted``.
  package func run(_ request: Request) throws -> Summary {
    let source = try catalog.run(named: request.run)
    try source.checkComplete()
    let samples = try catalog.doneSamples(of: source.id)
    guard !samples.isEmpty else { throw RefinementError.noResult(source.name) }
    let reader = try MaskReader(catalog, source)
    let members =
      reader.members + [
        .init(
          "refined",
          [
            "run": .string(source.name), "model": JSONValue(source.model?.name),
            "steps": .array(request.steps.map { .string($0.text) }),
            "settings": (try? JSONValue(parsing: source.settings)) ?? .null,
          ])
      ]
    let versions: JSONValue = ["assay": .string(programVersion)]
    let draft = RunDraft(
      name: request.name, task: source.task, dataset: source.dataset.id, view: source.view,
      settings: JSONValue.object(members).text(), versions: versions.text(),
      classes: source.classes, samples: samples.map(\.id))
    let start = Date()
    var counts = MaskReader.Counts()
    let stored = try catalog.storeRun(draft, of: source.dataset) { run in
      counts = try refine(samples, by: request, reader, in: run)
    }
    return Summary(
      run: stored.run, source: source, isNew: stored.isNew, masks: counts.masks,
      changed: counts.changed, emptied: counts.emptied, seconds: Date().timeIntervalSince(start),
      hasGroundTruth: try catalog.hasGroundTruth(for: source.task, in: source.dataset))
  }

  private func refine(
    _ samples: [SampleRecord], by request: Request, _ reader: MaskReader, in run: RunRecord
  ) throws -> MaskReader.Counts {
    let images = SampleImages(catalog: catalog, dataset: run.dataset)
    let needsImages = request.steps.contains(where: \.needsImage)
    var counts = MaskReader.Counts()
    try OrderedStoring(
      workers: request.workers ?? ProcessInfo.processInfo.activeProcessorCount, progress: progress,
      title: "refining masks"
    ).run(samples) { sample in
      var image = Raster<UInt8>(repeating: 0, width: 0, height: 0)
      if needsImages {
        image = try images.rasters(of: [sample])[0].get()
        if let refusal = ImageSizeCheck.refusal(
          of: sample, size: ImageSize(width: image.width, height: image.height))
        {
          throw RefinementError.image(sample: sample.key, reason: refusal)
        }
      }
      return try reader.refined(sample, in: image, by: request.steps)
    } store: { refined in
      for one in refined { counts.add(one.counts) }
      try reader.record(refined, in: run)
    }
    return counts
  }
}

/// Reads the masks of a run, and stores the refined ones.
private struct MaskReader: Sendable {
  struct Counts: Sendable {
    var masks = 0
    var changed = 0
    var emptied = 0

    mutating func add(_ other: Counts) {
      masks += other.masks
      changed += other.changed
      emptied += other.emptied
    }

    mutating func add(_ mask: Mask, from before: Mask) {
      masks += 1
      if mask != before { changed += 1 }
      if mask.isEmpty, !before.isEmpty { emptied += 1 }
    }
  }

  struct Refined: Sendable {
    enum Content: Sendable {
      case masks(SampleMasks)
      case objects(SampleDetections)
    }

    var content: Content
    var counts: Counts
  }

  private enum Source: Sendable {
    case masks(RunMasks)
    case objects
  }

  private let catalog: Catalog
  private let run: RunRecord
  private let source: Source
  /// The first members of the new run's settings.
  let members: [JSONValue.Member]

  init(_ catalog: Catalog, _ run: RunRecord) throws {
    (self.catalog, self.run) = (catalog, run)
    switch run.task.output {
    case .masks:
      let masks = try RunMasks(catalog: catalog, run: run)
      let classes = run.classes.indices.filter { $0 != masks.recipe.background }
      guard classes.count == 1 else {
        throw RefinementError.severalClasses(run.name, classes.map { run.classes[$0] })
      }
      var recipe = masks.recipe
      (recipe.keepsMaps, recipe.keepsMasks) = (false, recipe.threshold == nil)
      source = .masks(masks)
      members = try JSONValue(parsing: recipe.settings).members ?? []
    case .objects:
      guard try DetectionRecipe(run).hasRegions else { throw RefinementError.noRegions(run.name) }
      source = .objects
      members = (try JSONValue(parsing: run.settings).members ?? []).filter {
        !["refined", "pipeline"].contains($0.name)
      }
    case .label, .labels: throw RefinementError.otherTask(run.name, run.task)
    }
  }

  func refined(
    _ sample: SampleRecord, in image: Raster<UInt8>, by steps: [MaskRefinement]
  ) throws -> Refined {
    var counts = Counts()
    switch source {
    case .masks(let masks):
      guard let stored = try masks.stored(of: [sample])[0] else {
        throw RefinementError.damaged(sample: sample.key)
      }
      let fields = try? stored.fields()
      // A run without maps keeps the mean probabilities inside of its masks, which are the scores of exports.
      var means: [Int: Double] = [:]
      if fields == nil {
        try catalog.masks(of: run, samples: [sample.id]) { _, predictions in
          for prediction in predictions { means[prediction.class] = prediction.meanInside }
        }
      }
      var predictions: [MaskPrediction] = []
      for (ordinal, mask) in try stored.masks().masks {
        let refined = mask.refined(by: steps, in: image)
        counts.add(refined, from: mask)
        predictions.append(
          MaskPrediction(
            class: ordinal, area: refined.area,
            meanInside: refined.isEmpty
              ? nil : fields?.mean(of: ordinal, inside: refined) ?? means[ordinal],
            meanDistance: 0.5, counts: refined.compressed))
      }
      return Refined(
        content: .masks(SampleMasks(sample: sample.id, masks: predictions)), counts: counts)
    case .objects:
      guard let size = sample.size else { throw RunMasksError.noSize(sample: sample.key) }
      var objects: [Detection] = []
      try catalog.forEachDetections(
        of: run.id, samples: [sample.id], scores: true, attributes: true
      ) { _, detections in objects = detections }
      for index in objects.indices {
        guard let packed = objects[index].counts else { continue }
        let mask: Mask
        do throws(MaskError) {
          mask = try Mask(size: size, compressed: packed)
        } catch {
          throw RefinementError.damaged(sample: sample.key)
        }
        let refined = mask.refined(by: steps, in: image)
        counts.add(refined, from: mask)
        objects[index].counts = refined.compressed
        objects[index].area = Double(refined.area)
      }
      return Refined(
        content: .objects(SampleDetections(sample: sample.id, detections: objects)),
        counts: counts)
    }
  }

  func record(_ refined: [Refined], in target: RunRecord) throws {
    var masks: [SampleMasks] = []
    var objects: [SampleDetections] = []
    for one in refined {
      switch one.content {
      case .masks(let sample): masks.append(sample)
      case .objects(let sample): objects.append(sample)
      }
    }
    if !masks.isEmpty { try catalog.record(masks, in: target.id) }
    if !objects.isEmpty { try catalog.record(objects, in: target.id) }
  }
}

extension MaskRefinement {
  /// True if the step looks at the image.
  fileprivate var needsImage: Bool {
    switch self {
    case .open, .close, .holes, .largest: false
    case .guided, .grabcut: true
    }
  }
}
