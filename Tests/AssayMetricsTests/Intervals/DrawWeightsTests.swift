import AssayCore
import Testing

@testable import AssayMetrics

@Suite struct DrawWeightsTests {
  struct File: Decodable {
    var classes: Int
    var truth: [Int]
    var scores: [[Double]]
    var draws: [Draw]
  }

  struct Draw: Decodable {
    var weights: [UInt8]
    var log_loss: Double
    var auroc_ovr: [Double]
    var average_precision: [Double]
  }

  @Test("Every draw takes as many samples as there are")
  func totals() {
    let weights = DrawWeights(samples: 77, seed: 3, block: 5)
    for lane in 0..<DrawWeights.lanes {
      #expect(weights.counts.reduce(0) { $0 + Int($1[lane]) } == 77)
    }
  }

  @Test("Scores with weights equal scikit-learn's with sample_weight")
  func golden() throws {
    let file = try Goldens.load("bootstrap", as: File.self)
    var tally = try ClassificationTally(classCount: file.classes, normalizes: true)
    try tally.add(truths: file.truth, scores: file.scores.flatMap(\.self))
    let weights = DrawWeights(
      counts: file.truth.indices.map { sample in
        var counts = SIMD8<UInt8>.zero
        for (lane, draw) in file.draws.enumerated() { counts[lane] = draw.weights[sample] }
        return counts
      })
    let losses = weights.means(of: ProbabilityScores.logLosses(tally))
    for (lane, draw) in file.draws.enumerated() {
      #expect(Goldens.agree(losses[lane], draw.log_loss))
    }
    for category in 0..<file.classes {
      let ranked = weights.ranking(ClassRanking(tally, category: category))
      for (lane, draw) in file.draws.enumerated() {
        #expect(Goldens.agree(ranked.auroc[lane], draw.auroc_ovr[category]))
        #expect(Goldens.agree(ranked.averagePrecision[lane], draw.average_precision[category]))
      }
    }
  }

  @Test("A draw without positives, or without negatives, leaves its scores undefined")
  func undefined() throws {
    var tally = try ClassificationTally(classCount: 2)
    try tally.add(truths: [0, 1], scores: [0.75, 0.25, 0.5, 0.5] as [Double])
    var (both, onlyNegative) = (SIMD8<UInt8>(repeating: 1), SIMD8<UInt8>(repeating: 1))
    (both[0], onlyNegative[0]) = (2, 0)
    let weights = DrawWeights(counts: [both, onlyNegative])
    let ranked = weights.ranking(ClassRanking(tally, category: 1))
    #expect(ranked.auroc[0].isNaN)
    #expect(ranked.averagePrecision[0].isNaN)
    #expect(ranked.auroc[1] == 1)
  }
}
