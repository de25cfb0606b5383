import AssayCore
import AssayMetrics

import AssayReports

/// A report on two images with cats and dogs, small enough to check by hand.
///
/// Four cats, two dogs. At the working score 5 detections count: 2 cats and 1 dog are correct, 1
/// cat is detected as a dog, 1 cat is detected on background; 1 cat and 1 dog are not found.
enum SmallObjectReport {
  static let size = ImageSize(width: 100, height: 80)

  static func line(_ iou: Double, _ precision: [Double]) -> PrecisionRecallLine {
    PrecisionRecallLine(iou: iou, precision: precision)
  }

  static func score(_ value: Double) -> Score {
    Score(
      value, interval: Interval(low: value - 0.05, high: value + 0.05, method: .bootstrap))
  }

  static func entry(
    _ name: String, truths: Int, ap: Double?, precision: Double?, recall: Double?,
    curves: [PrecisionRecallLine]
  ) -> DetectedClass {
    DetectedClass(
      name: name, truths: truths, ap: ap.map(score) ?? .undefined, ap50: Score(ap.map { $0 * 2 }),
      precision: Score(precision), recall: Score(recall), f1: Score(0.5), bestF1: Score(0.6),
      bestThreshold: Score(0.41), curves: curves)
  }

  static func mistake(
    truth: String?, prediction: String?, key: String = "7.jpg", name: String = "dog"
  ) -> DetectionMistake {
    let box = Box(x: 20, y: 20, width: 30, height: 20)
    return DetectionMistake(
      key: key, truth: truth, prediction: prediction, score: prediction.map { _ in 0.93 },
      iou: truth == nil || prediction == nil ? nil : 0.8125,
      picture: ObjectCutout(
        of: Raster(repeating: 90, width: 100, height: 80, channels: 3), frame: size,
        around: [box],
        objects: [
          .init(.truth, box: box, name: truth ?? ""),
          .init(.prediction, box: box, name: prediction ?? "", score: 0.93),
        ]))
  }

  static func report(
    names: [String] = ["cat", "dog", "owl"], key: String = "7.jpg"
  ) throws -> DetectionReport {
    let (cat, dog) = (names[0], names[1])
    let lines = [line(0.5, [1, 1, 0.5, 0.5, 0]), line(0.75, [1, 0, 0, 0, 0])]
    var report = DetectionReport(
      run: "r1", model: "tiny", view: "coco/val", matching: DetectionSettings(),
      counts: ObjectTotals(images: 2, truths: 6, detections: 9, counted: 5, right: 3),
      scores: [
        .ap: score(0.3), .ap50: score(0.6), .ap75: Score(0.2), .apSmall: Score(0.1),
        .apLarge: Score(0.5), .ar100: Score(0.4), .arSmall: Score(0.2), .vocAP: Score(0.58),
      ],
      classes: [
        entry(cat, truths: 4, ap: 0.25, precision: 0.667, recall: 0.5, curves: lines),
        entry(dog, truths: 2, ap: 0.35, precision: 0.5, recall: 0.5, curves: lines),
        entry(names[2], truths: 0, ap: nil, precision: nil, recall: nil, curves: []),
      ])
    report.curves = lines
    report.sizes = ["small": 4, "medium": 0, "large": 2]
    report.errors = [
      .init(
        kind: .class, count: 1, cost: score(0.06),
        mistakes: [mistake(truth: cat, prediction: dog, key: key)]),
      .init(kind: .place, count: 0, cost: Score(0)),
      .init(
        kind: .background, count: 3, cost: Score(0.02),
        mistakes: [mistake(truth: nil, prediction: cat, key: key)]),
      .init(
        kind: .missed, count: 2, cost: score(0.11),
        mistakes: [mistake(truth: dog, prediction: nil, key: key)]),
    ]
    // Rows cat, dog, owl, background.
    report.confusion = try ConfusionMatrix(
      classCount: 4, counts: [2, 1, 0, 1, 0, 1, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0])
    report.calibration = Calibration(confidences: [0.9, 0.8, 0.7, 0.6, 0.2]) { $0 < 3 }
    report.facts = [FactGroup("Run", [.init("date", "2026-01-31T12:00:00Z")])]
    return report
  }

  static func html(_ report: DetectionReport) throws -> String {
    String(decoding: try report.render().html, as: UTF8.self)
  }
}
