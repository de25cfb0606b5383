import AssayCore

/// The bootstrap of scores that are computed from counts: it draws the cells of a confusion matrix
/// (multinomial) instead of samples, so that its cost does not depend on the number of samples.
struct ConfusionBootstrap: Sendable {
  /// One kind of sample: its ground truth, the prediction of one or more runs, and its count.
  struct Cell: Sendable {
    var truth: Int
    var predicted: [Int]
    var count: Int
  }

  let classCount: Int
  /// The cells that occur, in a fixed order.
  let cells: [Cell]

  init(classCount: Int, cells: [Cell]) {
    self.classCount = classCount
    self.cells = cells
  }

  /// The cells of one run's confusion matrix.
  init(_ confusion: ConfusionMatrix) {
    classCount = confusion.classCount
    cells = confusion.counts.indices.compactMap { index in
      guard confusion.counts[index] > 0 else { return nil }
      return Cell(
        truth: index / confusion.classCount, predicted: [index % confusion.classCount],
        count: confusion.counts[index])
    }
  }

  /// Repeatedly draws as many samples as there are, and reduces each draw.
  ///
  /// - Parameter reduce: gets the scores of each run in one draw.
  func run<Output: Sendable>(
    _ settings: Bootstrap, workers: Int,
    _ reduce: @escaping @Sendable ([ConfusionScores]) -> Output
  ) throws -> [Output] {
    try IndexedWork.map(settings.draws, workers: workers) { reduce(scores(settings, draw: $0)) }
  }

  /// The scores of each run in one draw, in `0..<settings.draws`.
  func scores(_ settings: Bootstrap, draw: Int) -> [ConfusionScores] {
    // A different stream from the one that draws samples.
    var random = SplitMix64(seed: ~settings.seed, draw: draw)
    return totals(&random).map { ConfusionScores($0) }
  }

  /// One draw: a multinomial over the cells, as a chain of binomials.
  func totals(_ random: inout SplitMix64) -> [ClassTotals] {
    let runs = cells.first?.predicted.count ?? 0
    var totals = Array(repeating: ClassTotals(classCount: classCount), count: runs)
    let all = cells.reduce(0) { $0 + $1.count }
    var (samplesLeft, countsLeft) = (all, all)
    for cell in cells where samplesLeft > 0 {
      let drawn = random.nextBinomial(
        trials: samplesLeft, probability: Double(cell.count) / Double(countsLeft))
      samplesLeft -= drawn
      countsLeft -= cell.count
      for run in 0..<runs {
        totals[run].add(truth: cell.truth, predicted: cell.predicted[run], count: drawn)
      }
    }
    return totals
  }
}
