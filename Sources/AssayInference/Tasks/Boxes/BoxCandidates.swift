/// A box with one of its classes and the score for that class.
struct BoxCandidate {
  var score: Float
  var row: Int32
  var `class`: Int32

  /// Orders by higher score first, then by row, then by class.
  static func isBetter(_ first: BoxCandidate, _ second: BoxCandidate) -> Bool {
    if first.score != second.score { return first.score > second.score }
    return (first.row, first.class) < (second.row, second.class)
  }
}

/// The best candidates of a sample, bounded in number.
struct BoxCandidates {
  /// The maximum number of candidates that are processed further, regardless of the model's output.
  static let limit = 30_000

  /// The minimum score for a candidate, which rises once there are too many.
  private(set) var least: Float
  private var candidates: [BoxCandidate] = []

  init(least: Float) { self.least = least }

  /// - Precondition: `score` is at least ``least``.
  mutating func add(_ score: Float, row: Int, class: Int) {
    candidates.append(BoxCandidate(score: score, row: Int32(row), class: Int32(`class`)))
    if candidates.count >= 4 * Self.limit { cut() }
  }

  /// The best candidates, in descending order.
  mutating func ranked() -> [BoxCandidate] {
    cut()
    return candidates
  }

  /// Keeps only the best class of each row.
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
