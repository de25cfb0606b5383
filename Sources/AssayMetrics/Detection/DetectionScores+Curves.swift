/// What is looked at beside the twelve numbers, made when it is asked for.
extension DetectionScores {
  /// Precision over recall; `nil` where the class has no object that must be found.
  ///
  /// - Parameters:
  ///   - threshold: a place in the settings' IoU thresholds; `nil` for the working IoU.
  ///   - area: a place in the settings' area ranges.
  ///   - most: the most detections of an image; `nil` for the settings' largest.
  /// - Complexity: O(*d*) for *d* detections; for several classes ask for them together.
  package func precisionRecall(
    class category: Int, threshold: Int? = nil, area: Int = 0, most: Int? = nil
  ) -> PrecisionRecallCurve? {
    curve(ClassParts(tally)[category], threshold: threshold, area: area, most: most)
  }

  /// The same of every class.
  package func precisionRecall(
    threshold: Int? = nil, area: Int = 0, most: Int? = nil
  ) -> [PrecisionRecallCurve?] {
    let parts = ClassParts(tally)
    return (0..<tally.classCount).map {
      curve(parts[$0], threshold: threshold, area: area, most: most)
    }
  }

  private func curve(
    _ rows: ArraySlice<ClassParts.Row>, threshold: Int?, area: Int, most: Int?
  ) -> PrecisionRecallCurve? {
    let threshold = threshold ?? tally.matcher.working
    let ranked = RankedClass(tally, rows, most: min(most ?? .max, tally.matcher.most))
    let truths = ranked.truths[area]
    guard truths > 0 else { return nil }
    let curves = ClassCurves(ranked, tally, keepsPlaces: true)
    let steps = ClassCurves.steps(truths: truths)
    var curve = PrecisionRecallCurve(
      precision: Array(repeating: 0, count: steps.count), scores: [],
      recall: Double(curves.found[area * tally.matcher.thresholds.count + threshold])
        / Double(truths),
      truths: truths)
    curve.precision.withUnsafeMutableBufferPointer {
      _ = curves.precision(area: area, threshold: threshold, steps: steps, $0)
    }
    curve.scores = curves.places(area: area, threshold: threshold, steps: steps).map { place in
      place.map(ranked.score) ?? 0
    }
    // The first detection, right or wrong, reaches recall 0.
    if !ranked.entries.isEmpty { curve.scores[0] = ranked.score(0) }
    return curve
  }

  /// The mean of the average precisions of all classes; `nil` where none is defined.
  ///
  /// - Parameters:
  ///   - threshold: a place in the settings' IoU thresholds; `nil` for the mean over all.
  ///   - most: the most detections of an image; `nil` for the settings' largest.
  package func averagePrecision(
    threshold: Int? = nil, area: Int = 0, most: Int? = nil
  ) throws -> Double? {
    try means(most).precision(area: area, range(threshold)).value
  }

  /// The same of each class.
  package func averagePrecisions(
    threshold: Int? = nil, area: Int = 0, most: Int? = nil
  ) throws -> [Double?] {
    try means(most).classes.map { $0.averagePrecision(area: area, range(threshold)) }
  }

  /// The mean of the recalls of all classes; `nil` where none is defined.
  package func averageRecall(
    threshold: Int? = nil, area: Int = 0, most: Int? = nil
  ) throws -> Double? {
    try means(most).recall(area: area, range(threshold)).value
  }

  private func means(_ most: Int?) throws -> ClassMeans {
    try ClassMeans(tally, most: min(most ?? .max, tally.matcher.most), nil, workers: 1)
  }

  private func range(_ threshold: Int?) -> Range<Int> {
    threshold.map { $0..<$0 + 1 } ?? tally.settings.iouThresholds.indices
  }
}
