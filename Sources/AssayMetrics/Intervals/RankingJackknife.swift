import AssayCore

/// The jackknife intervals of AUROC and average precision by class and of their means over classes,
/// for one run or for the differences between two.
struct RankingJackknife: Sendable {
  /// The intervals by class; `nil` if there is none.
  private(set) var auroc: [Interval?]
  private(set) var averagePrecision: [Interval?]
  private(set) var macroAUROC: Interval?
  private(set) var meanAveragePrecision: Interval?

  /// The number of blocks of classes: the sums do not depend on the number of workers.
  private static let blocks = 4

  fileprivate struct Block: Sendable {
    /// The intervals by class of the block.
    var auroc: [Interval?] = []
    var averagePrecision: [Interval?] = []
    /// The sums by sample, over the classes that are defined.
    var sums: (auroc: [Double], averagePrecision: [Double])
    /// The sums of the scores themselves, and the number of classes that are defined.
    var values = (auroc: 0.0, averagePrecision: 0.0)
    var counts = (auroc: 0, averagePrecision: 0)
  }

  /// - Parameters:
  ///   - sides: the rankings of one run by class, or those of two runs on the same samples.
  ///   - samples: their number.
  /// - Complexity: O(*samples* · classes).
  init(_ sides: [[ClassRanking]], samples: Int, workers: Int) throws {
    let classCount = sides.first?.count ?? 0
    let blocks = try IndexedWork.map(Self.blocks, workers: workers) { block in
      let range =
        block * classCount / Self.blocks..<(block + 1) * classCount / Self.blocks
      let zeros = Array(repeating: 0.0, count: samples)
      var result = Block(sums: (zeros, zeros))
      for category in range { result.add(sides.map { $0[category] }) }
      return result
    }
    auroc = blocks.flatMap(\.auroc)
    averagePrecision = blocks.flatMap(\.averagePrecision)
    let isDifference = sides.count == 2
    func mean(
      _ sums: (Block) -> [Double], _ value: (Block) -> Double, _ count: (Block) -> Int
    ) -> Interval? {
      let classes = Double(blocks.reduce(0) { $0 + count($1) })
      guard classes > 0 else { return nil }
      var total = Array(repeating: 0.0, count: samples)
      for block in blocks {
        for (sample, value) in sums(block).enumerated() { total[sample] += value }
      }
      return JackknifeInterval.of(
        blocks.reduce(0) { $0 + value($1) } / classes, leavingOut: total.map { $0 / classes },
        isDifference: isDifference)
    }
    macroAUROC = mean(\.sums.auroc, \.values.auroc, \.counts.auroc)
    meanAveragePrecision = mean(
      \.sums.averagePrecision, \.values.averagePrecision, \.counts.averagePrecision)
  }
}

extension RankingJackknife.Block {
  /// Adds a class, given by its ranking in each run. A class with a single positive or negative has
  /// no score without it, and makes the mean over classes undefined.
  mutating func add(_ rankings: [ClassRanking]) {
    func value(_ score: (ClassRanking) -> Double?) -> Double? {
      let scores = rankings.compactMap(score)
      guard scores.count == rankings.count, let last = scores.last else { return nil }
      return scores.count == 2 ? last - scores[0] : last
    }
    let (area, precision) = (value(\.auroc), value(\.averagePrecision))
    guard var leftOut = rankings.last?.leavingOut() else { return }
    if rankings.count == 2 {
      let first = rankings[0].leavingOut()
      for place in leftOut.auroc.indices {
        leftOut.auroc[place] -= first.auroc[place]
        leftOut.averagePrecision[place] -= first.averagePrecision[place]
      }
    }
    let isDifference = rankings.count == 2
    auroc.append(
      area.flatMap {
        JackknifeInterval.of($0, leavingOut: leftOut.auroc, isDifference: isDifference)
      })
    averagePrecision.append(
      precision.flatMap {
        JackknifeInterval.of(
          $0, leavingOut: leftOut.averagePrecision, isDifference: isDifference)
      })
    if let area {
      values.auroc += area
      counts.auroc += 1
      for (place, value) in leftOut.auroc.enumerated() { sums.auroc[place] += value }
    }
    if let precision {
      values.averagePrecision += precision
      counts.averagePrecision += 1
      for (place, value) in leftOut.averagePrecision.enumerated() {
        sums.averagePrecision[place] += value
      }
    }
  }
}

extension ClassRanking {
  /// AUROC and average precision with each sample left out in turn, by sample; NaN if they are then
  /// undefined.
  ///
  /// - Complexity: O(*n*).
  func leavingOut() -> (auroc: [Double], averagePrecision: [Double]) {
    /// Samples of equal probability: their start, the numbers of positives and negatives before
    /// them, and their own numbers.
    struct Group {
      var start, found, above, positives, negatives: Int
      var hits: Int { found + positives }
      var all: Int { found + positives + above + negatives }
    }
    var groups: [Group] = []
    var group = Group(start: 0, found: 0, above: 0, positives: 0, negatives: 0)
    for (place, step) in steps.enumerated() {
      if step & StepFlag.positive != 0 { group.positives += 1 } else { group.negatives += 1 }
      guard step & StepFlag.endsTie != 0 else { continue }
      groups.append(group)
      group = Group(
        start: place + 1, found: group.hits, above: group.above + group.negatives, positives: 0,
        negatives: 0)
    }
    /// Positives times precision of a group after removing the given numbers of its positives and
    /// of all samples up to it.
    func term(_ group: Group, _ positives: Int, fewerHits: Int, fewer: Int) -> Double {
      guard positives > 0 else { return 0 }
      return Double(positives) * Double(group.hits - fewerHits) / Double(group.all - fewer)
    }
    // The sums of the terms from each group on, with a negative or a positive before them left out.
    var behind = Array(repeating: (negative: 0.0, positive: 0.0), count: groups.count + 1)
    for place in groups.indices.reversed() {
      let group = groups[place]
      guard group.all > 1 else { continue }
      behind[place].negative =
        behind[place + 1].negative + term(group, group.positives, fewerHits: 0, fewer: 1)
      behind[place].positive =
        behind[place + 1].positive + term(group, group.positives, fewerHits: 1, fewer: 1)
    }
    // Twice the number of pairs in which the negative ranks higher, ties counted once.
    let lost = groups.reduce(0) { $0 + $1.positives * (2 * $1.above + $1.negatives) }
    var auroc = Array(repeating: Double.nan, count: steps.count)
    var averagePrecision = auroc
    func area(lost: Int, positives: Int, negatives: Int) -> Double {
      guard positives > 0, negatives > 0 else { return .nan }
      let pairs = 2 * Double(positives) * Double(negatives)
      return (pairs - Double(lost)) / pairs
    }
    var before = 0.0
    for (place, group) in groups.enumerated() {
      let withoutPositive = area(
        lost: lost - (2 * group.above + group.negatives), positives: positives - 1,
        negatives: negatives)
      let withoutNegative = area(
        lost: lost - (2 * (positives - group.hits) + group.positives), positives: positives,
        negatives: negatives - 1)
      let precisionWithoutPositive =
        positives > 1
        ? (before + term(group, group.positives - 1, fewerHits: 1, fewer: 1)
          + behind[place + 1].positive) / Double(positives - 1) : .nan
      let precisionWithoutNegative =
        positives > 0 && group.all > 1
        ? (before + term(group, group.positives, fewerHits: 0, fewer: 1)
          + behind[place + 1].negative) / Double(positives)
        : positives > 0 ? (before + behind[place + 1].negative) / Double(positives) : .nan
      for step in steps[group.start..<group.start + group.positives + group.negatives] {
        let sample = Int(step >> StepFlag.indexShift)
        let isPositive = step & StepFlag.positive != 0
        auroc[sample] = isPositive ? withoutPositive : withoutNegative
        averagePrecision[sample] =
          isPositive ? precisionWithoutPositive : precisionWithoutNegative
      }
      before += term(group, group.positives, fewerHits: 0, fewer: 0)
    }
    return (auroc, averagePrecision)
  }
}
