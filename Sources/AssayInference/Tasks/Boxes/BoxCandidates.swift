/// A box with one of its classes, and the score for that.
struct BoxCandidate {
  var score: Float
  var row: Int32
  var `class`: Int32

  /// The better score first, then the first row, then the first class.
  static func isBetter(_ first: BoxCandidate, _ second: BoxCandidate) -> Bool {
    if first.score != second.score { return first.score > second.score }
    return (first.row, first.class) < (second.row, second.class)
  }
}

/// The best candidates of a sample, never more than a limit and what is under way.
struct BoxCandidates {
  /// The candidates that are looked at further, whatever a model gives.
  static let limit = 30_000

  /// The least score that is taken in, which rises once there are too many.
  private(set) var least: Float
  private var candidates: [BoxCandidate] = []

  init(least: Float) { self.least = least }

  /// - Precondition: `score` is at least ``least``.
  mutating func add(_ score: Float, row: Int, class: Int) {
    candidates.append(BoxCandidate(score: score, row: Int32(row), class: Int32(`class`)))
    if candidates.count >= 4 * Self.limit { cut() }
  }

  /// The best of them, the very best first.
  mutating func ranked() -> [BoxCandidate] {
    cut()
    return candidates
  }

  /// Only the best class of each row: the first of the best.
  mutating func keepBestClasses() {
    var best: [Int32: BoxCandidate] = [:]
    for candidate in candidates {
      guard let other = best[candidate.row], !BoxCandidate.isBetter(candidate, other) else {
        best[candidate.row] = candidate
        continue
      }
    }
    candidates = Array(best.values)
  }

  private mutating func cut() {
    candidates.sort(by: BoxCandidate.isBetter)
    guard candidates.count > Self.limit else { return }
    candidates.removeSubrange(Self.limit...)
    least = candidates[Self.limit - 1].score
  }
}
