package import AssayCore
package import AssayMetrics
package import AssayReports
package import AssayStore

/// Two detectors on their common samples, with the differences of all scores.
package struct DetectionPairing: TaskPairing {
  /// Both runs with their common samples, in the same order.
  package var first: EvaluatedRun<ObjectDetection>
  package var second: EvaluatedRun<ObjectDetection>
  package var comparison: DetectionComparison
  /// The objects that each detector found and missed.
  package var objects: ObjectChanges

  package func pooledDifference(_ scoring: ScoringSettings) throws -> Difference? {
    try PooledPrecision.compare(first.content.tally, second.content.tally, scoring)
  }

  /// The common samples.
  package var samples: [SampleRecord] { first.samples }

  /// The classes evaluated in both runs.
  package var classes: [String] { first.content.classes.names }

  /// The matching settings of both runs.
  package var matching: DetectionSettings { first.content.matching }

  /// The error counts of each run, over all scores or from the working score up.
  package func errorCounts(
    fromWorkingScore: Bool
  ) -> (first: ErrorCounts, second: ErrorCounts) {
    let score = fromWorkingScore ? matching.workingScore : nil
    return (ErrorCounts(first.errors, from: score), ErrorCounts(second.errors, from: score))
  }

  /// Objects that only the first detector found, and those that only the second found; highest
  /// score first.
  package var lost: [ObjectChange] { objects.lost }
  package var won: [ObjectChange] { objects.won }

  package var wrapped: ComparisonDetails { .detection(self) }

  package var differences: Differences {
    Differences(
      DetectionComparison.kinds(matching.overlap) + [.ece15],
      DetectionComparison.classKinds + ErrorScores.classKinds.filter { $0 != .support },
      names: classes, isNamed: true, overall: { comparison[$0] },
      perClass: { comparison.perClass($0) })
  }

  package var changes: (lost: Int, won: Int) { (lost.count, won.count) }
}

extension DetectionPairing {
  package var leadingMembers: [JSONValue.Member] {
    [
      .init("task", .string(ModelTask.detection.rawValue)), .init("n", JSONValue(samples.count)),
      .init("iou_type", .string(matching.overlap.rawValue)),
      .init(
        "working",
        [
          "iou": .number(matching.workingIoU), "score": .number(matching.workingScore),
        ]),
    ]
  }

  /// The outcomes per object.
  package var members: [JSONValue.Member] {
    [
      .init("error_counts", Self.json(errorCounts(fromWorkingScore: false))),
      .init("error_counts_from_score", Self.json(errorCounts(fromWorkingScore: true))),
      .init("objects", Self.json(objects.all)),
      .init(
        "objects_by_class",
        .array(
          classes.indices.map { category in
            Self.json(
              objects.classes[category], name: ("class", classes[category]),
              corrected: objects.classPValues[category])
          })),
      .init(
        "objects_by_size",
        .array(objects.sizes.map { Self.json($0.totals, name: ("size", $0.range.name)) })),
    ]
  }

  package var lostJSON: [JSONValue] { lost.map(object) }
  package var wonJSON: [JSONValue] { won.map(object) }

  private static func json(_ counts: (first: ErrorCounts, second: ErrorCounts)) -> JSONValue {
    .object(
      DetectionErrorKind.allCases.map { kind in
        let (a, b) = (counts.first.count(kind), counts.second.count(kind))
        return .init(
          kind.rawValue,
          ["a": JSONValue(a), "b": JSONValue(b), "difference": JSONValue(b - a)])
      })
  }

  private static func json(
    _ totals: PairedTotals, name: (key: String, value: String)? = nil, corrected: Double?? = nil
  ) -> JSONValue {
    var members: [JSONValue.Member] = []
    if let name { members.append(.init(name.key, .string(name.value))) }
    members += [
      .init("objects", JSONValue(totals.objects)),
      .init("found_by_both", JSONValue(totals.foundByBoth)),
      .init("regressions", JSONValue(totals.lost)), .init("improvements", JSONValue(totals.won)),
      .init("found_by_neither", JSONValue(totals.foundByNeither)),
      .init("images_with_more_regressions", JSONValue(totals.samplesLost)),
      .init("images_with_more_improvements", JSONValue(totals.samplesWon)),
      .init("p", .number(totals.test.pValue)),
    ]
    if let corrected { members.append(.init("p_holm", JSONValue(corrected))) }
    return .object(members)
  }

  private static func json(_ id: SourceID?) -> JSONValue {
    switch id {
    case .integer(let value): .integer(value)
    case .text(let value): .string(value)
    case nil: .null
    }
  }

  private func object(_ change: ObjectChange) -> JSONValue {
    let box = change.box
    return [
      "key": .string(samples[change.sample].key), "annotation": JSONValue(change.annotation),
      "source_id": Self.json(change.sourceID), "class": .string(classes[change.category]),
      "area": .number(change.area),
      "box": [.number(box.x), .number(box.y), .number(box.width), .number(box.height)],
      "a": json(change.first), "b": json(change.second),
    ]
  }

  private func json(_ answer: ObjectAnswer) -> JSONValue {
    [
      "outcome": .string(answer.outcome.rawValue), "detection": JSONValue(answer.prediction),
      "class": JSONValue(answer.category.map { classes[$0] }),
      "score": JSONValue(answer.confidence), "iou": JSONValue(answer.iou),
    ]
  }
}

extension DetectionPairing {
  /// The maximum number of images of each kind on a sheet.
  private static let pictureLimit = 48
  /// The length of an image's longer side, in pixels.
  private static let longest = 240

  package func changed(lost: Bool) -> [Int] {
    Set((lost ? self.lost : won).map(\.sample)).sorted()
  }

  package func changes(from first: String, to second: String) -> (worse: String, better: String) {
    ObjectDetection.changes(from: first, to: second)
  }

  package var sampleScores: ComparisonReport.Scores? {
    ComparisonReport.Scores(
      name: "recall in an image", isShare: true,
      pairs: objects.samples.map { .init($0.first, $0.second) })
  }

  package func titles(first: String, second: String) -> (lost: String, won: String) {
    ("regressions: found only by \(first)", "improvements: found only by \(second)")
  }

  package func legend(first: String, second: String) -> [(side: BoxOverlay.Side, name: String)] {
    [(.truth, "ground truth"), (.earlier, "A: \(first) (dashes)"), (.prediction, "B: \(second)")]
  }

  /// Each object with the answers of both runs.
  package func tiles(
    lost: Bool, of samples: [SampleRecord], _ dataset: DatasetRecord, in catalog: Catalog
  ) throws -> [ContactSheet.Tile] {
    let shown = (lost ? self.lost : won).prefix(Self.pictureLimit)
    return try ComparisonPictures.tiles(
      of: Array(shown), SampleImages(catalog: catalog, dataset: dataset),
      sample: { samples[$0.sample] }, read: { try objects($0.map(\.sample), in: catalog) }
    ) { change, objects, raster in
      let drawing = ObjectChangeDrawing(
        change: change, size: samples[change.sample].size, classes: classes,
        first: objects.first, second: objects.second, overlap: matching.overlap)
      return ContactSheet.Tile(
        raster: try drawing.drawn(over: raster, longest: Self.longest),
        caption: [drawing.caption, samples[change.sample].key], frame: lost ? .wrong : .right,
        key: samples[change.sample].key)
    }
  }

  private func objects(
    _ indices: [Int], in catalog: Catalog
  ) throws -> [(first: SampleObjects, second: SampleObjects)] {
    Array(
      zip(try first.objects(at: indices, in: catalog), try second.objects(at: indices, in: catalog))
    )
  }
}
