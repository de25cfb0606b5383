import AssayCore
import AssayMetrics

import AssayReports

/// A report on three classes and eight samples, small enough to check by hand.
///
/// Ground truth 0 0 0 0 1 1 1 2, prediction 0 0 1 1 1 1 0 0: confusion [[2,2,0],[1,2,0],[1,0,0]].
enum SmallReport {
  static let truths = [0, 0, 0, 0, 1, 1, 1, 2]
  static let rows: [[Float]] = [
    [0.8, 0.1, 0.1], [0.6, 0.3, 0.1], [0.3, 0.6, 0.1], [0.1, 0.8, 0.1],
    [0.2, 0.7, 0.1], [0.05, 0.9, 0.05], [0.5, 0.4, 0.1], [0.9, 0.05, 0.05],
  ]

  static func scores(classCount: Int = 3, intervals: Bootstrap? = nil) throws
    -> ClassificationScores
  {
    var tally = try ClassificationTally(classCount: classCount)
    try tally.add(truths: truths, scores: rows.flatMap(\.self))
    return try ClassificationScores(tally, ScoringSettings(intervals: intervals))
  }

  /// A gray gradient with the given side that differs with `seed`.
  static func picture(_ seed: Int, side: Int = 8) -> Raster<UInt8> {
    var raster = Raster<UInt8>(repeating: 0, width: side, height: side)
    for y in 0..<side {
      for x in 0..<side { raster[x, y] = UInt8(truncatingIfNeeded: x * 31 + y * 7 + seed * 13) }
    }
    return raster
  }

  static func samplePicture(_ index: Int) -> SamplePicture {
    let row = rows[index]
    let confidence = row.max() ?? 0
    return SamplePicture(
      key: "row \(index)", raster: picture(index), truth: truths[index],
      predicted: row.firstIndex(of: confidence) ?? 0, confidence: Double(confidence))
  }

  static func report(
    classes: [String] = ["cat", "dog", "owl"], scores: ClassificationScores? = nil
  ) throws -> ClassificationReport {
    var report = ClassificationReport(
      run: "r1", model: "tiny", view: "pets/validation", classes: classes,
      scores: try scores ?? self.scores())
    let pictures = truths.indices.map(samplePicture)
    let cells = Dictionary(grouping: pictures) { $0.truth * 3 + $0.predicted }
    report.cells = cells.sorted { $0.key < $1.key }.map { key, pictures in
      .init(
        truth: key / 3, predicted: key % 3,
        pictures: pictures.sorted { ($0.confidence ?? 0) > ($1.confidence ?? 0) })
    }
    report.mistakes = pictures.filter { $0.truth != $0.predicted }
      .sorted { ($0.confidence ?? 0) > ($1.confidence ?? 0) }
    report.inputs = SeenInputs(
      recipe: "[1, 8, 8, 1] float32",
      samples: [
        .init(
          key: "row 0", original: picture(0),
          tensor: Raster(repeating: 0.5, width: 8, height: 8))
      ])
    report.means = classes.enumerated().map { index, name in
      .init(
        name: name, count: 2, mean: Raster(repeating: Double(index), width: 8, height: 8),
        deviation: Raster(repeating: 1, width: 8, height: 8))
    }
    report.facts = [FactGroup("Run", [.init("date", "2026-01-31T12:00:00Z")])]
    return report
  }

  static func html(_ report: ClassificationReport) throws -> String {
    String(decoding: try report.render().html, as: UTF8.self)
  }
}
