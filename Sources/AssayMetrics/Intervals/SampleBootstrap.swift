/// The bootstrap over samples with multiplicity: every draw assigns a weight to each sample, and
/// the scores are recomputed with these weights; nothing is matched or sorted again.
///
/// Source: B. Efron (1979), doi:10.1214/aos/1176344552.
struct SampleBootstrap: Sendable {
  /// The values whose mean over samples is the score: one list per score, one value per sample.
  var means: [[Double]] = []

  /// The scores of all draws: outer index the score, inner the draw; `nil` if undefined.
  struct Draws: Sendable {
    var means: [[Double?]]
  }

  /// Draws from `samples` samples, at least 1.
  ///
  /// - Complexity: O(*draws* · *samples* · means).
  func run(samples: Int, _ settings: Bootstrap, workers: Int) throws -> Draws {
    let lanes = DrawWeights.lanes
    let blocks = (settings.draws + lanes - 1) / lanes
    let results = try IndexedWork.map(blocks, workers: workers) { block in
      let weights = DrawWeights(samples: samples, seed: settings.seed, block: block)
      return means.map { weights.means(of: $0) }
    }
    func column(_ value: (Int) -> SIMD8<Double>) -> [Double?] {
      (0..<settings.draws).map { draw in
        let value = value(draw / lanes)[draw % lanes]
        return value.isFinite ? value : nil
      }
    }
    return Draws(means: means.indices.map { score in column { results[$0][score] } })
  }
}
