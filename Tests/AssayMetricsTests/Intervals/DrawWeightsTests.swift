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
  }

  @Test("Every draw takes as many samples as there are")
  func totals() {
    let weights = DrawWeights(samples: 77, seed: 3, block: 5)
    for lane in 0..<DrawWeights.lanes {
      #expect(weights.counts.reduce(0) { $0 + Int($1[lane]) } == 77)
    }
  }

  @Test("The log loss with weights equals scikit-learn's with sample_weight")
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
  }
}
