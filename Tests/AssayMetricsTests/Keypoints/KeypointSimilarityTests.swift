import AssayCore
import Foundation
import Testing

@testable import AssayMetrics

@Suite("Object keypoint similarity")
struct KeypointSimilarityTests {
  private let box = Box(x: 10, y: 20, width: 30, height: 40)

  private func similarity(
    _ found: [Double], _ truth: [Double], sigmas: [Double], area: Double = 100
  ) throws -> Double {
    let sigmas = try #require(KeypointSigmas(sigmas))
    let object = try #require(ObjectKeypoints(truth, sigmas))
    var similarity = KeypointSimilarity()
    return similarity.of(found, object, box: box, area: area)
  }

  @Test("The mean over the labeled points of exp(−d² / (2·area·(2σ)²))")
  func formula() throws {
    let truth = [10.0, 10, 2, 50, 50, 0, 30, 10, 1]
    let found = [13.0, 14, 0.5, 0, 0, 1, 30, 10, 0]
    let value = try similarity(found, truth, sigmas: [0.1, 0.2, 0.3])
    // d² = 25, (2·0.1)² = 0.04.
    let expected = (exp(-25 / 0.04 / 100 / 2) + 1) / 2
    #expect(abs(value - expected) < 1e-15)
    #expect(try similarity(truth, truth, sigmas: [0.1, 0.2, 0.3]) == 1)
  }

  @Test("Without a labeled point: the distance from the box enlarged by its size on every side")
  func unlabeled() throws {
    let truth = [0.0, 0, 0, 0, 0, 0]
    // The enlarged box is −20…70 and −20…100.
    #expect(try similarity([-20, -20, 1, 70, 100, 1], truth, sigmas: [0.1, 0.1]) == 1)
    let value = try similarity([-23, 104, 1, 0, 0, 1], truth, sigmas: [0.1, 0.1])
    #expect(abs(value - (exp(-25 / 0.04 / 100 / 2) + 1) / 2) < 1e-15)
  }

  @Test("An area of 0, huge coordinates, another number of points")
  func odd() throws {
    #expect(try similarity([1, 1, 1], [2, 1, 2], sigmas: [0.1], area: 0) == 0)
    #expect(try similarity([1, 1, 1], [1, 1, 2], sigmas: [0.1], area: 0) == 1)
    #expect(try similarity([1e308, -1e308, 1], [-1e308, 1e308, 2], sigmas: [0.1]) == 0)
    #expect(try similarity([1e308, -1e308, 1], [0, 0, 0], sigmas: [0.1]) == 0)
    #expect(try similarity([1, 1, 1, 1, 1, 1], [1, 1, 2], sigmas: [0.1]) == 0)
    #expect(try similarity([], [1, 1, 2], sigmas: [0.1]) == 0)
  }

  @Test("σ must be positive, finite and at most as many as there can be keypoints")
  func sigmas() {
    for values in [
      [], [0], [-0.1], [.nan], [.infinity], [0.1, 0], Array(repeating: 0.1, count: 1_001),
    ] {
      #expect(KeypointSigmas(values) == nil, "\(values.count)")
    }
    #expect(KeypointSigmas.coco.count == 17 && KeypointSigmas.cocoNames.count == 17)
    #expect(KeypointSigmas.coco.values[0] == 0.26 / 10)
    #expect(ObjectKeypoints([1, 1, 2, 1], .coco) == nil)
  }

  @Test("Stated σ are read from their text and fit a number of keypoints")
  func stated() {
    #expect(StatedSigmas("coco") == .coco && StatedSigmas("0.05") == .values([0.05]))
    #expect(StatedSigmas("0.1,0.25")?.text == "0.1,0.25")
    for text in ["", "a", "0.1,", "0.1,,0.2", "0", "-1", "nan", "inf", "COCO"] {
      #expect(StatedSigmas(text) == nil, "\(text)")
    }
    #expect(StatedSigmas.values([0.05]).sigmas(count: 3)?.values == [0.05, 0.05, 0.05])
    #expect(StatedSigmas.values([0.1, 0.2]).sigmas(count: 3) == nil)
    #expect(StatedSigmas.values([0.1, 0.2]).sigmas(count: 2)?.values == [0.1, 0.2])
    #expect(
      StatedSigmas.coco.sigmas(count: 17) == .coco && StatedSigmas.coco.sigmas(count: 5) == nil)
    #expect(StatedSigmas.values([0.1]).sigmas(count: 10_000_000) == nil)
  }
}
