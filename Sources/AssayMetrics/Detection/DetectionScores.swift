package import AssayCore

/// The COCO metrics of a tally, of boxes, regions or keypoints, bitwise equal to pycocotools', and VOC's average precision.
///
/// A mean over classes excludes those without objects that must be found, and is undefined if there
/// are no others. AP50, AP75 and the scores by size are undefined if the settings do not have the
/// threshold or area range, and AR1, AR10 and AR100 if they do not have a limit that large; all
/// others use the largest limit. VOC's average precision is the area under the stepwise curve at
/// the working IoU, with the same matches.
package struct DetectionScores: Sendable {
  package let tally: DetectionTally
  /// True if intervals were requested; if not, the scores still state which of them could not have
  /// one.
  package let makesIntervals: Bool
  /// The number of detections whose score equals that of another detection of their class, so that
  /// the order of images and results ranks them; AP depends on that order, as in the reference.
  package let tiedResults: Int
  private var numbers: [MetricKind: Score] = [:]
  private var classNumbers: [MetricKind: [Score]] = [:]

  /// The metrics with one value per class.
  package static let classKinds: [MetricKind] = [.perCategoryAP, .perCategoryAP50]
  /// COCO's 10 metrics of keypoints, in order.
  private static let keypointStats: [MetricKind] = [
    .ap, .ap50, .ap75, .apMedium, .apLarge, .ar, .ar50, .ar75, .arMedium, .arLarge,
  ]
  private static let objectStats = MetricKind.shown(.list, in: .detection)

  /// COCO's metrics for a kind of overlap, in order: the standard 12, or the 10 of keypoints.
  package static func stats(_ overlap: OverlapKind) -> [MetricKind] {
    overlap == .keypoints ? keypointStats : objectStats
  }

  /// The metrics with one value per run.
  package static func kinds(_ overlap: OverlapKind) -> [MetricKind] {
    overlap == .keypoints ? keypointStats : objectStats + [.vocAP]
  }

  /// The metrics of a decision, which are undefined without one.
  package static let decisionKinds: [MetricKind] = [.coverage, .selectiveRisk]

  package var stats: [MetricKind] { Self.stats(tally.settings.overlap) }
  package var kinds: [MetricKind] { Self.kinds(tally.settings.overlap) }

  /// The metrics that only one kind of overlap has: with another one they are not part of an
  /// evaluation.
  package static func isAbsent(_ kind: MetricKind, _ overlap: OverlapKind) -> Bool {
    everyKind.contains(kind) && !kinds(overlap).contains(kind)
  }

  private static let everyKind = Set(kinds(.box) + kinds(.keypoints))

  /// The metrics that are recalls; the others are average precisions, whose intervals are shifted.
  static let recalls: Set<MetricKind> = [
    .ar1, .ar10, .ar100, .arSmall, .arMedium, .arLarge, .ar, .ar50, .ar75,
  ]
  package static let shiftedKinds = everyKind.union(classKinds).subtracting(recalls)

  /// - Parameters:
  ///   - settings: the abstention rule is ignored.
  ///   - asReference: whether detection limits other than 1, 10 and 100 are used as in pycocotools:
  ///     AP is undefined if 100 is not one of them, and all other metrics use the third limit.
  /// - Complexity: O(*d*) for *d* detections, and as much for each draw of the bootstrap.
  package init(
    _ tally: DetectionTally, _ settings: ScoringSettings = ScoringSettings(),
    asReference: Bool = false
  ) throws {
    self.tally = tally
    makesIntervals = settings.intervals != nil
    let plan = ScorePlan(tally.settings, asReference: asReference)
    let classes = try ClassMeans(tally, most: plan.most, plan, workers: settings.workers)
    tiedResults = classes.tied
    for kind in stats { numbers[kind] = classes.score(plan.parts[kind]) }
    if let most = plan.mostOfAP {
      numbers[.ap] = try ClassMeans(tally, most: most, nil, workers: settings.workers)
        .score(plan.overall)
    }
    if kinds.contains(.vocAP) { numbers[.vocAP] = classes.vocAP }
    for kind in Self.classKinds {
      classNumbers[kind] = classes.perClass(
        kind == .perCategoryAP ? plan.overall : plan.parts[.ap50])
    }
    if let decision = settings.decision {
      let accepted = tally.accepted(by: decision)
      numbers[.coverage] = accepted.coverage(withInterval: makesIntervals)
      numbers[.selectiveRisk] = accepted.risk(withInterval: makesIntervals)
    }
    setMissing(classes, plan)
    guard let bootstrap = settings.intervals else { return }
    let intervals = try DetectionIntervals(
      [tally], scores: [self], bootstrap, workers: settings.workers)
    for kind in kinds where numbers[kind]?.value != nil && numbers[kind]?.missing == nil {
      numbers[kind]?.interval = intervals.numbers[kind]
    }
    for kind in Self.classKinds {
      guard let known = intervals.classNumbers[kind] else { continue }
      for (category, score) in (classNumbers[kind] ?? []).enumerated()
      where score.value != nil && score.missing == nil {
        classNumbers[kind]?[category].interval = known[category]
      }
    }
  }

  /// Sets which scores have too few images or objects for an interval, whether or not intervals are
  /// computed.
  private mutating func setMissing(_ classes: ClassMeans, _ plan: ScorePlan) {
    let few = tally.count < Bootstrap.leastSamples ? MissingInterval.samples(tally.count) : nil
    func objects(_ area: Int) -> [Int] { classes.classes.map { $0.truths[area] } }
    for kind in kinds where numbers[kind]?.value != nil {
      let area: Int =
        switch plan.parts[kind] {
        case .precision(let area, _), .recall(let area): area
        case .limitedRecall, .recallAt, nil: 0
        }
      numbers[kind]?.missing =
        few ?? ClassSupport.missing(ofMean: objects(area).map { $0 > 0 ? $0 : nil })
    }
    for kind in Self.classKinds {
      for (category, count) in objects(0).enumerated()
      where classNumbers[kind]?[category].value != nil {
        classNumbers[kind]?[category].missing = few ?? ClassSupport.missing(ofClass: count)
      }
    }
  }

  /// The score of a metric with one value per run; undefined for other metrics.
  package subscript(kind: MetricKind) -> Score { numbers[kind] ?? .undefined }

  /// The scores of a metric with one value per class; empty for other metrics.
  package func perClass(_ kind: MetricKind) -> [Score] { classNumbers[kind] ?? [] }
}

/// Curves and averages beyond the 12 standard COCO metrics, computed on request.
extension DetectionScores {
  /// Precision over recall; `nil` if the class has no object that must be found.
  ///
  /// - Parameters:
  ///   - threshold: an index into the settings' IoU thresholds; `nil` for the working IoU.
  ///   - area: an index into the settings' area ranges.
  ///   - most: the maximum number of detections per image; `nil` for the settings' largest.
  /// - Complexity: O(*d*) for *d* detections; for several classes compute them in one call.
  package func precisionRecall(
    class category: Int, threshold: Int? = nil, area: Int = 0, most: Int? = nil
  ) -> PrecisionRecallCurve? {
    curve(ClassParts(tally)[category], threshold: threshold, area: area, most: most)
  }

  /// The curves of all classes.
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

  /// The mean of the average precisions of all classes; `nil` if none is defined.
  ///
  /// - Parameters:
  ///   - threshold: an index into the settings' IoU thresholds; `nil` for the mean over all.
  ///   - most: the maximum number of detections per image; `nil` for the settings' largest.
  package func averagePrecision(
    threshold: Int? = nil, area: Int = 0, most: Int? = nil
  ) throws -> Double? {
    try means(most).precision(area: area, range(threshold)).value
  }

  /// The average precision of each class.
  package func averagePrecisions(
    threshold: Int? = nil, area: Int = 0, most: Int? = nil
  ) throws -> [Double?] {
    try means(most).classes.map { $0.averagePrecision(area: area, range(threshold)) }
  }

  /// The mean of the recalls of all classes; `nil` if none is defined.
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
