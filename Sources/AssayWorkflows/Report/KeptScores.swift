import AssayCore
import AssayMetrics
import AssayStore

/// The intervals that a stored evaluation has kept with its numbers: making them anew takes most of the
/// time of a report.
struct KeptScores {
  private var overall: [MetricKind: ScoreRecord] = [:]
  private var classes: [MetricKind: [String: ScoreRecord]] = [:]

  /// Of slices nothing is taken.
  init(_ records: [ScoreRecord]) {
    for record in records where record.slice == nil {
      if let category = record.category {
        classes[record.metric, default: [:]][category] = record
      } else {
        overall[record.metric] = record
      }
    }
  }

  /// True if there are no stored scores for the whole run.
  var isEmpty: Bool { overall.isEmpty }

  /// A number with its kept interval, where it is still the number that was kept.
  func score(_ kind: MetricKind, _ score: Score) -> Score {
    Self.joined(kind, score, overall[kind])
  }

  /// A class's number with its kept interval.
  func score(_ kind: MetricKind, of category: String, _ score: Score) -> Score {
    Self.joined(kind, score, classes[kind]?[category])
  }

  /// An earlier version may have kept an interval that is not given any more.
  private static func joined(
    _ kind: MetricKind, _ score: Score, _ record: ScoreRecord?
  ) -> Score {
    guard score.interval == nil, score.missing == nil, let record, record.value == score.value,
      let low = record.low, let high = record.high
    else { return score }
    var joined = score
    joined.interval = Interval(
      low: low, high: high,
      method: DetectionScores.shiftedKinds.contains(kind) ? .shiftedBootstrap : .bootstrap)
    return joined
  }
}
