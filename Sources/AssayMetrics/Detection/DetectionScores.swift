package import AssayCore

/// COCO's numbers of a tally, equal to the bit to pycocotools', and VOC's average precision.
///
/// A mean over classes leaves out those without objects that must be found, and is undefined where there is
/// no other. AP50, AP75 and the sizes are undefined where the settings have no such threshold or area range,
/// and AR1, AR10 and AR100 where they have no so large limit; all others are at the largest limit.
/// VOC's average precision is the area below the stepwise curve at the working IoU, of the same matches.
package struct DetectionScores: Sendable {
  package let tally: DetectionTally
  private var numbers: [MetricKind: Score] = [:]
  private var classNumbers: [MetricKind: [Score]] = [:]

  /// The keys with one number a run, and with one a class.
  package static let kinds: [MetricKind] = stats + [.vocAP]
  package static let classKinds: [MetricKind] = [.perCategoryAP, .perCategoryAP50]
  /// COCO's twelve numbers, in their order.
  package static let stats: [MetricKind] = [
    .ap, .ap50, .ap75, .apSmall, .apMedium, .apLarge, .ar1, .ar10, .ar100, .arSmall, .arMedium,
    .arLarge,
  ]

  /// - Parameter settings: intervals over images and threads; the rest is not looked at.
  /// - Complexity: O(*d*) for *d* detections, and as much for each draw of the bootstrap.
  package init(_ tally: DetectionTally, _ settings: ScoringSettings = ScoringSettings()) throws {
    self.tally = tally
    let plan = ScorePlan(tally.settings)
    let classes = try ClassMeans(tally, most: tally.matcher.most, plan, workers: settings.workers)
    for kind in Self.stats { numbers[kind] = classes.score(plan.parts[kind]) }
    numbers[.vocAP] = classes.vocAP
    for kind in Self.classKinds {
      classNumbers[kind] = classes.perClass(plan.parts[kind == .perCategoryAP ? .ap : .ap50])
    }
    guard let bootstrap = settings.intervals else { return }
    let intervals = try DetectionIntervals(
      [tally], scores: [self], bootstrap, workers: settings.workers)
    for kind in Self.kinds where numbers[kind]?.value != nil {
      numbers[kind]?.interval = intervals.numbers[kind]
    }
    for kind in Self.classKinds {
      guard let known = intervals.classNumbers[kind] else { continue }
      for category in known.indices where classNumbers[kind]?[category].value != nil {
        classNumbers[kind]?[category].interval = known[category]
      }
    }
  }

  /// The score under a key with one number a run; undefined under others.
  package subscript(kind: MetricKind) -> Score { numbers[kind] ?? .undefined }

  /// The scores under a key with one number a class; empty under others.
  package func perClass(_ kind: MetricKind) -> [Score] { classNumbers[kind] ?? [] }
}
