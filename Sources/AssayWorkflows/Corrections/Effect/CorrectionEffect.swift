package import AssayCore
package import AssayMetrics
import Foundation

/// The effect of corrections on the metrics of a run.
package struct CorrectionEffect: Sendable, Equatable {
  /// A metric with the imported and with the corrected ground truth, over the samples that are
  /// evaluated with both.
  package struct Moved: Sendable, Equatable {
    package var kind: MetricKind
    package var difference: Difference
    /// The value with the imported ground truth over all samples evaluated with it, including those
    /// that users excluded.
    package var before: Double?
  }

  /// The number of visits with a net change in samples of the run, and the number of these samples.
  package var corrections = 0
  package var samples = 0
  /// The number of samples that are evaluated with both ground truths.
  package var shared = 0
  /// The keys of the run's samples that users excluded.
  package var leftOut: [String] = []
  /// The number of samples that are evaluated only with the corrected ground truth: they had no
  /// label before.
  package var gained = 0
  /// The number of samples evaluated with both whose label differs; `nil` for other tasks.
  package var relabeled: Int?
  /// The metrics, headline metrics first.
  package var moved: [Moved] = []

  package init() {}

  /// True if any correction affects a sample of the run.
  package var isAny: Bool { corrections > 0 || !leftOut.isEmpty }

  /// Counts the samples that are evaluated on both ground truths, on the corrected one alone, and those whose label differs.
  ///
  /// - Parameters:
  ///   - pairs: the places of the shared samples in the two lists.
  ///   - imported: the imported label or set of labels of each evaluated sample.
  ///   - corrected: the corrected one of each evaluated sample.
  mutating func count<Label: Equatable>(
    _ pairs: [(Int, Int)], imported: [Label], corrected: [Label]
  ) {
    shared = pairs.count
    gained = corrected.count - pairs.count
    relabeled = pairs.count { imported[$0.0] != corrected[$0.1] }
  }

  /// One sentence for the reader: "37 corrections (12 samples of this run) moved mean IoU from
  /// 0.741 to 0.768".
  package var sentence: String {
    guard isAny else {
      return
        "no correction applies to a sample of this run: both ground truths give the same metrics"
    }
    let which = corrections == 1 ? "this correction" : "these \(corrections) corrections"
    var text = "\(which) (\(Self.count(samples, "sample", "samples")) of this run) "
    let numbers = moved.filter { $0.difference.value != nil }
    if numbers.isEmpty {
      text += "cannot be measured: no metric is defined on both ground truths"
    } else if numbers.allSatisfy({ $0.difference.value == 0 }) {
      text += "did not change " + numbers.map(\.kind.facts.title).joined(separator: " and ")
      if let value = numbers.first?.difference.second { text += " (\(Self.number(value)))" }
    } else {
      text += "changed " + numbers.map(Self.words(for:)).joined(separator: " and ")
    }
    if !leftOut.isEmpty { text += "; \(Self.count(leftOut.count, "sample", "samples")) left out" }
    return text
  }

  /// Further sentences that attribute parts of the effect.
  package var details: [String] {
    guard isAny else { return [] }
    var details: [String] = []
    if let first = moved.first, let before = first.before, let shared = first.difference.first,
      !leftOut.isEmpty
    {
      let move =
        before == shared
        ? "does not change the value"
        : "changes the value from \(Self.number(before)) to \(Self.number(shared))"
      details.append(
        "both values are over the \(self.shared) samples that have both ground truths; leaving out "
          + "\(Self.count(leftOut.count, "sample", "samples")) alone \(move)")
    }
    if let relabeled, relabeled > 0 {
      details.append(
        Self.count(relabeled, "sample has", "samples have") + " a different label than imported")
    }
    if gained > 0 {
      details.append(
        Self.count(gained, "sample", "samples")
          + " can be evaluated only now; not in these two values")
    }
    return details
  }

  /// The value of the member `effect`.
  package var json: JSONValue {
    [
      "corrections": JSONValue(corrections), "samples": JSONValue(samples),
      "evaluated_on_both": JSONValue(shared),
      "left_out": .array(leftOut.map { .string($0) }), "gained": JSONValue(gained),
      "relabeled": JSONValue(relabeled),
      "scores": .object(
        moved.map { moved in
          .init(
            moved.kind.rawValue,
            [
              "before": JSONValue(moved.difference.first),
              "after": JSONValue(moved.difference.second),
              "difference": JSONValue(moved.difference.value),
              "low": JSONValue(moved.difference.interval?.low),
              "high": JSONValue(moved.difference.interval?.high),
              "before_with_left_out": JSONValue(moved.before),
            ])
        }),
      "sentence": .string(sentence),
    ]
  }

  private static func words(for moved: Moved) -> String {
    let difference = moved.difference
    var text =
      "\(moved.kind.facts.title) from \(number(difference.first)) to \(number(difference.second))"
    if let interval = difference.interval {
      text +=
        " (\(signed(difference.value ?? 0)) [\(signed(interval.low)), \(signed(interval.high))])"
    }
    return text
  }

  private static func number(_ value: Double?) -> String {
    value.map { String(format: "%.3f", $0) } ?? "–"
  }

  private static func signed(_ value: Double) -> String {
    let text = String(format: "%.3f", abs(value))
    return (value < 0 && text != "0.000" ? "−" : "+") + text
  }

  private static func count(_ number: Int, _ one: String, _ several: String) -> String {
    "\(number) \(number == 1 ? one : several)"
  }
}
