import AssayCore
import AssayMetrics
import AssayStore

/// The intervals that are stored with an evaluation: computing them again takes most of the time of
/// a report.
struct KeptScores {
  private var overall: [MetricKind: ScoreRecord] = [:]
  private var classes: [MetricKind: [String: ScoreRecord]] = [:]

  /// Scores of slices are ignored.
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

  /// A score with its stored interval, if the score still equals the stored one.
  func score(_ kind: MetricKind, _ score: Score) -> Score {
    Self.joined(kind, score, overall[kind])
  }

  /// A class's score with its stored interval.
  func score(_ kind: MetricKind, of category: String, _ score: Score) -> Score {
    Self.joined(kind, score, classes[kind]?[category])
  }

  /// An earlier version may have stored an interval that is no longer computed.
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
