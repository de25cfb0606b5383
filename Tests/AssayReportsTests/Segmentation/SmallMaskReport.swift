import AssayCore
import AssayMetrics

import AssayReports

/// A report on three images of 10 × 10 pixels, small enough to check by hand.
///
/// Ground truth and prediction in pixels: first 20 and 20, 10 in both (IoU 10/30, Dice 20/40);
/// second 20 and 20, all in both (1, 1); third both empty (undefined).
enum SmallMaskReport {
  static let size = ImageSize(width: 10, height: 10)

  static func rows(_ y: Int, _ height: Int) -> Mask {
    Mask(box: Box(x: 0, y: Double(y), width: 10, height: Double(height)), size: size)
  }

  static let pairs: [(truth: Mask, prediction: Mask)] = [
    (rows(0, 2), rows(1, 2)), (rows(4, 2), rows(4, 2)), (Mask(emptyOf: size), Mask(emptyOf: size)),
  ]

  static func tally(name: String = "person", copies: Int = 1) throws -> SegmentationTally {
    var tally = SegmentationTally(labels: SegmentationLabels(foreground: name))
    for _ in 0..<copies {
      for (truth, prediction) in pairs {
        try tally.add(
          SegmentedSample(truth: truth, predicted: prediction, void: nil, boundary: true))
      }
    }
    return tally
  }

  static func report(
    name: String = "person", key: String = "a", copies: Int = 1, bootstrap: Bootstrap? = nil
  ) throws -> SegmentationReport {
    let tally = try tally(name: name, copies: copies)
    let scores = try SegmentationScores(tally, ScoringSettings(intervals: bootstrap))
    let rows = scores.samples.enumerated().map { index, sample in
      SegmentedRow(
        key: "\(key)\(index)", scores: sample, uncertainty: Double(index % 3) / 4,
        centerOffset: index % 3 == 2 ? nil : 0.125)
    }
    var report = SegmentationReport(
      run: "r1", model: "tiny", view: "coco/val", scores: scores, rows: rows)
    report.baseline = SegmentationBaseline(tally)
    report.all = [0, 1, 2, 0, 1].map { index in
      EvaluatedImage(
        row: rows[index], raster: Raster(repeating: 90, width: 10, height: 10, channels: 3),
        content: .masks(
          truth: pairs[index].truth, prediction: pairs[index].prediction, void: nil))
    }
    report.sweep = SweepCurve(
      setting: "threshold",
      places: [(0.4, 0.5), (0.5, 0.75), (0.6, 0.75)].map { value, iou in
        .init(value: value, iou: Score(iou), dice: Score(2 * iou / (1 + iou)))
      }, current: 0.4)
    report.facts = [FactGroup("Run", [.init("date", "2026-01-31T12:00:00Z")])]
    return report
  }

  /// Three labels on one image of 2 × 2 pixels: background, road and sky; a road pixel is predicted
  /// as sky, and one pixel is void.
  static func severalClasses(names: [String] = ["road", "sky"]) throws -> SegmentationReport {
    let labels = try SegmentationLabels(names: ["background"] + names, hasBackground: true)
    var tally = SegmentationTally(labels: labels)
    // Rows ground truth, columns prediction: road → road 1, road → sky 1, sky → sky 1.
    try tally.add(
      SegmentedSample(confusion: [0, 0, 0, 0, 1, 1, 0, 0, 1], boundary: [], void: 1))
    let scores = try SegmentationScores(tally, ScoringSettings(intervals: nil))
    let rows = [SegmentedRow(key: "street", scores: scores.samples[0])]
    var report = SegmentationReport(
      run: "r2", model: "tiny", view: "streets", scores: scores, rows: rows)
    report.baseline = SegmentationBaseline(tally)
    var truth = Raster<UInt8>(repeating: 1, width: 2, height: 2)
    truth[0, 1] = 2
    truth[1, 1] = LabelMap.void
    var prediction = truth
    prediction[1, 0] = 2
    prediction[1, 1] = 0
    report.all = [
      EvaluatedImage(
        row: rows[0], raster: Raster(repeating: 90, width: 2, height: 2, channels: 3),
        content: .labels(truth: truth, prediction: prediction))
    ]
    return report
  }

  static func html(_ report: SegmentationReport) throws -> String {
    String(decoding: try report.render().html, as: UTF8.self)
  }
}
