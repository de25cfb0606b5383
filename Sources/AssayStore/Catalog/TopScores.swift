/// The first largest of several scores, and how far it is ahead of the second largest.
struct TopScores: Hashable {
  let index: Int
  let confidence: Double
  /// The confidence itself where there is one score.
  let margin: Double

  /// `nil` for no scores.
  init?(_ scores: [Float]) {
    guard var best = scores.first else { return nil }
    var place = 0
    var second: Float?
    for (index, score) in scores.enumerated().dropFirst() {
      if score > best {
        second = best
        best = score
        place = index
      } else if score > second ?? -.infinity {
        second = score
      }
    }
    index = place
    confidence = Double(best)
    margin = Double(best) - (second.map(Double.init) ?? 0)
  }
}
