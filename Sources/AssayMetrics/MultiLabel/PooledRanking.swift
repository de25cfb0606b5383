/// All pairs of a sample and a class, ranked together by their scores: micro-averaged average
/// precision.
///
/// The pairs are sorted in blocks of neighboring scores, so that a million samples need little
/// memory in addition to their scores. Source: scikit-learn 1.9.1, `sklearn/metrics/_ranking.py`
/// (`average_precision_score` with `average="micro"`).
struct PooledRanking: Sendable {
  /// The average precision in 0...1; `nil` if no sample has a class.
  let averagePrecision: Double?
  /// Average precision with each sample left out in turn, by sample, to first order: the sum of the
  /// changes from leaving out each of the sample's pairs. Empty unless requested.
  let leftOut: [Double]

  /// Pairs with scores in a range of buckets, and the pairs with larger scores.
  private struct Block: Sendable {
    /// The range of buckets, inclusive.
    var first, last: Int
    /// The numbers of positive and negative pairs with larger scores.
    var found = 0
    var above = 0
    var positives = 0
    var negatives = 0
  }

  /// Sums of positives times precision over groups of pairs with equal scores: of all pairs, and
  /// without a negative or a positive before the group.
  private struct Terms: Sendable {
    var all = CompensatedSum()
    var withoutNegative = CompensatedSum()
    var withoutPositive = CompensatedSum()

    /// - Parameters:
    ///   - hits: positives up to the end of the group.
    ///   - count: pairs up to the end of the group.
    mutating func add(_ positives: Int, hits: Int, count: Int) {
      guard positives > 0 else { return }
      all.add(Terms.term(positives, hits, count))
      guard count > 1 else { return }
      withoutNegative.add(Terms.term(positives, hits, count - 1))
      withoutPositive.add(Terms.term(positives, hits - 1, count - 1))
    }

    static func term(_ positives: Int, _ hits: Int, _ count: Int) -> Double {
      positives == 0 ? 0 : Double(positives) * Double(hits) / Double(count)
    }
  }

  /// Buckets of scores: their float64 bits without sign, down to six bits of the fraction.
  private static let bucketShift: UInt64 = 46
  private static let bucketCount = Int((1.0).bitPattern >> bucketShift) + 1
  private static let leastBlock = 1 << 18
  private static let mostBlocks = 16

  private static func bucket(_ score: Double) -> Int {
    Int(truncatingIfNeeded: score.bitPattern >> bucketShift)
  }

  /// - Parameter leavesOut: whether ``leftOut`` is computed.
  /// - Complexity: O(*n* · *k*).
  init(_ tally: MultiLabelTally, leavesOut: Bool, workers: Int) throws {
    let blocks = Self.blocks(of: tally)
    let positives = blocks.reduce(0) { $0 + $1.positives }
    guard positives > 0 else {
      averagePrecision = nil
      leftOut = leavesOut ? Array(repeating: .nan, count: tally.count) : []
      return
    }
    let terms = try IndexedWork.map(blocks.count, workers: workers) { index in
      var terms = Terms()
      Self.forEachGroup(of: blocks[index], in: tally) { group in
        terms.add(group.positives, hits: group.found + group.positives, count: group.count)
      }
      return terms
    }
    let value = terms.map(\.all.value).compensatedSum() / Double(positives)
    averagePrecision = value
    guard leavesOut else {
      leftOut = []
      return
    }
    let all = terms.map { ($0.all.value, $0.withoutNegative.value, $0.withoutPositive.value) }
    let changes = try IndexedWork.map(blocks.count, workers: workers) { index in
      var changes = Array(repeating: 0.0, count: tally.count)
      // Sums up to a group, and from it on.
      var before = all[..<index].reduce(0) { $0 + $1.0 }
      var withoutNegative = all[index...].reduce(0) { $0 + $1.1 }
      var withoutPositive = all[index...].reduce(0) { $0 + $1.2 }
      Self.forEachGroup(of: blocks[index], in: tally) { group in
        let (hits, count) = (group.found + group.positives, group.count)
        if count > 1 {
          withoutNegative -= Terms.term(group.positives, hits, count - 1)
          withoutPositive -= Terms.term(group.positives, hits - 1, count - 1)
        }
        // Without the only pair there is no value; the other pairs of its sample are gone, too.
        let negative =
          count > 1
          ? (before + Terms.term(group.positives, hits, count - 1) + withoutNegative)
            / Double(positives)
          : (before + withoutNegative) / Double(positives)
        let positive =
          positives > 1
          ? (before + (count > 1 ? Terms.term(group.positives - 1, hits - 1, count - 1) : 0)
            + withoutPositive) / Double(positives - 1)
          : .nan
        for pair in group.pairs {
          changes[Int(pair >> 1)] += (pair & 1 == 1 ? positive : negative) - value
        }
        before += Terms.term(group.positives, hits, count)
      }
      return changes
    }
    var sums = Array(repeating: value, count: tally.count)
    for change in changes {
      for sample in sums.indices { sums[sample] += change[sample] }
    }
    leftOut = sums
  }

  /// The blocks of pairs, largest scores first.
  private static func blocks(of tally: MultiLabelTally) -> [Block] {
    let classes = tally.classCount
    var counts = Array(repeating: 0, count: bucketCount)
    var positives = counts
    tally.withScores { scores in
      for index in 0..<tally.count * classes { counts[bucket(scores[index])] += 1 }
      for sample in 0..<tally.count {
        tally.labels.forEach(in: sample) { positives[bucket(scores[sample * classes + $0])] += 1 }
      }
    }
    let size = max(leastBlock, tally.count * classes / mostBlocks)
    var blocks: [Block] = []
    var block = Block(first: bucketCount, last: bucketCount - 1)
    for bucket in (0..<bucketCount).reversed() where counts[bucket] > 0 {
      block.first = bucket
      block.positives += positives[bucket]
      block.negatives += counts[bucket] - positives[bucket]
      guard block.positives + block.negatives >= size else { continue }
      blocks.append(block)
      block = Block(
        first: bucket, last: bucket - 1, found: block.found + block.positives,
        above: block.above + block.negatives)
    }
    if block.positives + block.negatives > 0 { blocks.append(block) }
    return blocks
  }

  /// The pairs with one score.
  private struct Group {
    /// The number of positive pairs with larger scores.
    var found: Int
    /// The number of positive pairs with this score.
    var positives: Int
    /// The number of pairs with at least this score.
    var count: Int
    /// Twice the sample's index, plus 1 if it has the class.
    var pairs: ArraySlice<UInt32>
  }

  /// Calls `body` with each group of pairs with equal scores, largest first.
  private static func forEachGroup(
    of block: Block, in tally: MultiLabelTally, _ body: (Group) -> Void
  ) {
    let classes = tally.classCount
    var keys: [Double] = []
    var pairs: [UInt32] = []
    keys.reserveCapacity(block.positives + block.negatives)
    pairs.reserveCapacity(block.positives + block.negatives)
    let range = block.first...block.last
    tally.withScores { scores in
      for sample in 0..<tally.count {
        for category in 0..<classes {
          let score = scores[sample * classes + category]
          guard range.contains(bucket(score)) else { continue }
          keys.append(score)
          pairs.append(
            UInt32(truncatingIfNeeded: sample) << 1
              | (tally.labels.contains(category, in: sample) ? 1 : 0))
        }
      }
    }
    let order = DescendingOrder.of(keys)
    var sorted: [UInt32] = []
    sorted.reserveCapacity(order.count)
    for index in order { sorted.append(pairs[Int(index)]) }
    var (start, found) = (0, block.found)
    while start < order.count {
      let key = keys[Int(order[start])]
      var (end, positives) = (start, 0)
      while end < order.count, keys[Int(order[end])] == key {
        positives += Int(sorted[end] & 1)
        end += 1
      }
      body(
        Group(
          found: found, positives: positives, count: block.found + block.above + end,
          pairs: sorted[start..<end]))
      found += positives
      start = end
    }
  }
}
