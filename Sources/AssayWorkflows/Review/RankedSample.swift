import AssayCore
import Foundation

/// A sample on its way into a review.
struct RankedSample: Hashable, Sendable {
  var sample: Int64
  /// The larger the earlier.
  var rank: Double
  /// Decides between equal ranks; the larger the earlier.
  var second = 0.0
  /// The score that people see; `nil` in a random order.
  var score: Double?
  var reason: String

  /// The samples in their order; the id decides between equal ones.
  static func sorted(_ samples: [RankedSample]) -> [RankedSample] {
    samples.sorted { first, other in
      if first.rank != other.rank { return first.rank > other.rank }
      if first.second != other.second { return first.second > other.second }
      return first.sample < other.sample
    }
  }
}

/// The result of an ordering.
package struct RankingResult: Sendable {
  /// In any order.
  var samples: [RankedSample]
  /// Remarks about the order, a sentence each.
  var remarks: [String] = []
  /// The numbers of samples left out, by reason: "3 samples without a label".
  var leftOut: [String] = []

  /// Takes down that samples are left out; nothing for none.
  mutating func leaveOut(_ count: Int, _ why: String) {
    if count > 0 { leftOut.append("\(count) \(count == 1 ? "sample" : "samples") \(why)") }
  }
}

/// A number as reasons show it: `0.41`, `-0.07`.
enum Hundredths {
  static func text(_ number: Double) -> String {
    guard number.isFinite, abs(number) < 1e9 else { return "\(number)" }
    let hundredths = Int((number * 100).rounded())
    let (whole, rest) = abs(hundredths).quotientAndRemainder(dividingBy: 100)
    return "\(hundredths < 0 ? "-" : "")\(whole).\(rest < 10 ? "0" : "")\(rest)"
  }
}
