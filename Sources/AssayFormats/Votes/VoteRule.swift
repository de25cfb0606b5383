/// The rule of FER+ that turns the votes of a face into its label.
///
/// All rules first drop votes that only one person gave; shares are of the votes that are left.
/// Source: E. Barsoum et al., "Training Deep Networks for Facial Expression Recognition with
/// Crowd-Sourced Label Distribution" (2016), arXiv:1608.01041; `src/ferplus.py` of
/// microsoft/FERPlus.
package enum VoteRule: String, CaseIterable, Sendable {
  /// The option with more than half of the votes.
  case majority
  /// The options with the most votes, until they cover 75 % of the votes or are three.
  case probability
  /// All options with at least 30 % of the votes.
  case multiTarget = "multi-target"

  /// The emotions in the order of FER+, which are the classes.
  package static let emotions = [
    "neutral", "happiness", "surprise", "sadness", "anger", "disgust", "fear", "contempt",
  ]

  /// The choices of a vote: the emotions, unknown and not a face.
  package static let options = emotions + ["unknown", "NF"]

  /// The result of a rule for the votes of one face.
  package enum Target: Hashable, Sendable {
    /// The share of each emotion, in the order of ``VoteRule/emotions``; their sum is 1.
    case shares([Double])
    /// The votes give no label.
    case leftOut(Reason)
  }

  /// The reason why the votes give no label.
  package enum Reason: String, CaseIterable, Sendable {
    /// The votes are spread over too many options.
    case disagreement
    /// Most people voted for unknown.
    case unknown
    /// Most people voted that there is no face.
    case noFace = "no_face"
  }

  /// Applies the rule.
  ///
  /// - Parameter votes: a count for each of ``options``, at least 0.
  package func target(of votes: [Int]) -> Target {
    let counts = votes.map { $0 > 1 ? $0 : 0 }
    let sum = counts.reduce(0, +)
    let kept =
      switch self {
      case .majority: Self.majority(of: counts, sum)
      case .probability: Self.largest(of: counts, sum)
      case .multiTarget: Self.frequent(in: counts, sum)
      }
    guard let kept, let place = Self.firstMaximum(of: kept) else { return .leftOut(.disagreement) }
    guard place < Self.emotions.count else {
      return .leftOut(place == Self.emotions.count ? .unknown : .noFace)
    }
    let emotions = kept.prefix(Self.emotions.count)
    let total = Double(emotions.reduce(0, +))
    return .shares(emotions.map { Double($0) / total })
  }

  /// The first place of the largest number; `nil` if there are no numbers.
  static func firstMaximum<Number: Comparable>(of numbers: [Number]) -> Int? {
    numbers.max().flatMap { numbers.firstIndex(of: $0) }
  }

  private static func majority(of counts: [Int], _ sum: Int) -> [Int]? {
    guard let place = firstMaximum(of: counts), 2 * counts[place] > sum else { return nil }
    return counts.indices.map { $0 == place ? counts[$0] : 0 }
  }

  private static func largest(of counts: [Int], _ sum: Int) -> [Int]? {
    var rest = counts
    var kept = counts.map { _ in 0 }
    var covered = 0
    var taken = 0
    var ended = false
    while 4 * covered < 3 * sum, taken < 3, !ended {
      let maximum = rest.max() ?? 0
      for place in rest.indices where rest[place] == maximum {
        kept[place] = maximum
        rest[place] = 0
        covered += maximum
        taken += 1
        guard place >= emotions.count else { continue }
        // After an emotion, unknown and not a face end the search without being kept.
        ended = true
        if kept.reduce(0, +) > maximum {
          kept[place] = 0
          taken -= 1
        }
        break
      }
    }
    return 2 * kept.reduce(0, +) > sum && taken <= 3 ? kept : nil
  }

  private static func frequent(in counts: [Int], _ sum: Int) -> [Int]? {
    let kept = counts.map { 10 * $0 >= 3 * sum ? $0 : 0 }
    return 2 * kept.reduce(0, +) > sum ? kept : nil
  }
}
