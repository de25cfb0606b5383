package import AssayCore
package import AssayImaging
package import AssayStore
import Foundation

/// Makes a detection run of a segmentation run: each connected part of a mask is an object, and objects that touch can
/// be separated.
package struct RunObjects {
  package struct Request: Sendable {
    package var run: String
    /// The name of the new run.
    package var name: String
    /// The separation of objects that touch; `nil` for connected parts.
    package var separation: MaskSeparation?
    /// Objects with fewer pixels are left out.
    package var minArea: Int

    package init(run: String, name: String, separation: MaskSeparation?, minArea: Int) {
      (self.run, self.name, self.separation, self.minArea) = (run, name, separation, minArea)
    }
  }

  package struct Summary: Sendable {
    package var run: RunRecord
    package var source: RunRecord
    package var isNew: Bool
    /// The numbers of objects, of connected parts, and of objects that were too small, in this call.
    package var objects = 0
    package var parts = 0
    package var tooSmall = 0
    /// False if the source has no probabilities, so that every score is 1.
    package var hasScores: Bool
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

  /// Makes the objects; the new run is created completely or not at all. An object's score is the mean probability
  /// inside of it, its box the smallest around it.
  ///
  /// - Throws: ``RefinementError``, ``CombineError``, ``RunMasksError``, ``PredictionsError``, `StoreError`,
  ///   ``Interrupted``.
  package func run(_ request: Request) throws -> Summary {
    let source = try catalog.run(named: request.run)
    guard source.task.output == .masks else {
      throw RefinementError.noMasks(source.name, source.task)
    }
    try source.checkComplete()
    let masks = try RunMasks(catalog: catalog, run: source)
    let samples = try catalog.doneSamples(of: source.id)
    guard !samples.isEmpty else { throw RefinementError.noResult(source.name) }
    var made: [JSONValue.Member] = [
      .init("run", .string(source.name)), .init("model", JSONValue(source.model?.name)),
      .init("min_area", JSONValue(request.minArea)),
    ]
    if let separation = request.separation {
      made.append(
        .init(
          "separated", ["neck": .number(separation.neck), "limb": .number(separation.limb)]))
    }
    made.append(.init("settings", (try? JSONValue(parsing: source.settings)) ?? .null))
    let recipe = DetectionRecipe(hasRegions: true, takesBoxArea: false)
    let versions: JSONValue = ["assay": .string(programVersion)]
    let draft = RunDraft(
      name: request.name, task: .detection, dataset: source.dataset.id, view: source.view,
      settings: JSONValue.object(recipe.members + [.init("objects", .object(made))]).text(),
      versions: versions.text(), classes: source.classes, samples: samples.map(\.id))
    var summary = Summary(
      run: source, source: source, isNew: true, hasScores: masks.recipe.keepsMaps,
      hasGroundTruth: try catalog.hasGroundTruth(for: .detection, in: source.dataset))
    let stored = try catalog.storeRun(draft, of: source.dataset) { run in
      try store(samples, masks, request, in: run, &summary)
    }
    (summary.run, summary.isNew) = stored
    return summary
  }

  /// The objects of one sample.
  private struct Found: Sendable {
    var sample: SampleDetections
    var parts = 0
    var tooSmall = 0
  }

  private func store(
    _ samples: [SampleRecord], _ masks: RunMasks, _ request: Request, in run: RunRecord,
    _ summary: inout Summary
  ) throws {
    var total = summary
    try OrderedStoring(
      workers: ProcessInfo.processInfo.activeProcessorCount, progress: progress,
      title: "making objects"
    ).run(samples) {
      try Self.objects(of: $0, masks, request)
    } store: { found in
      for one in found {
        total.objects += one.sample.detections.count
        total.parts += one.parts
        total.tooSmall += one.tooSmall
      }
      try catalog.record(found.map(\.sample), in: run.id)
    }
    summary = total
  }

  private static func objects(
    of sample: SampleRecord, _ masks: RunMasks, _ request: Request
  ) throws -> Found {
    guard let stored = try masks.stored(of: [sample])[0] else {
      throw RefinementError.damaged(sample: sample.key)
    }
    let fields = try? stored.fields()
    var found = Found(sample: SampleDetections(sample: sample.id, detections: []))
    for (ordinal, mask) in try stored.masks().masks {
      let parts = mask.components()
      found.parts += parts.count
      for object in request.separation.map({ $0.objects(of: mask) }) ?? parts {
        guard object.area >= request.minArea, let box = object.boundingBox else {
          found.tooSmall += 1
          continue
        }
        found.sample.detections.append(
          Detection(
            class: ordinal, confidence: fields?.mean(of: ordinal, inside: object) ?? 1,
            box: box, counts: object.compressed, area: Double(object.area)))
      }
    }
    found.sample.detections = found.sample.detections.enumerated().sorted {
      ($1.element.confidence, $0.offset) < ($0.element.confidence, $1.offset)
    }.map(\.element)
    return found
  }
}
