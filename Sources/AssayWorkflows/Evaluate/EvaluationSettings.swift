package import AssayCore
package import AssayMetrics
import Foundation

/// How a run is to be judged.
package struct EvaluationSettings: Sendable, Hashable {
  /// Only samples for which this expression of the view language holds.
  package var filter: String?
  /// Judge parts on their own, too: `split`, `category`, or a partition's name.
  package var slicedBy: String?
  /// The least confidence to answer with, in 0...1.
  package var accept: Double?
  /// The least margin to answer with, in 0...1.
  package var margin: Double?
  /// Whether intervals are made; `nil` where the number of samples decides.
  package var intervals: Bool?
  /// Leave out samples whose class has no scores.
  package var ignoresMissing = false
  /// The seed of the bootstrap; 0 is the usual one.
  package var seed: UInt64 = 0

  package init() {}

  /// The rule to abstain by; `nil` where neither threshold is given.
  package var abstention: AbstentionRule? {
    accept == nil && margin == nil
      ? nil : AbstentionRule(accept: accept ?? 0, margin: margin ?? 0)
  }

  /// Whether so many samples get intervals.
  package func makesIntervals(of samples: Int) -> Bool {
    intervals ?? (samples <= Bootstrap.mostSamplesUnasked)
  }

  /// As the metrics want it.
  package func scoring(samples: Int) -> ScoringSettings {
    ScoringSettings(
      abstention: abstention,
      intervals: makesIntervals(of: samples) ? Bootstrap(seed: seed) : nil,
      workers: ProcessInfo.processInfo.activeProcessorCount)
  }

  /// Takes over the settings of a kept evaluation where nothing else was asked for; its filter always, as it
  /// has no other samples.
  mutating func inherit(_ kept: EvaluationSettings) {
    filter = kept.filter
    slicedBy = slicedBy ?? kept.slicedBy
    if abstention == nil { (accept, margin) = (kept.accept, kept.margin) }
    intervals = intervals ?? kept.intervals
    ignoresMissing = ignoresMissing || kept.ignoresMissing
    if seed == 0 { seed = kept.seed }
  }

  /// Everything that changes a number, to be stored with the numbers.
  package var json: JSONValue {
    [
      "where": JSONValue(filter), "by": JSONValue(slicedBy), "accept": JSONValue(accept),
      "margin": JSONValue(margin), "intervals": intervals.map { .bool($0) } ?? .null,
      "ignore_missing": .bool(ignoresMissing), "seed": .integer(Int64(bitPattern: seed)),
      "draws": JSONValue(Bootstrap().draws),
    ]
  }

  /// Reads back ``json``; what is not there keeps its default.
  package init(json: JSONValue) {
    filter = json["where"]?.text
    slicedBy = json["by"]?.text
    accept = json["accept"]?.double
    margin = json["margin"]?.double
    if case .bool(let value)? = json["intervals"] { intervals = value }
    if case .bool(let value)? = json["ignore_missing"] { ignoresMissing = value }
    if case .integer(let value)? = json["seed"] { seed = UInt64(bitPattern: value) }
  }
}
