/// The precision, recall and scores of every class in every area range with every detection limit:
/// the arrays of `COCOeval.eval` of pycocotools, with −1 where a class has no object that must be
/// found.
package struct PrecisionArrays: Sendable, Equatable {
  /// The lengths of the axes: IoU thresholds, recalls, classes, area ranges, detection limits.
  package let shape: [Int]
  /// By threshold, recall, class, area range, limit.
  package private(set) var precision: [Double]
  /// The minimum score of the detections that reach the recall, in the same order; 0 if none do.
  package private(set) var scores: [Double]
  /// By threshold, class, area range, limit.
  package private(set) var recall: [Double]

  /// - Complexity: O(*d*) for *d* detections and each detection limit.
  package init(_ tally: DetectionTally) {
    let settings = tally.settings
    let limits = settings.maxDetections.sorted()
    let (thresholds, recalls) = (settings.iouThresholds.count, ClassPrecision.recalls)
    let (classes, areas) = (tally.classCount, tally.columns.areaCount)
    shape = [thresholds, recalls, classes, areas, limits.count]
    let count = shape.reduce(1, *)
    precision = Array(repeating: -1, count: count)
    scores = Array(repeating: -1, count: count)
    recall = Array(repeating: -1, count: count / recalls)
    let parts = ClassParts(tally)
    let every = tally.matcher.thresholds.count
    var row = Array(repeating: 0.0, count: recalls)
    for category in 0..<classes where !parts[category].isEmpty {
      for (limit, most) in limits.enumerated() {
        let ranked = RankedClass(tally, parts[category], most: most)
        let curves = ClassCurves(ranked, tally, keepsPlaces: true)
        for area in 0..<areas where ranked.truths[area] > 0 {
          let steps = ClassCurves.steps(truths: ranked.truths[area])
          for threshold in 0..<thresholds {
            row.withUnsafeMutableBufferPointer {
              _ = curves.precision(area: area, threshold: threshold, steps: steps, $0)
            }
            let places = curves.places(area: area, threshold: threshold, steps: steps)
            for step in 0..<recalls {
              let slot =
                (((threshold * recalls + step) * classes + category) * areas + area) * limits.count
                + limit
              precision[slot] = row[step]
              scores[slot] = places[step].map(ranked.score) ?? 0
              // The first detection, right or wrong, reaches recall 0.
              if step == 0, !ranked.entries.isEmpty { scores[slot] = ranked.score(0) }
            }
            recall[((threshold * classes + category) * areas + area) * limits.count + limit] =
              Double(curves.found[area * every + threshold]) / Double(ranked.truths[area])
          }
        }
      }
    }
  }
}
