import AssayCore
import AssayInference
import AssayStore

/// Reads what a pipeline stored: counts its objects, and makes a classification run of their labels.
struct PipelineResults {
  let catalog: Catalog
  /// The attribute with the label of the last classifier; `nil` if there is none.
  let attribute: String?
  /// The maximum number of objects that the detector keeps, of each class or of all.
  var limit = Int.max
  var isLimitOfClass = true
  /// The decision whose accepted objects or labels are counted; `nil` for none.
  var decision: PipelineDecision?

  /// Counts the objects of a run, those that qualify, reasons and labels.
  ///
  /// - Throws: `StoreError`.
  func count(into summary: inout PipelineSummary) throws {
    var reasons: [String: Int] = [:]
    var labels: [String: Int] = [:]
    try forEachSample(of: summary.run) { _, objects in
      let classes = Dictionary(grouping: objects) { isLimitOfClass ? $0.detection.class : 0 }
      if classes.contains(where: { $0.value.count >= limit }) { summary.atLimit += 1 }
      for object in objects {
        summary.objects += 1
        if object.qualifies { summary.qualified += 1 }
        if let isAccepted = object.isAccepted(by: decision) {
          summary.decided += 1
          summary.accepted += isAccepted ? 1 : 0
        }
        for reason in object.reasons { reasons[reason, default: 0] += 1 }
        if let label = object.label { labels[label, default: 0] += 1 }
      }
    }
    summary.reasons = Self.ranked(reasons).map { (reason: $0.name, count: $0.count) }
    summary.labels = Self.ranked(labels).map { (label: $0.name, count: $0.count) }
  }

  private static func ranked(_ counts: [String: Int]) -> [(name: String, count: Int)] {
    counts.map { (name: $0.key, count: $0.value) }.sorted {
      ($1.count, $0.name) < ($0.count, $1.name)
    }
  }

  /// The attributes of one object.
  private struct Object {
    let detection: Detection
    let qualifies: Bool
    let reasons: [String]
    let label: String?
    let scores: JSONValue?
    private let json: JSONValue?

    /// Returns whether a decision accepts the object or its label; `nil` without a decision, and for a decision on
    /// labels if the object has none.
    func isAccepted(by decision: PipelineDecision?) -> Bool? {
      guard let decision else { return nil }
      if let labels = decision.labels { return labels.accepts(json) }
      return decision.rule.accepts(detection.class, score: detection.confidence)
    }

    init(_ detection: Detection, attribute: String?) {
      self.detection = detection
      let json = detection.attributeValues
      self.json = json
      qualifies = json?["qualifies"] != .bool(false)
      reasons =
        json?["reason"]?.text?.split(separator: ", ").map { part in
          // "side 12.5 < 20" is counted as "side".
          String(part.prefix { $0 != " " }) == "no"
            ? String(part) : String(part.prefix { $0 != " " })
        } ?? []
      label = attribute.flatMap { json?[$0]?.text }
      let key = attribute.map { LabelAttribute.name("scores", of: $0) }
      scores = key.flatMap { json?[$0] }
    }
  }

  private func forEachSample(
    of run: RunRecord, _ body: (Int64, [Object]) throws -> Void
  ) throws {
    let ids = try catalog.doneSamples(of: run.id).map(\.id)
    try catalog.forEachDetections(
      of: run.id, samples: ids, counts: false, keypoints: false, attributes: true
    ) { index, detections in
      try body(ids[index], detections.map { Object($0, attribute: attribute) })
    }
  }

  /// The settings of the run of labels: those of the pipeline's run, its name, and the decision on its labels.
  static func labelSettings(of run: String, _ settings: String) throws -> String {
    let json = try JSONValue(parsing: settings)
    let decision = json[RunRecord.labelDecisionKey].map {
      JSONValue.Member(RunRecord.decisionKey, $0)
    }
    return JSONValue.object(
      [
        .init("precision", .string(Precision.f32.rawValue)),
        .init(RunRecord.labelsOfKey, .string(run)), .init("pipeline", json["pipeline"] ?? .null),
      ] + [decision].compactMap(\.self)
    ).text()
  }

  /// The run of labels that was stored before; `nil` if the name is free.
  ///
  /// - Throws: ``PipelineError/otherLabels(_:)`` for another run; `StoreError`.
  @discardableResult
  func checkLabels(
    named name: String, classifier: ModelRecord, settings: String, samples: [Int64],
    dataset: DatasetRecord
  ) throws -> RunRecord? {
    guard let run = try catalog.findRun(named: name) else { return nil }
    let same = try catalog.findRun(
      model: classifier.id, dataset: dataset.id, settings: settings, samples: samples)
    guard run.id == same?.id else { throw PipelineError.otherLabels(name) }
    return run
  }

  /// Stores the scores of each sample's best object that has a label as a classification run; samples without one
  /// failed.
  ///
  /// - Parameters:
  ///   - name: the run's name; the same run is made anew if it was made of this pipeline's run before.
  ///   - samples: the ids of the run's samples, in its order.
  /// - Throws: ``PipelineError/otherLabels(_:)``, `StoreError`, `InferenceError`.
  func storeLabels(
    named name: String, of run: RunRecord, samples: [Int64], classifier: ModelRecord,
    versions: String
  ) throws -> RunRecord {
    let settings = try Self.labelSettings(of: run.name, run.settings)
    let classes = try classifier.readManifest().classes
    var labels = try checkLabels(
      named: name, classifier: classifier, settings: settings, samples: samples,
      dataset: run.dataset)
    if labels == nil {
      labels = try catalog.createRun(
        RunDraft(
          name: name, model: classifier.id, task: classifier.task, dataset: run.dataset.id,
          view: run.view, settings: settings, versions: versions, classes: classes,
          samples: samples))
    }
    guard let labels else { return run }
    var rows: [SampleScores] = []
    var without: [Int64] = []
    try forEachSample(of: run) { sample, objects in
      let best = objects.filter { $0.label != nil }.max {
        $0.detection.confidence < $1.detection.confidence
      }
      let scores = classes.compactMap { best?.scores?[$0]?.double.map(Float.init) }
      guard scores.count == classes.count else {
        without.append(sample)
        return
      }
      rows.append(SampleScores(sample: sample, scores: scores))
    }
    for start in stride(from: 0, to: rows.count, by: 4096) {
      try catalog.record(Array(rows[start..<min(start + 4096, rows.count)]), in: labels.id)
    }
    for sample in without {
      try catalog.recordFailure(
        of: sample, in: labels.id, message: "no object of it qualifies for a label")
    }
    for failure in try catalog.failures(of: run.id) {
      try catalog.recordFailure(of: failure.sample, in: labels.id, message: failure.message)
    }
    return try catalog.run(named: name)
  }
}
