import AssayCore
import AssayImaging
import AssayMetrics
import Foundation

/// The works of bench F: counting the pixels of label maps and of binary masks.
enum SegmentationWorks {
  /// `confusion FOLDER` and `binary FOLDER` (a folder with `gt` and `pred`): seconds in memory with one
  /// thread and with two, and from PNG with two; the check is the peers'.
  static func run(_ work: String, folder: String) throws {
    let pairs = try files(folder)
    let isBinary = work == "binary"
    var maps: [(Raster<UInt8>, Raster<UInt8>)] = []
    for (truth, predicted) in pairs {
      maps.append((try decode(truth), try decode(predicted)))
    }
    let resident = maps
    for workers in [1, 2] {
      try time("\(work) in memory, \(workers) thread(s)") {
        try tally(resident.count, workers: workers, isBinary) { resident[$0] }
      }
    }
    maps = []
    try time("\(work) from PNG, 2 threads") {
      try tally(pairs.count, workers: 2, isBinary) {
        (try decode(pairs[$0].0), try decode(pairs[$0].1))
      }
    }
    try time("\(work) from PNG with boundaries, 2 threads") {
      try tally(pairs.count, workers: 2, isBinary, boundary: true) {
        (try decode(pairs[$0].0), try decode(pairs[$0].1))
      }
    }
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

  private static func time(_ what: String, _ body: () throws -> SegmentationTally) throws {
    var best = Double.infinity
    var check = 0.0
    for _ in 0..<3 {
      let clock = ContinuousClock()
      let start = clock.now
      let tally = try body()
      let took = clock.now - start
      best = min(
        best, Double(took.components.attoseconds) * 1e-18 + Double(took.components.seconds))
      let scores = try SegmentationScores(tally, ScoringSettings(intervals: nil))
      check =
        scores[.miou].value
        ?? scores.samples.reduce(0) { $0 + ($1.iou ?? 0) + ($1.dice ?? 0) }
    }
    print(what + ": " + String(format: "%.3f s, check %.9f", best, check))
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
