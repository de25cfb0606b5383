package import AssayCore
package import AssayMetrics
import AssayInference
import AssayStore
import Foundation

/// The settings of an evaluation.
package struct EvaluationSettings: Sendable, Hashable {
  /// The filter in the view language; only matching samples are evaluated.
  package var filter: String?
  /// The field to evaluate slices by: `split`, `category`, or a partition's name.
  package var slicedBy: String?
  /// The minimum confidence to answer with, in 0...1.
  package var accept: Double?
  /// The minimum margin to answer with, in 0...1.
  package var margin: Double?
  /// True if intervals are computed; `nil` to decide by the number of samples.
  package var intervals: Bool?
  /// True to exclude samples whose class has no scores.
  package var ignoresMissing = false
  /// True to divide each row of scores by its sum; otherwise rows must sum to 1 within rounding.
  package var normalizes = false
  /// The seed of the bootstrap; 0 is the default.
  package var seed: UInt64 = 0
  /// The settings for making and evaluating masks, for segmentation runs.
  package var masks = MaskSettings()
  /// Per-class thresholds for multi-label runs.
  package var classThresholds: ClassThresholds?
  /// The settings for matching and scoring detections.
  package var objects = ObjectSettings()
  /// A decision on the predictions, instead of the one that the run was predicted with. It is not
  /// stored.
  var decision: DecisionFile?

  package init() {}

  /// The abstention rule; `nil` if neither threshold is given.
  package var abstention: AbstentionRule? {
    accept == nil && margin == nil
      ? nil : AbstentionRule(accept: accept ?? 0, margin: margin ?? 0)
  }

  /// Returns whether intervals are computed for this number of samples.
  package func makesIntervals(of samples: Int) -> Bool {
    intervals ?? (samples <= Bootstrap.mostSamplesUnasked)
  }

  /// Rejects settings that do not apply to a task.
  ///
  /// - Throws: ``EvaluationError/otherTask(option:run:task:)``.
  package func check(for task: ModelTask, run: String) throws(EvaluationError) {
    let strange: String?
    let ofMasks =
      masks.differences(own: nil).first.map { String($0.dropFirst(2)) }
      ?? (masks.hasBoundary ? nil : "no-boundary")
    let ofLabels =
      accept != nil
      ? "accept"
      : margin != nil
        ? "margin" : ignoresMissing ? "ignore-missing" : normalizes ? "normalize" : nil
    let ofSets = classThresholds?.option
    switch task {
    case .classification: strange = ofMasks ?? ofSets ?? objects.firstOption
    case .segmentation: strange = ofLabels ?? ofSets ?? objects.firstOption
    case .detection: strange = ofLabels ?? ofMasks ?? ofSets
    case .multiLabel:
      var others = masks
      others.threshold = nil
      strange =
        (accept != nil ? "accept" : margin != nil ? "margin" : normalizes ? "normalize" : nil)
        ?? others.differences(own: nil).first.map { String($0.dropFirst(2)) }
        ?? (masks.hasBoundary ? nil : "no-boundary") ?? objects.firstOption
    }
    if let strange { throw .otherTask(option: strange, run: run, task: task) }
  }

  /// The settings in the form that the metrics use.
  package func scoring(samples: Int) -> ScoringSettings {
    ScoringSettings(
      abstention: abstention,
      intervals: makesIntervals(of: samples) ? Bootstrap(seed: seed) : nil,
      workers: ProcessInfo.processInfo.activeProcessorCount)
  }

  /// Takes the settings of a stored evaluation unless others were requested; always takes its
  /// filter, because it has no other samples.
  mutating func inherit(_ kept: EvaluationSettings) {
    filter = kept.filter
    slicedBy = slicedBy ?? kept.slicedBy
    if abstention == nil { (accept, margin) = (kept.accept, kept.margin) }
    intervals = intervals ?? kept.intervals
    ignoresMissing = ignoresMissing || kept.ignoresMissing
    normalizes = normalizes || kept.normalizes
    if seed == 0 { seed = kept.seed }
  }

  /// The settings of a stored evaluation, combined with requested settings that need no other
  /// counts.
  ///
  /// - Parameters:
  ///   - name: the evaluation as typed.
  ///   - what: the stored counts: `masks`.
  /// - Throws: ``EvaluationError/kept(_:what:options:)`` if other samples are requested.
  func reducing(
    _ kept: EvaluationSettings, of name: String, what: String
  ) throws(EvaluationError) -> EvaluationSettings {
    if let filter, filter != kept.filter {
      throw .kept(name, what: what, options: "--where \(filter)")
    }
    var settings = kept
    settings.takeReduction(of: self)
    return settings
  }

  /// Takes the requested settings that only affect the reduction of counts.
  private mutating func takeReduction(of asked: EvaluationSettings) {
    slicedBy = asked.slicedBy ?? slicedBy
    intervals = asked.intervals ?? intervals
    if asked.seed != 0 { seed = asked.seed }
    if asked.masks.empty != .undefined { masks.empty = asked.masks.empty }
    if !asked.masks.hasBoundary { masks.hasBoundary = false }
  }

  /// All settings that affect a metric, to be stored with the metrics.
  package func json(of task: ModelTask) -> JSONValue {
    var further: [JSONValue.Member] = []
    let own: [JSONValue.Member]
    switch task {
    case .classification:
      own = [.init("accept", JSONValue(accept)), .init("margin", JSONValue(margin))]
      further = [
        .init("ignore_missing", .bool(ignoresMissing)), .init("normalize", .bool(normalizes)),
      ]
    case .segmentation: own = masks.members
    case .detection: own = objects.members
    case .multiLabel:
      own =
        [.init("threshold", JSONValue(masks.threshold))] + (classThresholds?.members ?? [])
      further = [.init("ignore_missing", .bool(ignoresMissing))]
    }
    let common: [JSONValue.Member] = [
      .init("where", JSONValue(filter)), .init("by", JSONValue(slicedBy)),
    ]
    return .object(
      common + own + [.init("intervals", intervals.map { .bool($0) } ?? .null)] + further + [
        .init("seed", .integer(Int64(bitPattern: seed))),
        .init(Self.draws, JSONValue(Bootstrap().draws)),
      ])
  }

  /// The name of the member with the number of bootstrap draws, which is for readers only and not
  /// read back.
  static let draws = "draws"

  /// Reads ``json(of:)`` back; a missing or invalid member keeps its default. For a stored
  /// evaluation, use ``init(storedIn:)``.
  init(json: JSONValue) {
    filter = json["where"]?.text
    slicedBy = json["by"]?.text
    accept = json["accept"]?.double
    margin = json["margin"]?.double
    if case .bool(let value)? = json["intervals"] { intervals = value }
    if case .bool(let value)? = json["ignore_missing"] { ignoresMissing = value }
    if case .bool(let value)? = json["normalize"] { normalizes = value }
    if case .integer(let value)? = json["seed"] { seed = UInt64(bitPattern: value) }
    masks = MaskSettings(json: json)
    classThresholds = ClassThresholds(json: json)
    objects = ObjectSettings(json: json)
  }
}

extension EvaluationSettings {
  /// The settings that an evaluation was stored with. A missing member keeps its default, because
  /// earlier versions wrote fewer.
  ///
  /// - Throws: ``EvaluationError/damagedSettings(run:name:problem:)`` for a text that is not a JSON
  ///   object, and for a member whose type or range differs from what ``json(of:)`` writes.
  init(storedIn evaluation: EvaluationRecord) throws(EvaluationError) {
    func damaged(_ problem: String) -> EvaluationError {
      .damagedSettings(run: evaluation.run.name, name: evaluation.name, problem: problem)
    }
    guard let stored = try? JSONValue(parsing: evaluation.settings), case .object = stored else {
      throw damaged("they are not a JSON object")
    }
    self.init(json: stored)
    // Values that were not understood differ when they are written again.
    guard let written = try? JSONValue(parsing: json(of: evaluation.run.task).text()),
      case .object(let members) = written
    else { throw damaged("they cannot be written again") }
    for member in members where member.name != Self.draws {
      guard let value = stored[member.name] else { continue }
      guard Self.isSame(value, member.value) else {
        throw damaged("“\(member.name)” is \(value.text(indented: false))")
      }
    }
    let shares: [(name: String, value: Double?)] = [
      ("accept", accept), ("margin", margin), ("threshold", masks.threshold),
      ("iou", objects.workingIoU), ("score", objects.workingScore),
    ]
    for share in shares {
      if let value = share.value, !(0...1).contains(value) {
        throw damaged("“\(share.name)” is \(value), outside of 0…1")
      }
    }
    // Every version has written these; for multi-label runs also the threshold.
    let needed = ["where", "seed"] + (evaluation.run.task.output == .labels ? ["threshold"] : [])
    for name in needed where stored[name] == nil { throw damaged("“\(name)” is missing") }
    if evaluation.run.task.output == .labels {
      guard masks.threshold != nil else { throw damaged("“threshold” is missing") }
      if classThresholds == nil, ClassThresholds.stand(in: stored) {
        throw damaged(
          "“thresholds” and “thresholds_from” are not thresholds in 0…1 and their source")
      }
    }
  }

  /// Returns whether the values are equal; `1` equals `1.0`.
  private static func isSame(_ stored: JSONValue, _ written: JSONValue) -> Bool {
    if stored == written { return true }
    let numbers = (stored.double, written.double)
    return numbers.0 != nil && numbers.0 == numbers.1
  }
}
