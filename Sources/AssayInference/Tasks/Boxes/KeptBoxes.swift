/// The boxes that greedy non-maximum suppression keeps of candidates in descending order: for each
/// class, those that do not overlap a better one by more than the limit.
struct KeptBoxes {
  private let overlap: Double
  private let limit: Int
  private let classLimit: Int
  /// The kept boxes in the order in which they were offered.
  private(set) var boxes: [(candidate: BoxCandidate, edges: BoxEdges, outline: OrientedOutline?)] =
    []
  private var byClass: [Int32: [(edges: BoxEdges, outline: OrientedOutline?)]] = [:]

  init(_ rule: DetectorRule) {
    overlap = rule.overlap
    limit = rule.limit ?? BoxCandidates.limit
    classLimit = rule.limit ?? DetectorRule.usualClassLimit
  }

  /// True if no further box is accepted.
  var isFull: Bool { boxes.count >= limit }

  /// Accepts a candidate unless it is not a valid box, its class is full, or a better box covers
  /// it.
  ///
  /// - Parameter outline: the rotated box, whose overlap counts; `nil` if `edges` are the box.
  mutating func offer(
    _ candidate: BoxCandidate, _ edges: BoxEdges, _ outline: OrientedOutline? = nil
  ) {
    guard edges.isBox else { return }
    let better = byClass[candidate.class] ?? []
    guard better.count < classLimit,
      better.allSatisfy({ found in
        let around = found.edges.overlap(with: edges)
        guard around > 0, let one = found.outline, let outline else { return around <= overlap }
        return one.overlap(with: outline) <= overlap
      })
    else { return }
    byClass[candidate.class, default: []].append((edges, outline))
    boxes.append((candidate, edges, outline))
  }
}
