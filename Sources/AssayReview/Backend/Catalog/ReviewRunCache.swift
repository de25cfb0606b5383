import AssayCore
import AssayImaging
import AssayStore
import AssayWorkflows
import Synchronization

/// A run's predictions for the samples of a review, as the page shows them.
final class ReviewRunCache: Sendable {
  /// The maximum numbers of scores and boxes shown for a sample.
  static let scoreLimit = 20
  static let boxLimit = 100

  private enum Content: Sendable {
    /// The highest scores.
    case scores([Int64: [Detection.ClassScore]])
    /// The highest scores, and the predicted labels, as ordinals of the run's classes.
    case labelSets([Int64: (scores: [Detection.ClassScore], predicted: [Int])])
    case masks(RunMasks)
    case boxes
  }

  let run: RunRecord
  /// The run's name in corrections that take its prediction: for sets of labels, with the
  /// evaluation whose thresholds apply.
  private let name: String
  private let catalog: Catalog
  private let content: Content
  /// The masks of the most recently requested samples: making them from maps is the slowest step.
  private let made = Mutex(MaskCache())

  /// - Parameters:
  ///   - reference: a run, or an evaluation whose thresholds predict the labels
  ///     of a multi-label run.
  ///   - samples: the samples of the review.
  init(_ reference: RunReference, of samples: Set<Int64>, in catalog: Catalog) throws {
    let run = reference.run
    self.run = run
    name = run.task.output == .labels ? reference.name : run.name
    self.catalog = catalog
    switch run.task {
    case .multiLabel:
      let labels = try PredictedLabels(reference)
      var sets: [Int64: (scores: [Detection.ClassScore], predicted: [Int])] = [:]
      for prediction in try catalog.predictions(of: run.id)
      where samples.contains(prediction.sample.id) {
        sets[prediction.sample.id] = (
          Self.best(prediction.scores), labels.labels(prediction.scores)
        )
      }
      content = .labelSets(sets)
    case .classification:
      var scores: [Int64: [Detection.ClassScore]] = [:]
      for prediction in try catalog.predictions(of: run.id)
      where samples.contains(prediction.sample.id) {
        scores[prediction.sample.id] = Self.best(prediction.scores)
      }
      content = .scores(scores)
    case .segmentation: content = .masks(try RunMasks(catalog: catalog, run: run))
    case .detection: content = .boxes
    }
  }

  /// Returns the highest scores first; on ties the class that comes first.
  private static func best(_ scores: [Float]) -> [Detection.ClassScore] {
    var all: [Detection.ClassScore] = []
    for (place, score) in scores.enumerated() { all.append(.init(class: place, score: score)) }
    all.sort { $0.score == $1.score ? $0.class < $1.class : $0.score > $1.score }
    return Array(all.prefix(scoreLimit))
  }

  /// Returns the class that a classifier predicts for a sample; `nil` for other tasks.
  func label(of sample: Int64) -> String? {
    guard case .scores(let scores) = content else { return nil }
    return scores[sample]?.first.flatMap { name($0.class) }
  }

  /// Returns the member `run` of a sample; `null` if the run has no prediction for it.
  func json(of sample: SampleRecord) throws -> JSONValue {
    var parts: [String: JSONValue] = [:]
    switch content {
    case .scores(let scores):
      guard let scores = scores[sample.id], let best = scores.first else { return .null }
      parts["label"] = JSONValue(name(best.class))
      parts["confidence"] = .number(Double(best.score))
      parts["scores"] = json(of: scores)
    case .labelSets(let sets):
      guard let set = sets[sample.id] else { return .null }
      parts["scores"] = json(of: set.scores)
      parts["taken"] = .array(set.predicted.map { ["category": JSONValue(name($0))] })
    case .masks(let masks):
      let members = try kept(sample) { try Self.members(of: sample, masks, name: name) }
      guard !members.isEmpty else { return .null }
      for member in members { parts[member.name] = member.value }
    case .boxes: try addBoxes(of: sample, to: &parts)
    }
    var members: [JSONValue.Member] = [.init("name", .string(name))]
    for part in ["label", "confidence"] { members.append(.init(part, parts[part] ?? .null)) }
    for part in ["scores", "masks", "maps", "boxes", "taken"] {
      members.append(.init(part, parts[part] ?? .array([])))
    }
    members.append(.init("score", parts["score"] ?? .null))
    return .object(members)
  }

  /// Returns the probability map of a class over the whole image; `nil` if there is none.
  func map(of sample: SampleRecord, category: String) throws -> [UInt8]? {
    guard case .masks(let masks) = content, masks.recipe.keepsMaps, let size = sample.size,
      let ordinal = run.classes.firstIndex(of: category)
    else { return nil }
    var bytes: [UInt8]?
    try catalog.maps(of: run.id, samples: [sample.id]) { _, maps in
      guard let map = maps.first(where: { $0.class == ordinal }),
        let cells = Raster(width: map.width, height: map.height, elements: map.bytes)
      else { return }
      bytes = MapRaster.bytes(of: ProbabilityMap(cells, plan: masks.recipe.plan(for: size)))
    }
    return bytes
  }

  private func json(of scores: [Detection.ClassScore]) -> JSONValue {
    .array(
      scores.map { ["category": JSONValue(name($0.class)), "score": .number(Double($0.score))] })
  }

  private func name(_ ordinal: Int) -> String? {
    run.classes.indices.contains(ordinal) ? run.classes[ordinal] : nil
  }

  private func kept(
    _ sample: SampleRecord, _ make: () throws -> [JSONValue.Member]
  ) rethrows -> [JSONValue.Member] {
    if let known = made.withLock({ $0.members[sample.id] }) { return known }
    let members = try make()
    made.withLock { $0.put(members, of: sample.id) }
    return members
  }

  private static func members(
    of sample: SampleRecord, _ masks: RunMasks, name: (Int) -> String?
  ) throws -> [JSONValue.Member] {
    var shown: [JSONValue] = []
    var maps: [JSONValue] = []
    var isThere = false
    try masks.masks(of: [sample]) { _, predicted in
      isThere = true
      for (ordinal, mask) in predicted.masks {
        guard let name = name(ordinal) else { continue }
        shown.append([
          "category": .string(name),
          "counts": .string(String(decoding: mask.compressed, as: UTF8.self)),
        ])
        if masks.recipe.keepsMaps { maps.append(.string(name)) }
      }
    }
    return isThere ? [.init("masks", .array(shown)), .init("maps", .array(maps))] : []
  }

  /// Adds the most confident boxes, and the number of objects that a take gives each class,
  /// including classes with none.
  private func addBoxes(of sample: SampleRecord, to parts: inout [String: JSONValue]) throws {
    var found: [Detection] = []
    try catalog.forEachDetections(of: run.id, samples: [sample.id]) { found = $1 }
    found.sort { $0.confidence > $1.confidence }
    var taken = [(masks: Int, boxes: Int)](repeating: (0, 0), count: run.classes.count)
    for detection in found
    where detection.confidence >= RunCache.usualScore && taken.indices.contains(detection.class) {
      if detection.counts == nil {
        taken[detection.class].boxes += 1
      } else {
        taken[detection.class].masks += 1
      }
    }
    parts["score"] = .number(RunCache.usualScore)
    parts["taken"] = .array(
      zip(run.classes, taken).map { name, count in
        [
          "category": .string(name), "masks": JSONValue(count.masks),
          "boxes": JSONValue(count.boxes),
        ]
      })
    parts["boxes"] = .array(
      found.prefix(Self.boxLimit).map { detection in
        .object([
          .init("category", JSONValue(name(detection.class))),
          .init("confidence", .number(detection.confidence)),
          .init("box", detection.box.json),
          .init(
            "counts",
            JSONValue(detection.counts.map { String(decoding: $0, as: UTF8.self) })),
        ])
      })
  }
}

/// A bounded cache of the masks made for samples.
private struct MaskCache {
  /// The limits in samples, and in bytes of JSON.
  static let limit = 64
  static let byteLimit = 16 << 20

  private(set) var members: [Int64: [JSONValue.Member]] = [:]
  private var bytes = 0

  mutating func put(_ made: [JSONValue.Member], of sample: Int64) {
    let size = JSONValue.object(made).text().utf8.count
    guard members[sample] == nil, size <= Self.byteLimit else { return }
    if members.count >= Self.limit || bytes + size > Self.byteLimit {
      members.removeAll(keepingCapacity: true)
      bytes = 0
    }
    members[sample] = made
    bytes += size
  }
}
