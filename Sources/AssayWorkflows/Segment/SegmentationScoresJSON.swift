import AssayCore
import AssayMetrics

/// The scores of one set of judged masks as JSON members.
struct SegmentationScoresJSON {
  private let scores: SegmentationScores

  init(_ scores: SegmentationScores) { self.scores = scores }

  private var labels: SegmentationLabels { scores.labels }

  var members: [JSONValue.Member] {
    let judged = labels.judged.map { JSONValue.string(labels.names[$0]) }
    return [
      .init("n", JSONValue(scores.count)),
      .init("defined", JSONValue(scores.samples.count { $0.iou != nil })),
      .init("classes", .array(judged)),
    ]
      + MetricKind.kinds(of: .segmentation).map { .init($0.rawValue, value(of: $0)) } + [
        .init("labels", .array(labels.names.map { .string($0) })),
        .init(
          "confusion",
          .array(scores.confusion.rows.map { .array($0.map { JSONValue($0) }) })),
        .init("pixels", pixels), .init("defined_by_key", definedCounts),
        .init("intervals", intervals), .init("interval_methods", methods),
      ]
  }

  private func value(of kind: MetricKind) -> JSONValue {
    guard kind.isPerCategory else { return JSONValue(scores[kind].value) }
    return .array(
      perClass(kind).map { score in
        kind == .support ? JSONValue(score.value.map { Int($0) }) : JSONValue(score.value)
      })
  }

  /// Of judged classes alone, as under `classes`.
  private func perClass(_ kind: MetricKind) -> ArraySlice<Score> {
    let all = scores.perClass(kind)
    return all.isEmpty ? [] : all[labels.judged]
  }

  private var pixels: JSONValue {
    let judged = scores.confusion.totals.truth.reduce(0, +)
    let share = judged + scores.void == 0 ? 0 : Double(scores.void) / Double(judged + scores.void)
    return [
      "judged": JSONValue(judged), "void": JSONValue(scores.void), "void_share": .number(share),
    ]
  }

  /// Of each mean: how many samples or classes were defined, of how many.
  private var definedCounts: JSONValue {
    .object(
      MetricKind.kinds(of: .segmentation).compactMap { kind in
        guard let defined = scores[kind].defined, let total = scores[kind].total else {
          return nil
        }
        return .init(kind.rawValue, ["defined": JSONValue(defined), "total": JSONValue(total)])
      })
  }

  /// Under each key `[low, high]` or `null`, for classes a list of them; no keys without intervals.
  private var intervals: JSONValue {
    let kinds = MetricKind.kinds(of: .segmentation)
    let hasIntervals = kinds.contains { kind in
      scores[kind].interval != nil || perClass(kind).contains { $0.interval != nil }
    }
    guard hasIntervals else { return .object([]) }
    return .object(
      kinds.map { kind in
        .init(
          kind.rawValue,
          kind.isPerCategory
            ? .array(perClass(kind).map { pair($0.interval) }) : pair(scores[kind].interval))
      })
  }

  private var methods: JSONValue {
    .object(
      MetricKind.kinds(of: .segmentation).compactMap { kind in
        let score =
          kind.isPerCategory ? perClass(kind).first { $0.interval != nil } : scores[kind]
        return score?.interval.map { .init(kind.rawValue, .string($0.method.rawValue)) }
      })
  }

  private func pair(_ interval: Interval?) -> JSONValue {
    interval.map { [.number($0.low), .number($0.high)] } ?? .null
  }
}
