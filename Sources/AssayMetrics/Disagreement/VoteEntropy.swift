import Foundation

/// The degree of disagreement among several voters.
///
/// Source: S. Argamon-Engelson, I. Dagan, "Committee-Based Sample Selection for Probabilistic Classifiers"
/// (1999), doi:10.1613/jair.612.
package enum VoteEntropy {
  /// The entropy of the votes divided by the logarithm of their number: 0 if all agree, 1 if all
  /// differ; `nil` for fewer than two votes.
  package static func of(_ votes: [Int]) -> Double? {
    guard votes.count >= 2 else { return nil }
    let sorted = votes.sorted()
    let total = Double(votes.count)
    var sum = 0.0
    var start = 0
    while start < sorted.count {
      var end = start + 1
      while end < sorted.count, sorted[end] == sorted[start] { end += 1 }
      let share = Double(end - start) / total
      sum -= share * log(share)
      start = end
    }
    // If all votes differ, rounding can move the quotient slightly away from 1.
    return min(1, max(0, sum / log(total)))
  }
}
