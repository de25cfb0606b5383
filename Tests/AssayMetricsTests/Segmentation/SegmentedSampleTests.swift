import AssayCore
import Testing

@testable import AssayMetrics

@Suite("Counting the pixels of a sample")
struct SegmentedSampleTests {
  private func raster(_ rows: [[UInt8]]) throws -> Raster<UInt8> {
    try #require(
      Raster(width: rows[0].count, height: rows.count, elements: rows.flatMap(\.self)))
  }

  private let three = Result {
    try SegmentationLabels(names: ["a", "b", "c"], hasBackground: false)
  }

  @Test("Rows are truth, columns prediction, void pixels are left out")
  func confusion() throws {
    let truth = try raster([[0, 1, 2, 9], [0, 1, 2, 9]])
    let predicted = try raster([[0, 1, 1, 7], [1, 1, 2, 0]])
    let sample = try SegmentedSample(
      truth: truth, predicted: predicted, labels: three.get(), void: 9, boundary: false)
    #expect(sample.confusion == [1, 1, 0, 0, 2, 0, 0, 1, 1])
    #expect(sample.void == 2 && sample.boundary.isEmpty)
  }

  @Test("A band of one pixel leaves the inside of a square")
  func band() throws {
    // 7 × 7 has a diagonal of 9.9: 2 % are 0.2, so the band is 1 pixel wide.
    var truth = Array(repeating: Array(repeating: UInt8(0), count: 7), count: 7)
    for y in 1...5 { for x in 1...5 { truth[y][x] = 1 } }
    var predicted = truth
    predicted[1][1] = 0
    let sample = try SegmentedSample(
      truth: raster(truth), predicted: raster(predicted),
      labels: SegmentationLabels(foreground: "square"))
    // The square's border has 16 pixels. Without its corner the border has 15 and also the pixel
    // (2, 2).
    #expect(Array(sample.boundary[2...]) == [15, 17])
  }

  @Test("The band is 2 % of the diagonal, half to even, at least 1")
  func bandWidth() {
    // 0.02 · √(300² + 400²) = 10; 2.5 for 75 × 100; 3.5 for 105 × 140; 0.02 · 5 = 0.1.
    #expect(BoundaryBands.width(ImageSize(width: 300, height: 400)) == 10)
    #expect(BoundaryBands.width(ImageSize(width: 75, height: 100)) == 2)
    #expect(BoundaryBands.width(ImageSize(width: 105, height: 140)) == 4)
    #expect(BoundaryBands.width(ImageSize(width: 3, height: 4)) == 1)
  }

  @Test("Void pixels make no boundary")
  func voidEdge() throws {
    // A wide stripe whose right neighbor is void: only the image's border and the left edge bound
    // it.
    let row: [UInt8] = [0, 0, 1, 1, 1, 9, 9]
    let truth = try raster(Array(repeating: row, count: 9))
    let sample = try SegmentedSample(
      truth: truth, predicted: truth, labels: SegmentationLabels(foreground: "stripe"), void: 9)
    // Border rows 3 + 3, left column 7 more.
    #expect(Array(sample.boundary[2...]) == [13, 13])
  }

  @Test(
    "A threshold sets pixels from its value on", arguments: [0, 1, 127, 128, 129, 255] as [UInt8])
  func threshold(_ threshold: UInt8) throws {
    var random = SplitMix64(seed: 8)
    func noise() throws -> Raster<UInt8> {
      try #require(
        Raster(
          width: 83, height: 61,
          elements: (0..<83 * 61).map { _ in UInt8.random(in: 0...255, using: &random) }))
    }
    let (a, b) = (try noise(), try noise())
    func binary(_ raster: Raster<UInt8>) throws -> Raster<UInt8> {
      try #require(
        Raster(
          width: 83, height: 61, elements: raster.elements.map { $0 >= threshold ? 1 : 0 }))
    }
    #expect(
      try SegmentedSample(truth: a, predicted: b, threshold: threshold)
        == SegmentedSample(
          truth: binary(a), predicted: binary(b), labels: SegmentationLabels(foreground: "")))
  }

  @Test("Long flat stretches and short ones count alike", arguments: [1, 3, 8, 40, 64, 500])
  func stretches(_ length: Int) throws {
    var random = SplitMix64(seed: UInt64(length))
    func stretched() -> [UInt8] {
      var values: [UInt8] = []
      while values.count < 64 * 97 {
        values += Array(
          repeating: UInt8(random.nextIndex(below: 3)), count: 1 + random.nextIndex(below: length))
      }
      return Array(values[..<(64 * 97)])
    }
    let (a, b) = (stretched(), stretched())
    var expected = Array(repeating: 0, count: 9)
    for (truth, predicted) in zip(a, b) { expected[Int(truth) * 3 + Int(predicted)] += 1 }
    let sample = try SegmentedSample(
      truth: #require(Raster(width: 97, height: 64, elements: a)),
      predicted: #require(Raster(width: 97, height: 64, elements: b)), labels: three.get(),
      boundary: false)
    #expect(sample.confusion == expected)
  }

  @Test("Other sizes, channels and values are errors")
  func errors() throws {
    let labels = try three.get()
    let small = Raster<UInt8>(repeating: 0, width: 2, height: 2)
    let large = Raster<UInt8>(repeating: 0, width: 2, height: 3)
    let color = Raster<UInt8>(repeating: 0, width: 2, height: 2, channels: 3)
    #expect(
      throws: MetricError.sizeMismatch(
        truth: ImageSize(width: 2, height: 2), predicted: ImageSize(width: 2, height: 3))
    ) { try SegmentedSample(truth: small, predicted: large, labels: labels) }
    #expect(throws: MetricError.noLabelMap(width: 2, height: 2, channels: 3)) {
      try SegmentedSample(truth: color, predicted: color, labels: labels)
    }
    #expect(throws: MetricError.noLabelMap(width: 0, height: 0, channels: 1)) {
      let none = Raster<UInt8>(repeating: 0, width: 0, height: 0)
      return try SegmentedSample(truth: none, predicted: none, labels: labels)
    }
    let beyond = Raster<UInt8>(repeating: 3, width: 2, height: 2)
    #expect(throws: MetricError.valueOutOfRange(side: .truth, value: 3, labels: 3)) {
      try SegmentedSample(truth: beyond, predicted: small, labels: labels)
    }
    #expect(throws: MetricError.valueOutOfRange(side: .prediction, value: 3, labels: 3)) {
      try SegmentedSample(truth: small, predicted: beyond, labels: labels)
    }
    // The prediction at a void pixel does not matter.
    #expect(
      try SegmentedSample(truth: small, predicted: beyond, labels: labels, void: 0).void == 4)
    #expect(throws: MetricError.self) {
      try SegmentedSample(
        truth: Mask(emptyOf: ImageSize(width: 2, height: 2)),
        predicted: Mask(emptyOf: ImageSize(width: 2, height: 3)))
    }
  }

  @Test("A tally refuses what is not its own")
  func tallyErrors() throws {
    var tally = SegmentationTally(labels: try three.get())
    #expect(throws: MetricError.sampleCounts(labels: 3)) {
      try tally.add(SegmentedSample(confusion: [1, 2, 3, 4]))
    }
    #expect(throws: MetricError.sampleCounts(labels: 3)) {
      try tally.add(SegmentedSample(confusion: [1, 2, 3, 4, 5, 6, 7, 8, -9]))
    }
    #expect(throws: MetricError.labelMismatch) {
      try tally.merge(SegmentationTally(labels: SegmentationLabels(foreground: "a")))
    }
    #expect(tally.count == 0)
    #expect(throws: MetricError.labelCount(257)) {
      try RandomSegmentation.labels(257)
    }
    #expect(throws: MetricError.labelCount(1)) {
      try RandomSegmentation.labels(1, background: true)
    }
  }
}
