import AssayCore

/// Weighted non-maximum suppression of candidates in descending order: each box that overlaps the best one of a group
/// by more than the limit joins it, and box and keypoints of the group are the means of its members, weighted by their
/// scores. The group has the score of its best box, which alone decides who joins.
///
/// Source: `WeightedNonMaxSuppression` in `non_max_suppression_calculator.cc` of MediaPipe 0.10.14.
struct WeightedBoxes {
  private struct Group {
    let best: BoxCandidate
    let edges: BoxEdges
    var weight = 0.0
    /// Left, top, right, bottom, and x and y of each keypoint, times the score, summed.
    var sums: [Double]
  }

  private let overlap: Double
  private let limit: Int
  private var groups: [Group] = []

  init(_ rule: DetectorRule) {
    overlap = rule.overlap
    limit = rule.limit ?? DetectorRule.usualClassLimit
  }

  /// Adds a candidate to the first group whose best box it overlaps, or begins a group with it. A box without width or
  /// height is left out, and so is one that would begin a group beyond the limit.
  ///
  /// - Parameter points: x and y of each keypoint.
  mutating func offer(_ candidate: BoxCandidate, _ edges: BoxEdges, points: [Double]) {
    guard edges.isBox else { return }
    let place = groups.firstIndex {
      $0.best.class == candidate.class && $0.edges.overlap(with: edges) > overlap
    }
    guard place != nil || groups.count < limit else { return }
    let values = [edges.left, edges.top, edges.right, edges.bottom] + points
    let index = place ?? groups.count
    if place == nil {
      groups.append(
        Group(best: candidate, edges: edges, sums: [Double](repeating: 0, count: values.count)))
    }
    let weight = Double(candidate.score)
    groups[index].weight += weight
    for (value, number) in values.enumerated() { groups[index].sums[value] += number * weight }
  }

  /// The groups, best first: the mean box, and x and y of the mean keypoints.
  var boxes: [(best: BoxCandidate, edges: BoxEdges, points: [Double])] {
    groups.map { group in
      let means = group.sums.map { $0 / group.weight }
      return (
        group.best,
        BoxEdges(left: means[0], top: means[1], right: means[2], bottom: means[3]),
        Array(means.dropFirst(4))
      )
    }
  }
}
