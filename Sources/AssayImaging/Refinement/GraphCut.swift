/// A minimum cut between a source and a sink, by the algorithm of Boykov and Kolmogorov (“An Experimental Comparison of
/// Min-Cut/Max-Flow Algorithms for Energy Minimization in Vision”, PAMI 2004), which grows a search tree from either
/// end and keeps both between augmentations.
package struct GraphCut {
  /// The residual capacity from the source (above 0) or to the sink (below 0) of each node.
  private var terminal: [Double]
  private var firstArc: [Int32]
  private var nextArc: [Int32] = []
  private var head: [Int32] = []
  /// The residual capacity of each arc; arcs 2k and 2k + 1 are opposite.
  private var residual: [Double] = []
  private var flow = 0.0

  private var parent: [Int32]
  private var isSink: [Bool]
  private var stamp: [Int32]
  private var distance: [Int32]
  private var isActive: [Bool]
  private var active: [Int32] = []
  private var activeStart = 0
  private var orphans: [Int32] = []
  private var orphanStart = 0
  private var time: Int32 = 0

  private static let none: Int32 = -1
  private static let root: Int32 = -2
  private static let orphan: Int32 = -3

  /// - Parameter nodes: the number of nodes besides the source and the sink.
  package init(nodes: Int) {
    terminal = Array(repeating: 0, count: nodes)
    firstArc = Array(repeating: Self.none, count: nodes)
    parent = Array(repeating: Self.none, count: nodes)
    isSink = Array(repeating: false, count: nodes)
    stamp = Array(repeating: 0, count: nodes)
    distance = Array(repeating: 0, count: nodes)
    isActive = Array(repeating: false, count: nodes)
    // Eight neighbors, each edge once.
    nextArc.reserveCapacity(8 * nodes)
    head.reserveCapacity(8 * nodes)
    residual.reserveCapacity(8 * nodes)
  }

  /// Adds capacities from the source to a node and from it to the sink, each at least 0.
  package mutating func connect(_ node: Int, source: Double, sink: Double) {
    let change = terminal[node]
    let (fromSource, toSink) = (source + max(change, 0), sink + max(-change, 0))
    flow += min(fromSource, toSink)
    terminal[node] = fromSource - toSink
  }

  /// Adds an edge with the same capacity, at least 0, in either direction.
  package mutating func connect(_ first: Int, _ second: Int, capacity: Double) {
    let arc = Int32(head.count)
    head.append(Int32(second))
    head.append(Int32(first))
    residual.append(capacity)
    residual.append(capacity)
    nextArc.append(firstArc[first])
    nextArc.append(firstArc[second])
    firstArc[first] = arc
    firstArc[second] = arc + 1
  }

  /// Computes the cut; called once.
  ///
  /// - Returns: the maximum flow.
  package mutating func solve() -> Double {
    for node in terminal.indices where terminal[node] != 0 {
      isSink[node] = terminal[node] < 0
      parent[node] = Self.root
      distance[node] = 1
      activate(node)
    }
    var current: Int?
    while true {
      if let node = current, parent[node] == Self.none { current = nil }
      guard let node = current ?? nextActive() else { break }
      let bridge = grow(node)
      time += 1
      guard let bridge else {
        current = nil
        continue
      }
      current = node
      augment(bridge)
      adopt()
    }
    return flow
  }

  /// True if a node is on the source's side of the cut: the smallest such side.
  package func isWithSource(_ node: Int) -> Bool { parent[node] != Self.none && !isSink[node] }

  // MARK: Growth

  private mutating func activate(_ node: Int) {
    guard !isActive[node] else { return }
    isActive[node] = true
    active.append(Int32(node))
  }

  private mutating func nextActive() -> Int? {
    while activeStart < active.count {
      let node = Int(active[activeStart])
      activeStart += 1
      isActive[node] = false
      if activeStart > 1 << 16 {
        active.removeFirst(activeStart)
        activeStart = 0
      }
      if parent[node] != Self.none { return node }
    }
    return nil
  }

  /// Grows the tree of a node by its neighbors.
  ///
  /// - Returns: an arc from the source's tree to the sink's; `nil` if the node has none.
  private mutating func grow(_ node: Int) -> Int32? {
    let side = isSink[node]
    var arc = firstArc[node]
    while arc != Self.none {
      defer { arc = nextArc[Int(arc)] }
      guard residual[Int(side ? arc ^ 1 : arc)] > 0 else { continue }
      let other = Int(head[Int(arc)])
      if parent[other] == Self.none {
        isSink[other] = side
        parent[other] = arc ^ 1
        stamp[other] = stamp[node]
        distance[other] = distance[node] + 1
        activate(other)
      } else if isSink[other] != side {
        return side ? arc ^ 1 : arc
      } else if stamp[other] <= stamp[node], distance[other] > distance[node] {
        // A shorter way to the root.
        parent[other] = arc ^ 1
        stamp[other] = stamp[node]
        distance[other] = distance[node] + 1
      }
    }
    return nil
  }

  // MARK: Augmentation

  /// Visits the nodes from the end of an arc to the root of their tree, with the arc from each to its parent.
  private func forEachStep(from node: Int32, _ body: (_ node: Int, _ arc: Int) -> Void) -> Int {
    var node = Int(node)
    while parent[node] >= 0 {
      let arc = Int(parent[node])
      body(node, arc)
      node = Int(head[arc])
    }
    return node
  }

  private mutating func augment(_ bridge: Int32) {
    let middle = Int(bridge)
    var bottleneck = residual[middle]
    let source = forEachStep(from: head[middle ^ 1]) { _, arc in
      bottleneck = min(bottleneck, residual[arc ^ 1])
    }
    let sink = forEachStep(from: head[middle]) { _, arc in
      bottleneck = min(bottleneck, residual[arc])
    }
    bottleneck = min(bottleneck, terminal[source], -terminal[sink])
    residual[middle ^ 1] += bottleneck
    residual[middle] -= bottleneck
    for (start, isForward) in [(head[middle ^ 1], false), (head[middle], true)] {
      var node = Int(start)
      while parent[node] >= 0 {
        let arc = Int(parent[node])
        // The flow runs from the root to the bridge, or from the bridge to the root.
        let (used, back) = isForward ? (arc, arc ^ 1) : (arc ^ 1, arc)
        residual[back] += bottleneck
        residual[used] -= bottleneck
        let next = Int(head[arc])
        if residual[used] <= 0 { makeOrphan(node) }
        node = next
      }
    }
    terminal[source] -= bottleneck
    if terminal[source] <= 0 { makeOrphan(source) }
    terminal[sink] += bottleneck
    if terminal[sink] >= 0 { makeOrphan(sink) }
    flow += bottleneck
  }

  // MARK: Adoption

  private mutating func makeOrphan(_ node: Int) {
    parent[node] = Self.orphan
    orphans.append(Int32(node))
  }

  private mutating func adopt() {
    while orphanStart < orphans.count {
      let node = Int(orphans[orphanStart])
      orphanStart += 1
      adopt(node)
    }
    orphans.removeAll(keepingCapacity: true)
    orphanStart = 0
  }

  /// The number of arcs from a node to the root of its tree; `nil` if it hangs on an orphan.
  private mutating func depth(of start: Int) -> Int32? {
    var node = start
    var depth: Int32 = 0
    while true {
      if stamp[node] == time { return depth + distance[node] }
      let arc = parent[node]
      depth += 1
      if arc == Self.root {
        stamp[node] = time
        distance[node] = 1
        return depth
      }
      guard arc >= 0 else { return nil }
      node = Int(head[Int(arc)])
    }
  }

  /// Finds another parent in the node's tree, or frees the node and makes its children orphans.
  private mutating func adopt(_ node: Int) {
    let side = isSink[node]
    var best: Int32 = Self.none
    var least = Int32.max
    var arc = firstArc[node]
    while arc != Self.none {
      defer { arc = nextArc[Int(arc)] }
      guard residual[Int(side ? arc : arc ^ 1)] > 0 else { continue }
      let other = Int(head[Int(arc)])
      guard isSink[other] == side, parent[other] != Self.none, var depth = depth(of: other) else {
        continue
      }
      if depth < least { (best, least) = (arc, depth) }
      var marked = other
      while stamp[marked] != time {
        stamp[marked] = time
        distance[marked] = depth
        depth -= 1
        marked = Int(head[Int(parent[marked])])
      }
    }
    parent[node] = best
    if best != Self.none {
      stamp[node] = time
      distance[node] = least + 1
      return
    }
    arc = firstArc[node]
    while arc != Self.none {
      defer { arc = nextArc[Int(arc)] }
      let other = Int(head[Int(arc)])
      guard isSink[other] == side, parent[other] != Self.none else { continue }
      if residual[Int(side ? arc : arc ^ 1)] > 0 { activate(other) }
      let above = parent[other]
      if above >= 0, Int(head[Int(above)]) == node { makeOrphan(other) }
    }
  }
}
