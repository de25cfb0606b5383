import AssayCore
import AssayMetrics

import AssayReports

/// A report on three classes and five samples, small enough to check by hand, at the threshold 0.5.
///
/// Sample 1 misses dog and adds owl, sample 2 adds cat and dog, sample 3 misses cat and adds owl; 0
/// and 4 are correct, and 4 has no class. TP 2 1 1, FP 1 1 2, FN 1 1 0 for cat, dog and owl.
enum SmallLabelReport {
  static let labels = [[0], [0, 1], [2], [0, 1], []]
  static let rows: [[Double]] = [
    [0.9, 0.2, 0.1], [0.5, 0.4, 0.7], [0.6, 0.8, 0.9], [0.3, 0.75, 0.6], [0.1, 0.1, 0.1],
  ]

  static func tally() throws -> MultiLabelTally {
    var tally = try MultiLabelTally(classCount: 3, precision: .double)
    try tally.add(labelSets: labels, scores: rows.flatMap(\.self))
    return tally
  }

  static func scores(
    _ tally: MultiLabelTally, thresholds: [Double]? = nil, intervals: Bootstrap? = nil
  ) throws -> MultiLabelScores {
    try MultiLabelScores(
      tally, try Self.thresholds(tally, thresholds), ScoringSettings(intervals: intervals))
  }

  static func thresholds(
    _ tally: MultiLabelTally, _ values: [Double]? = nil
  ) throws -> LabelThresholds {
    try values.map { try LabelThresholds(perClass: $0) }
      ?? LabelThresholds(classCount: tally.classCount)
  }

  static func report(
    classes: [String] = ["cat", "dog", "owl"], tally: MultiLabelTally? = nil,
    thresholds: [Double]? = nil, key: String = "sample", intervals: Bootstrap? = nil
  ) throws -> MultiLabelReport {
    let tally = try tally ?? Self.tally()
    var report = MultiLabelReport(
      run: "r1", model: "tiny", view: "pets/validation", classes: classes,
      scores: try scores(tally, thresholds: thresholds, intervals: intervals))
    let mistakes = LabelMistakes(tally, try Self.thresholds(tally, thresholds))
    report.confusions = mistakes.confusions
    report.pictures = mistakes.worst.map { sample in
      .init(
        key: "\(key) \(sample.index)", raster: SmallReport.picture(sample.index),
        labels: sample.evaluated.labels, predicted: sample.evaluated.predicted,
        scores: tally.row(sample.index))
    }
    report.facts = [FactGroup("Run", [.init("date", "2026-01-31T12:00:00Z")])]
    return report
  }

  /// Seeded samples with one to four of the classes, and scores that mostly agree with them.
  static func random(
    classCount: Int, count: Int, seed: UInt64 = 1
  ) throws -> MultiLabelTally {
    var generator = SplitMix64(seed: seed)
    var tally = try MultiLabelTally(classCount: classCount)
    for _ in 0..<count {
      // The square makes the first classes frequent and the last ones rare.
      let labels = (0..<Int.random(in: 1...4, using: &generator)).map { _ in
        let place = Double.random(in: 0..<1, using: &generator)
        return Int(place * place * Double(classCount))
      }
      let scores = (0..<classCount).map { category in
        let noise = Float.random(in: 0...0.6, using: &generator)
        return labels.contains(category) ? 1 - noise : noise * noise * 1.6
      }
      try tally.add(labels: labels, scores: scores)
    }
    return tally
  }

  static func html(_ report: MultiLabelReport) throws -> String {
    String(decoding: try report.render().html, as: UTF8.self)
  }
}
