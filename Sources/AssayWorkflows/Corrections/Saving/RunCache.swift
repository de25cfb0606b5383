import AssayCore
import AssayFormats
import AssayStore

/// A run's predictions, cached so that they are not read completely for every sample.
package struct RunCache: Sendable {
  enum Content: Sendable {
    /// The predicted class of each sample, by row id.
    case labels([Int64: Int])
    /// The score of each class, by row id.
    case labelSets([Int64: [Float]])
    case masks(RunMasks)
    case objects
  }

  /// The default minimum score of the objects that are taken, equal to an evaluation's working
  /// score.
  package static let usualScore = ObjectSettings().settings(.box).workingScore

  let run: RunRecord
  let content: Content

  init(_ run: RunRecord, in catalog: Catalog) throws {
    self.run = run
    switch run.task {
    case .classification:
      var labels: [Int64: Int] = [:]
      for prediction in try catalog.predictions(of: run.id) {
        labels[prediction.sample.id] = prediction.predicted
      }
      content = .labels(labels)
    case .segmentation: content = .masks(try RunMasks(catalog: catalog, run: run))
    case .detection: content = .objects
    case .multiLabel:
      var scores: [Int64: [Float]] = [:]
      for prediction in try catalog.predictions(of: run.id) {
        scores[prediction.sample.id] = prediction.scores
      }
      content = .labelSets(scores)
    }
  }
}

extension CorrectionService {
  /// The current version of a run in the catalog.
  func run(named name: String) throws -> RunCache {
    let record = try RunReference(name, in: catalog).run
    if let known = runs.withLock({ $0[record.id] }), known.run == record { return known }
    let run = try RunCache(record, in: catalog)
    runs.withLock { $0[record.id] = run }
    return run
  }
}

/// Taking a run's predictions.
extension LedgerEntryBuilder {
  mutating func take(
    _ name: String, category: String?, score: Double?, share: Double, dropsMasks: Bool
  ) throws -> LedgerEntryContent {
    if let category { try check(category: category) }
    let run = try service.run(named: name)
    guard run.run.dataset.id == sample.dataset.id else {
      throw CorrectionError.otherDataset(
        run: run.run.name, its: run.run.dataset.name, sample: sample.dataset.name)
    }
    var entry =
      switch run.content {
      case .labels(let labels): try takeLabel(run.run, labels)
      case .labelSets(let scores):
        // Without a given score, the thresholds of the named evaluation apply.
        try takeLabels(
          score.map { score in
            var settings = EvaluationSettings()
            settings.masks.threshold = score
            return try PredictedLabels(run.run, settings)
          } ?? PredictedLabels(RunReference(name, in: service.catalog)), scores, category)
      case .masks(let masks):
        try takeMasks(masks, category, share: share, dropsMasks: dropsMasks)
      case .objects:
        try takeObjects(
          run.run, category, score: score ?? RunCache.usualScore, dropsMasks: dropsMasks)
      }
    entry.members.append(.init("run", .string(run.run.name)))
    if let model = run.run.model { entry.members.append(.init("model", .string(model.hash))) }
    return entry
  }

  private func refusal(_ run: RunRecord, _ reason: String) -> CorrectionError {
    .noPrediction(run: run.name, key: sample.identity.key, reason: reason)
  }

  private func check(_ losses: [ReplacementLoss], of run: RunRecord, _ dropsMasks: Bool) throws {
    guard losses.isEmpty || dropsMasks else {
      throw CorrectionError.takeLoses(run: run.name, key: sample.identity.key, losses)
    }
  }

  private func takeLabel(_ run: RunRecord, _ labels: [Int64: Int]) throws -> LedgerEntryContent {
    guard !sample.dataset.isMultiLabel else {
      throw CorrectionError.setOfLabels(dataset: sample.dataset.name)
    }
    guard let place = labels[sample.sample.id], run.classes.indices.contains(place) else {
      throw refusal(run, "it has no prediction")
    }
    return LedgerEntryContent(
      target: .label, kind: .take, members: try takenLabel(run.classes[place]))
  }

  /// Takes the labels whose score reaches the threshold, as one entry with the whole set; labels of
  /// classes that the run does not have are unchanged.
  private mutating func takeLabels(
    _ predicted: PredictedLabels, _ scores: [Int64: [Float]], _ category: String?
  ) throws -> LedgerEntryContent {
    let run = predicted.run
    guard let row = scores[sample.sample.id], row.count == run.classes.count else {
      throw refusal(run, "it has no prediction")
    }
    guard let before = sample.replay.content(after: seen)?.labels else {
      throw CorrectionError.oneLabel(dataset: sample.dataset.name)
    }
    let known = run.classes.filter { name in
      category.map { $0 == name } ?? sample.classes.contains(name)
    }
    guard !known.isEmpty else {
      let classes = run.classes.joined(separator: ", ")
      throw refusal(
        run,
        category.map { "it knows no class “\($0)”, only \(classes)" }
          ?? "the dataset has none of its classes \(classes)")
    }
    var labels = before.subtracting(known)
    for place in predicted.labels(row) where known.contains(run.classes[place]) {
      labels.insert(run.classes[place])
    }
    var members: [JSONValue.Member] = [
      .init("categories", .array(labels.sorted().map { .string($0) }))
    ]
    if let score = predicted.single {
      members.append(.init("score", .number(score)))
    } else {
      members.append(
        .init(
          "scores",
          .object(
            zip(run.classes, predicted.thresholds.values).sorted { $0.0 < $1.0 }
              .map { .init($0.0, .number($0.1)) })))
    }
    if let category { members.append(.init("class", .string(category))) }
    if seen == nil {
      members.append(.init("before", .array(before.sorted().map { .string($0) })))
    }
    return LedgerEntryContent(target: .label, kind: .take, members: members)
  }

  /// The smallest part of a mask that is kept unless a share is given. Where a pixel has one class, a dropped part would
  /// leave pixels of no class, so all are kept.
  var usualShare: Double {
    sample.replay.imported.isLabelMap ? 0 : RegionParts.usualShare
  }

  /// Takes the run's masks at its own threshold; pixels that the model has not seen keep their
  /// ground truth.
  private mutating func takeMasks(
    _ masks: RunMasks, _ category: String?, share: Double, dropsMasks: Bool
  ) throws -> LedgerEntryContent {
    let run = masks.run
    var predicted: PredictedMasks?
    try masks.masks(of: [sample.sample]) { predicted = $1 }
    guard let predicted else { throw refusal(run, "it has no mask") }
    let size = try size()
    guard predicted.size == size else {
      throw CorrectionError.wrongSize(found: predicted.size, image: size)
    }
    var regions: [(category: String, members: [JSONValue.Member])] = []
    var losses: [ReplacementLoss] = []
    let objects = try objects()
    for (ordinal, mask) in predicted.masks where run.classes.indices.contains(ordinal) {
      let name = run.classes[ordinal]
      guard category.map({ $0 == name }) ?? sample.classes.contains(name) else { continue }
      let before = try region(of: name)
      var after = mask
      if let void = predicted.void {
        after = after.subtracting(void).union(before.intersection(void))
      }
      if after.isEmpty, let loss = ReplacementLoss(of: name, in: objects, masks: 0, boxes: 0) {
        losses.append(loss)
      }
      let region = RegionParts.few(smallestShare: share).region(
        after, beside: try instances(of: name))
      regions.append((name, self.mask(from: before, to: region, category: name)))
    }
    guard let first = regions.first else {
      let classes = run.classes.joined(separator: ", ")
      throw refusal(
        run,
        category.map { "it has no class “\($0)”, only \(classes)" }
          ?? "the dataset has none of its classes \(classes)")
    }
    try check(losses, of: run, dropsMasks)
    if regions.count == 1 {
      return LedgerEntryContent(
        target: target(of: first.category), kind: .take, members: first.members)
    }
    return LedgerEntryContent(
      target: .sample, kind: .take,
      members: [
        LedgerEntryContent.size(size),
        .init("regions", .array(regions.map { .object($0.members) })),
      ])
  }

  /// All classes as `--classes` takes them: as a list, or, of very many, as a file.
  private static func classesOption(_ classes: [String]) -> String {
    classes.count > 100
      ? "FILE (a class per line)" : ShellText.quoted(classes.joined(separator: ","))
  }

  private mutating func takeObjects(
    _ run: RunRecord, _ category: String?, score: Double, dropsMasks: Bool
  ) throws -> LedgerEntryContent {
    let size = try size()
    let classes = run.classes.filter {
      category.map { [$0] }?.contains($0) ?? sample.classes.contains($0)
    }
    guard !classes.isEmpty else {
      throw refusal(
        run,
        category.map { "it has no class “\($0)”" }
          ?? "the dataset has none of its classes \(run.classes.prefix(5).joined(separator: ", "))"
          + "\(run.classes.count > 5 ? ", …" : ""); a dataset without labels gets classes when it is imported again: "
          + "--classes \(Self.classesOption(run.classes)) --task detection --replace"
      )
    }
    var found: [Detection] = []
    try service.catalog.forEachDetections(
      of: run.id, samples: [sample.sample.id], attributes: true
    ) { found = $1 }
    var objects: [JSONValue] = []
    var taken: [String: (masks: Int, boxes: Int)] = [:]
    for detection in found
    where detection.confidence >= score && run.classes.indices.contains(detection.class) {
      let name = run.classes[detection.class]
      guard classes.contains(name) else { continue }
      var members: [JSONValue.Member] = [
        .init("category", .string(name)),
        .init("confidence", .number(detection.confidence)),
      ]
      if let counts = detection.counts {
        taken[name, default: (0, 0)].masks += 1
        members.append(.init("mask", .string(String(decoding: counts, as: UTF8.self))))
      } else {
        taken[name, default: (0, 0)].boxes += 1
        let box = detection.box
        members.append(
          .init("box", box.json))
      }
      let attributes = Self.attributes(of: detection)
      if !attributes.isEmpty { members.append(.init("attributes", .object(attributes))) }
      objects.append(.object(members))
    }
    let before = try self.objects()
    let losses = classes.compactMap { name in
      let new = taken[name] ?? (0, 0)
      return ReplacementLoss(of: name, in: before, masks: new.masks, boxes: new.boxes)
    }
    try check(losses, of: run, dropsMasks)
    return LedgerEntryContent(
      target: .sample, kind: .take,
      members: [
        LedgerEntryContent.size(size), .init("objects", .array(objects)),
        .init("categories", .array(classes.map { .string($0) })), .init("score", .number(score)),
      ])
  }

  /// The attributes that the steps of a pipeline gave an object, as those of an annotation: texts, numbers and truth
  /// values; not lists, and not the scores of all classes.
  private static func attributes(of detection: Detection) -> [JSONValue.Member] {
    (detection.attributes.flatMap { try? JSONValue(parsing: $0) }?.members ?? []).filter {
      $0.value.members == nil && $0.value.elements == nil && $0.value != .null
    }
  }
}
