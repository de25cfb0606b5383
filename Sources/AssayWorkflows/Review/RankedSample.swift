import AssayCore
import Foundation

/// A ranked candidate for a review.
struct RankedSample: Hashable, Sendable {
  var sample: Int64
  /// The rank; larger values come first.
  var rank: Double
  /// The tie-breaker for equal ranks; larger values come first.
  var second = 0.0
  /// The displayed score; `nil` in a random order.
  var score: Double?
  var reason: String
  /// True if the run contradicts the sample's ground truth with enough evidence to report it.
  var isLikelyError = false
  /// The object and the detection that disagree; `nil` for tasks without objects.
  var evidence: FindingEvidence?

  /// The samples in their order; the id breaks ties.
  static func sorted(_ samples: [RankedSample]) -> [RankedSample] {
    order(samples).map { samples[$0] }
  }

  /// The places of the samples in their order.
  static func order(_ samples: [RankedSample]) -> [Int] {
    samples.indices.sorted { place, next in
      let (first, other) = (samples[place], samples[next])
      if first.rank != other.rank { return first.rank > other.rank }
      if first.second != other.second { return first.second > other.second }
      return first.sample < other.sample
    }
  }
}

/// The result of a ranking.
package struct RankingResult: Sendable {
  /// The samples, unordered.
  var samples: [RankedSample]
  /// Notes on the order, one sentence each.
  var remarks: [String] = []
  /// The numbers of excluded samples by reason: "3 samples without a label".
  var leftOut: [String] = []

  /// Records that samples are excluded; does nothing for 0.
  mutating func leaveOut(_ count: Int, _ why: String) {
    if count > 0 { leftOut.append("\(count) \(count == 1 ? "sample" : "samples") \(why)") }
  }
}

/// A number as displayed in reasons: `0.41`, `-0.07`.
enum Hundredths {
  static func text(_ number: Double) -> String {
    guard number.isFinite, abs(number) < 1e9 else { return "\(number)" }
    let hundredths = Int((number * 100).rounded())
    let (whole, rest) = abs(hundredths).quotientAndRemainder(dividingBy: 100)
    return "\(hundredths < 0 ? "-" : "")\(whole).\(rest < 10 ? "0" : "")\(rest)"
  }
}
