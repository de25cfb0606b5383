/// The boxes that are kept of candidates that come the best first: of each class those that overlap no
/// better one by more than is allowed (greedy non-maximum suppression).
struct KeptBoxes {
  private let overlap: Double
  private let limit: Int
  private let classLimit: Int
  /// In the order in which they came.
  private(set) var boxes: [(candidate: BoxCandidate, edges: BoxEdges)] = []
  private var byClass: [Int32: [BoxEdges]] = [:]

  init(_ rule: DetectorRule) {
    overlap = rule.overlap
    limit = rule.limit ?? BoxCandidates.limit
    classLimit = rule.limit ?? DetectorRule.usualClassLimit
  }

  /// True if no further one is taken.
  var isFull: Bool { boxes.count >= limit }

  /// Takes a candidate unless it is none, its class has enough, or a better box covers it.
  mutating func offer(_ candidate: BoxCandidate, _ edges: BoxEdges) {
    guard edges.isBox else { return }
    let better = byClass[candidate.class] ?? []
    guard better.count < classLimit, better.allSatisfy({ $0.overlap(with: edges) <= overlap })
    else { return }
    byClass[candidate.class, default: []].append(edges)
    boxes.append((candidate, edges))
  }
}
