/// The values of each sample of a multi-label classification at given thresholds, and the counts by
/// class.
struct LabelColumns: Sendable {
  /// The predicted classes.
  private(set) var predicted: LabelSets
  /// The numbers of samples per class that have it, that are predicted to have it, and both.
  private(set) var totals: ClassTotals
  /// The number of classes per sample that only the ground truth or only the prediction has.
  private(set) var wrong: [Int32] = []
  /// The F1 of each sample's classes, in 0...1; NaN if neither ground truth nor prediction has any.
  private(set) var f1: [Double] = []
  /// The ranking loss of each sample: among the pairs of a class that it has and one that it does
  /// not have, the share in which the first does not have the higher score; 0 for a sample without
  /// such pairs.
  private(set) var rankingLosses: [Double] = []
  /// The label ranking precision of each sample: the share of classes it has among those with at
  /// least the same score, averaged over its classes; 1 for a sample with no class or all of them.
  private(set) var rankingPrecisions: [Double] = []
  /// The number of samples with no class or all of them.
  private(set) var unranked = 0

  /// The number of samples that a worker processes at a time.
  private static let block = 4096

  private init(classCount: Int) {
    predicted = LabelSets(classCount: classCount)
    totals = ClassTotals(classCount: classCount)
  }

  /// - Parameter thresholds: one per class.
  /// - Complexity: O(*n* · *k* · log of the classes per sample).
  init(_ tally: MultiLabelTally, _ thresholds: LabelThresholds, workers: Int) throws {
    self.init(classCount: tally.classCount)
    let blocks = (tally.count + Self.block - 1) / Self.block
    let parts = try IndexedWork.map(blocks, workers: workers) { block in
      var part = LabelColumns(classCount: tally.classCount)
      let end = min(tally.count, (block + 1) * Self.block)
      part.add(tally, block * Self.block..<end, thresholds.compared(in: tally.precision))
      return part
    }
    for part in parts {
      predicted.append(contentsOf: part.predicted)
      totals.merge(part.totals)
      wrong += part.wrong
      f1 += part.f1
      rankingLosses += part.rankingLosses
      rankingPrecisions += part.rankingPrecisions
      unranked += part.unranked
    }
  }

  /// The number of samples whose predicted set equals that of the ground truth.
  var exact: Int { wrong.count { $0 == 0 } }

  /// The share of wrong classes, by sample.
  var wrongShares: [Double] { wrong.map { Double($0) / Double(predicted.classCount) } }

  private mutating func add(
    _ tally: MultiLabelTally, _ samples: Range<Int>, _ thresholds: [Double]
  ) {
    let (classes, truth) = (tally.classCount, tally.labels)
    var (predicted, totals) = (LabelSets(classCount: classes), ClassTotals(classCount: classes))
    var ranking = LabelRanking()
    tally.withScores { scores in
      for sample in samples {
        predicted.appendEmpty()
        for category in 0..<classes
        where scores[sample * classes + category] >= thresholds[category] {
          predicted.insertIntoLast(category)
        }
        var (hits, all) = (0, 0)
        predicted.forEach(in: predicted.count - 1, or: sample, of: truth) {
          category, isPredicted, isTrue in
          totals.add(category, isTrue: isTrue, isPredicted: isPredicted)
          hits += isTrue && isPredicted ? 1 : 0
          all += (isTrue ? 1 : 0) + (isPredicted ? 1 : 0)
        }
        wrong.append(Int32(truncatingIfNeeded: all - 2 * hits))
        f1.append(all == 0 ? .nan : Double(2 * hits) / Double(all))
        let isRanked = ranking.rank(
          classes, score: { scores[sample * classes + $0] },
          isTrue: { truth.contains($0, in: sample) })
        rankingLosses.append(isRanked ? ranking.loss : 0)
        rankingPrecisions.append(isRanked ? ranking.precision : 1)
        unranked += isRanked ? 0 : 1
      }
    }
    self.predicted = predicted
    self.totals = totals
  }
}

/// The classes of one sample ranked by their scores: the classes that it has against the others.
///
/// Source: scikit-learn 1.9.1, `sklearn/metrics/_ranking.py` (`label_ranking_loss`,
/// `label_ranking_average_precision_score`).
struct LabelRanking {
  /// ``LabelColumns/rankingLosses`` and ``LabelColumns/rankingPrecisions`` of the last ranked
  /// sample.
  private(set) var loss = 0.0
  private(set) var precision = 1.0
  /// The scores of the classes that the sample has, descending.
  private var own: [Double] = []
  /// The number of other classes, by position in `own`, with a score that is at most the one there
  /// and above the next.
  private var others: [Int] = []

  /// Ranks the classes of a sample.
  ///
  /// - Returns: false if it has no class or all of them: then nothing is ranked.
  mutating func rank(_ classes: Int, score: (Int) -> Double, isTrue: (Int) -> Bool) -> Bool {
    own.removeAll(keepingCapacity: true)
    for category in 0..<classes where isTrue(category) { own.append(score(category)) }
    guard !own.isEmpty, own.count < classes else { return false }
    own.sort(by: >)
    others.removeAll(keepingCapacity: true)
    for _ in own { others.append(0) }
    var lost = 0
    for category in 0..<classes where !isTrue(category) {
      let score = score(category)
      // The first position whose score is not above that of the class.
      var (low, high) = (0, own.count)
      while low < high {
        let middle = (low + high) / 2
        if own[middle] > score { low = middle + 1 } else { high = middle }
      }
      lost += own.count - low
      if low < own.count { others[low] += 1 }
    }
    loss = Double(lost) / (Double(own.count) * Double(classes - own.count))
    var (sum, above, place) = (0.0, 0, 0)
    while place < own.count {
      above += others[place]
      var end = place + 1
      while end < own.count, own[end] == own[place] {
        above += others[end]
        end += 1
      }
      sum += Double(end - place) * Double(end) / Double(end + above)
      place = end
    }
    precision = sum / Double(own.count)
    return true
  }
}
