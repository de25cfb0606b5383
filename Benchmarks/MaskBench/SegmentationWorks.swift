import AssayCore
import AssayImaging
import AssayMetrics
import Foundation

/// The tasks of bench F: counting the pixels of label maps and of binary masks.
enum SegmentationWorks {
  /// Counts the pixels of pairs of a folder with `gt` and `pred`, label maps or binary masks;
  /// checked against the peers' number. With data in memory, decoding is not part of the time.
  static func count(
    _ folder: String, workers: Int, isBinary: Bool, inMemory: Bool, boundary: Bool = false
  ) throws -> String {
    let pairs = try files(folder)
    let maps = inMemory ? try pairs.map { (try decode($0.0), try decode($0.1)) } : []
    let clock = ContinuousClock()
    let start = clock.now
    let tally = try tally(pairs.count, workers: workers, isBinary, boundary: boundary) {
      inMemory ? maps[$0] : (try decode(pairs[$0].0), try decode(pairs[$0].1))
    }
    let took = (clock.now - start).components
    let scores = try SegmentationScores(tally, ScoringSettings(intervals: nil))
    let check =
      scores[.miou].value
      ?? scores.samples.reduce(0) { $0 + ($1.iou ?? 0) + ($1.dice ?? 0) }
    return line(
      isBinary ? "binary" : "confusion", Double(took.seconds) + Double(took.attoseconds) * 1e-18,
      pairs.count, workers, .number(check))
  }

  private static let labels = try? SegmentationLabels(
    names: (0..<19).map { "\($0)" }, hasBackground: false)

  private static func tally(
    _ count: Int, workers: Int, _ isBinary: Bool, boundary: Bool = false,
    _ pair: @escaping @Sendable (Int) throws -> (Raster<UInt8>, Raster<UInt8>)
  ) throws -> SegmentationTally {
    guard let labels = isBinary ? SegmentationLabels(foreground: "mask") : labels else {
      throw CocoaError(.coderInvalidValue)
    }
    var tally = SegmentationTally(labels: labels)
    var next = 0
    try OrderedWorkers(workers: workers).run(
      next: {
        defer { next += 1 }
        return next < count ? next : nil
      },
      transform: { _, index in
        let (truth, predicted) = try pair(index)
        return isBinary
          ? try SegmentedSample(
            truth: truth, predicted: predicted, threshold: 128, boundary: boundary)
          : try SegmentedSample(
            truth: truth, predicted: predicted, labels: labels, void: 255, boundary: boundary)
      },
      deliver: { try tally.add($0) })
    return tally
  }

  private static func decode(_ path: String) throws -> Raster<UInt8> {
    try ImageCodec.decode(
      [UInt8](try Data(contentsOf: URL(fileURLWithPath: path))), as: .stored)
  }

  private static func files(_ folder: String) throws -> [(String, String)] {
    try FileManager.default.contentsOfDirectory(atPath: folder + "/gt").sorted()
      .filter { $0.hasSuffix(".png") }.map { (folder + "/gt/" + $0, folder + "/pred/" + $0) }
  }
}
