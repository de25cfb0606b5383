import AssayCore
import AssayMetrics
package import AssayStore
import Foundation

extension ObjectDetection {
  /// The number of samples that one worker processes at a time.
  private static let chunk = 32

  /// The result of matching one sample.
  private struct Matched: Sendable {
    var matches: ImageMatches
    var errors: ImageErrors
    var rows: [MatchRecord]
    /// The number of detections of classes that are not evaluated.
    var strangers: Int
    /// The numbers of ``ObjectReading/Truths`` and ``ObjectReading/Found``.
    var badKeypoints = 0
    var withoutArea = 0
    var withoutKeypoints = 0
    /// The matches as pycocotools has them, if there is an annotation with the id 0.
    var reference: ImageMatches?
  }

  package static func count(
    _ run: inout EvaluatedRun<Self>, in catalog: Catalog, _ progress: any ProgressSink
  ) throws {
    let samples = run.samples
    // Reading is fastest in the order of the catalog.
    let order = samples.indices.sorted { samples[$0].id < samples[$1].id }
    let total = samples.count
    let work = try SampleMatching(catalog: catalog, run)
    var results: [Matched?] = Array(repeating: nil, count: total)
    var (drawn, done) = (0, 0)
    try OrderedWorkers(workers: ProcessInfo.processInfo.activeProcessorCount).run(
      next: { () -> ArraySlice<Int>? in
        try Interruption.check("nothing was stored; evaluate again to start over")
        guard drawn < total else { return nil }
        defer { drawn = min(total, drawn + chunk) }
        return order[drawn..<min(total, drawn + chunk)]
      },
      transform: { _, chunk in try work.match(chunk.map { samples[$0] }) },
      deliver: { matched in
        for sample in matched {
          results[order[done]] = sample
          done += 1
        }
        progress.report(Double(done) / Double(total), "evaluating \(run.run.name)")
      })
    run.content.rows.reserveCapacity(total)
    for case let sample? in results {
      try run.content.tally.add(sample.matches)
      try run.content.errors.add(sample.errors)
      run.content.rows.append(sample.rows)
      run.content.strangers += sample.strangers
      run.content.badKeypoints += sample.badKeypoints
      run.content.withoutArea += sample.withoutArea
      run.content.withoutKeypoints += sample.withoutKeypoints
    }
    guard results.contains(where: { $0?.reference != nil }) else { return }
    var reference = try DetectionTally(
      classCount: run.content.classes.names.count, run.content.matching)
    for case let sample? in results { try reference.add(sample.reference ?? sample.matches) }
    run.content.reference = reference
  }

  /// Reads and matches some samples; used by several threads concurrently.
  private struct SampleMatching: Sendable {
    private let catalog: Catalog
    private let run: Int64
    private let reading: ObjectReading
    private let settings: DetectionSettings
    private let rows: MatchRows

    init(catalog: Catalog, _ evaluated: EvaluatedRun<ObjectDetection>) throws {
      self.catalog = catalog
      run = evaluated.run.id
      settings = evaluated.content.matching
      rows = try MatchRows(settings)
      reading = ObjectReading(
        classes: evaluated.content.classes, overlap: settings.overlap,
        takesBoxArea: evaluated.content.recipe.takesBoxArea,
        isCompatible: evaluated.settings.objects.isCompatible,
        keypoints: evaluated.content.keypoints)
    }

    func match(_ samples: [SampleRecord]) throws -> [Matched] {
      let ids = samples.map(\.id)
      let truths = try truths(of: samples, ids)
      var matched: [Matched] = []
      try catalog.forEachDetections(
        of: run, samples: ids, scores: false, counts: settings.overlap == .mask,
        keypoints: settings.overlap == .keypoints
      ) { index, detections in
        let sample = samples[index]
        let found = try damaged(sample) { () throws(MaskError) in
          try reading.found(detections, of: sample)
        }
        let matches = try ImageMatches(
          truth: truths[index].objects, found: found.objects, settings)
        let errors = try ImageErrors(
          truth: truths[index].objects, found: found.objects, settings)
        matched.append(
          Matched(
            matches: matches, errors: errors,
            rows: rows.rows(truths: truths[index], found: found, matches, errors),
            strangers: found.strangers, badKeypoints: truths[index].badKeypoints,
            withoutArea: truths[index].withoutArea, withoutKeypoints: found.withoutKeypoints,
            reference: try reference(truths[index], found)))
      }
      return matched
    }

    private func reference(
      _ truths: ObjectReading.Truths, _ found: ObjectReading.Found
    ) throws(MetricError) -> ImageMatches? {
      guard truths.hasIDZero, !reading.isCompatible else { return nil }
      let objects = zip(truths.objects, truths.hasID).map { object, hasID in
        var object = object
        object.countsAsUnmatched = !hasID
        return object
      }
      return try ImageMatches(truth: objects, found: found.objects, settings)
    }

    private func truths(
      of samples: [SampleRecord], _ ids: [Int64]
    ) throws -> [ObjectReading.Truths] {
      var truths: [ObjectReading.Truths] = []
      var wanting: [Int] = []
      let categories = reading.classes.evaluatedOrdinals
      try catalog.forEachAnnotations(
        of: ids, categories: categories, geometry: settings.overlap == .mask,
        regionsOnly: settings.overlap != .keypoints
      ) { index, annotations in
        if settings.overlap != .mask, annotations.contains(where: reading.needsGeometry) {
          wanting.append(index)
          truths.append(ObjectReading.Truths())
        } else {
          truths.append(
            try damaged(samples[index]) { try reading.truths(annotations, of: samples[index]) })
        }
      }
      guard !wanting.isEmpty else { return truths }
      try catalog.forEachAnnotations(
        of: wanting.map { ids[$0] }, categories: categories,
        regionsOnly: settings.overlap != .keypoints
      ) {
        place, annotations in
        let index = wanting[place]
        truths[index] = try damaged(samples[index]) {
          try reading.truths(annotations, of: samples[index])
        }
      }
      return truths
    }

    private func damaged<Value>(
      _ sample: SampleRecord, _ body: () throws -> Value
    ) throws -> Value {
      do { return try body() } catch let error as MaskError {
        throw EvaluationError.damaged(sample: sample.key, reason: "\(error)")
      } catch let problem as KeypointProblem {
        throw EvaluationError.keypoints(problem)
      }
    }
  }
}
