import AssayCore
package import AssayMetrics
package import AssayStore
import Foundation

/// Combines several runs on the same samples into one: the mean of probabilities, of several labels'
/// scores or of probability maps, and weighted fusion of boxes.
package struct RunCombination {
  package struct Request: Sendable {
    package var runs: [String]
    /// The name of the new run.
    package var name: String
    /// One per run, above 0; empty for equal weights.
    package var weights: [Double] = []
    /// The overlap from which boxes are merged; `nil` for 0.55.
    package var iou: Double?
    /// The minimum score of a box; `nil` for 0.
    package var leastScore: Double?
    package var score: WeightedBoxFusion.Score?

    package init(_ runs: [String], name: String) {
      self.runs = runs
      self.name = name
    }
  }

  package struct Summary: Sendable {
    package var run: RunRecord
    /// False if the same runs were already combined under that name.
    package var isNew: Bool
    /// The combined runs with their weights.
    package var parts: [(run: String, weight: Double)]
    /// The number of samples that some of the runs do not have.
    package var leftOut: Int
    package var hasGroundTruth: Bool
    /// True if the dataset has at least one of the run's classes.
    package var hasSharedClass = true
    package var notes: [String]
  }

  let catalog: Catalog
  let progress: any ProgressSink
  private let programVersion: String

  package init(
    catalog: Catalog, programVersion: String, progress: any ProgressSink = NoProgress()
  ) {
    self.catalog = catalog
    self.programVersion = programVersion
    self.progress = progress
  }

  static let chunk = 256

  /// Combines runs; the new run is created completely or not at all. Its samples are those that all
  /// runs have predicted, in the order of the first.
  ///
  /// - Throws: ``CombineError``, ``PredictionsError``, ``RunMasksError``, `StoreError`,
  ///   ``Interrupted``.
  package func run(_ request: Request) throws -> Summary {
    let runs = try request.runs.map { try catalog.run(named: $0) }
    let weights = request.weights.isEmpty ? runs.map { _ in 1 } : request.weights
    try check(runs, weights, request)
    let first = runs[0]
    let (samples, leftOut) = try shared(runs)
    let classes = try classes(of: runs)
    let plan = try plan(runs, weights, classes, request)
    let parts = JSONValue.array(
      zip(runs, weights).map { run, weight in
        [
          "run": .string(run.name), "weight": .number(weight),
          "model": JSONValue(run.model?.name),
          "settings": (try? JSONValue(parsing: run.settings)) ?? .null,
        ]
      })
    let settings = JSONValue.object(
      plan.members + [.init("method", .string(plan.method)), .init("combined", parts)])
    let versions: JSONValue = ["assay": .string(programVersion)]
    let draft = RunDraft(
      name: request.name, task: first.task, dataset: first.dataset.id, view: first.view,
      settings: settings.text(), versions: versions.text(), classes: classes,
      samples: samples.map(\.id))
    let stored = try catalog.storeRun(draft, of: first.dataset) { run in
      try plan.store(samples, run)
    }
    let known = Set(try catalog.taxonomy(of: first.dataset.id).names)
    return Summary(
      run: stored.run, isNew: stored.isNew, parts: zip(runs, weights).map { ($0.name, $1) },
      leftOut: leftOut,
      hasGroundTruth: try catalog.hasGroundTruth(for: first.task, in: first.dataset),
      hasSharedClass: classes.contains(where: known.contains), notes: plan.notes)
  }

  /// The computation for one task.
  struct Plan {
    var method: String
    /// The first members of the run's settings.
    var members: [JSONValue.Member]
    var notes: [String] = []
    var store: ([SampleRecord], RunRecord) throws -> Void
  }

  private func plan(
    _ runs: [RunRecord], _ weights: [Double], _ classes: [String], _ request: Request
  ) throws -> Plan {
    let task = runs[0].task
    if task.output != .objects {
      for (option, isGiven) in [
        ("--iou", request.iou != nil), ("--min-score", request.leastScore != nil),
        ("--fused-score", request.score != nil),
      ] where isGiven {
        throw CombineError.unusedOption(option, task)
      }
    }
    switch task.output {
    case .label, .labels: return try meanOfScores(runs, weights, classes)
    case .masks: return try meanOfMaps(runs, weights, classes)
    case .objects: return try fusionOfBoxes(runs, weights, classes, request)
    }
  }

  private func check(
    _ runs: [RunRecord], _ weights: [Double], _ request: Request
  ) throws(CombineError) {
    guard runs.count > 1, let first = runs.first else { throw .oneRun }
    var seen: Set<Int64> = []
    if let twice = runs.first(where: { !seen.insert($0.id).inserted }) {
      throw .repeatedRun(twice.name)
    }
    guard weights.count == runs.count else {
      throw .weightCount(weights: weights.count, runs: runs.count)
    }
    if let bad = weights.first(where: { !($0 > 0 && $0.isFinite) }) { throw .badWeight("\(bad)") }
    for run in runs {
      guard run.task == first.task else {
        throw .otherTask(run.name, run.task, first: first.name, first.task)
      }
      guard run.dataset.id == first.dataset.id else {
        throw .otherDataset(
          run.name, run.dataset.name, first: first.name, first.dataset.name)
      }
      try run.checkComplete()
    }
  }

  /// The samples that all runs have predicted, and the number of those that only some have.
  private func shared(_ runs: [RunRecord]) throws -> (samples: [SampleRecord], leftOut: Int) {
    let first = try catalog.doneSamples(of: runs[0].id)
    var common = Set(first.map(\.id))
    var all = common
    for run in runs.dropFirst() {
      let ids = Set(try catalog.doneSamples(of: run.id).map(\.id))
      common.formIntersection(ids)
      all.formUnion(ids)
    }
    guard !common.isEmpty else { throw CombineError.noSharedSample(runs.map(\.name)) }
    return (first.filter { common.contains($0.id) }, all.count - common.count)
  }

  /// The classes of the new run: those of the first run. Detectors may have more: a detector without
  /// a class finds none.
  private func classes(of runs: [RunRecord]) throws(CombineError) -> [String] {
    var classes = runs[0].classes
    let first = Set(classes)
    for run in runs.dropFirst() {
      let own = Set(run.classes)
      if runs[0].task.output == .objects {
        classes += run.classes.filter { !classes.contains($0) }
      } else if own != first {
        throw .otherClasses(
          run.name, missing: runs[0].classes.filter { !own.contains($0) },
          extra: run.classes.filter { !first.contains($0) }, first: runs[0].name)
      }
    }
    return classes
  }

  /// The place of each of a run's classes in a list that has all of them.
  static func places(of run: RunRecord, in classes: [String]) -> [Int] {
    var places: [String: Int] = [:]
    for (place, name) in classes.enumerated() { places[name] = place }
    return run.classes.map { places[$0] ?? 0 }
  }

  /// Passes parts of a list of samples to `body`, with progress and interruption.
  func forEachChunk(
    _ samples: [SampleRecord], _ chunk: Int, _ body: ([SampleRecord]) throws -> Void
  ) throws {
    for start in stride(from: 0, to: samples.count, by: chunk) {
      try Interruption.check("nothing was stored")
      progress.report(Double(start) / Double(samples.count), "combining predictions")
      try body(Array(samples[start..<min(samples.count, start + chunk)]))
    }
  }
}

extension RunCombination {
  /// The weighted mean of each class's score, in 64 bits and rounded once.
  private func meanOfScores(
    _ runs: [RunRecord], _ weights: [Double], _ classes: [String]
  ) throws -> Plan {
    for run in runs where run.isLabelsOnly { throw run.withoutScores("a mean") }
    let places = runs.map { Self.places(of: $0, in: classes) }
    let total = weights.reduce(0, +)
    return Plan(method: "mean", members: runs[0].task.settingsMembers) { samples, target in
      try forEachChunk(samples, 1024) { part in
        var sums = part.map { _ in [Double](repeating: 0, count: classes.count) }
        for (number, run) in runs.enumerated() {
          let rows = try catalog.scores(of: run, samples: part.map(\.id))
          for (index, row) in rows.enumerated() {
            for (column, score) in (row ?? []).enumerated() {
              sums[index][places[number][column]] += weights[number] * Double(score)
            }
          }
        }
        try catalog.record(
          zip(part, sums).map { sample, sums in
            SampleScores(sample: sample.id, scores: sums.map { Float($0 / total) })
          }, in: target.id)
      }
    }
  }

  private func fusionOfBoxes(
    _ runs: [RunRecord], _ weights: [Double], _ classes: [String], _ request: Request
  ) throws -> Plan {
    for run in runs where try DetectionRecipe(run).hasRegions {
      throw CombineError.regions(run.name)
    }
    for run in runs where try DetectionRecipe(run).hasKeypoints {
      throw CombineError.keypoints(run.name)
    }
    let fusion = WeightedBoxFusion(
      weights: weights, iou: request.iou ?? 0.55, leastScore: request.leastScore ?? 0,
      score: request.score ?? .mean)
    let places = runs.map { Self.places(of: $0, in: classes) }
    let members: [JSONValue.Member] =
      DetectionRecipe().members + [
        .init("iou", .number(fusion.iou)), .init("min_score", .number(fusion.leastScore)),
        .init("fused_score", .string(fusion.score.rawValue)),
      ]
    let absent = runs.filter { $0.classes.count < classes.count }.map(\.name)
    return Plan(
      method: "weighted box fusion", members: members,
      notes: absent.isEmpty
        ? []
        : [
          "\(absent.joined(separator: ", ")) cannot find all classes of the others, whose scores are lower for it"
        ]
    ) { samples, target in
      try forEachChunk(samples, Self.chunk) { part in
        var lists = part.map { _ in [[WeightedBoxFusion.Item]]() }
        for (number, run) in runs.enumerated() {
          try catalog.forEachDetections(of: run.id, samples: part.map(\.id), counts: false) {
            index, detections in
            lists[index].append(
              detections.map {
                WeightedBoxFusion.Item(
                  class: places[number][$0.class], score: $0.confidence, box: $0.box)
              })
          }
        }
        try catalog.record(
          try zip(part, lists).map { sample, lists in
            guard let size = sample.size else { throw CombineError.noImageSize(sample.key) }
            return SampleDetections(
              sample: sample.id,
              detections: fusion.fused(lists, within: size).map {
                Detection(class: $0.class, confidence: $0.score, box: $0.box)
              })
          }, in: target.id)
      }
    }
  }
}
