import AssayCore
import AssayMetrics
import AssayStore

/// Pairs the answers of two evaluated detectors for each object.
struct ObjectPairing {
  let catalog: Catalog

  /// The number of samples whose matches are in memory at a time.
  private static let chunk = 512

  /// - Parameters:
  ///   - first: the first run with the common samples; `second` has the same samples in the same
  ///     order.
  func pair(_ first: EvaluatedRun<ObjectDetection>, _ second: EvaluatedRun<ObjectDetection>) throws
    -> ObjectChanges
  {
    let rule = try MatchRule(first.matching)
    var changes = ObjectChanges(
      classCount: first.classes.names.count, ranges: first.matching.areaRanges)
    for start in stride(from: 0, to: first.samples.count, by: Self.chunk) {
      try Interruption.check("nothing was written")
      let indices = Array(start..<min(start + Self.chunk, first.samples.count))
      let truths = try truths(of: indices.map { first.samples[$0] }, classes: first.classes)
      let one = try first.matches(at: indices, in: catalog)
      let other = try second.matches(at: indices, in: catalog)
      for (place, index) in indices.enumerated() {
        changes.add(
          sample: index, truths[place], first: rule.answers(one[place]),
          second: rule.answers(other[place]))
      }
    }
    changes.finish()
    return changes
  }

  /// The ground-truth objects of some samples.
  private func truths(
    of samples: [SampleRecord], classes: DetectionClasses
  ) throws -> [[ObjectChanges.Truth]] {
    // Only boxes and areas are needed: no region is made if the source states both.
    let reading = ObjectReading(
      classes: classes, overlap: .box, takesBoxArea: true, isCompatible: false)
    var truths: [[ObjectChanges.Truth]] = samples.map { _ in [] }
    var wanting: [Int] = []
    func take(_ annotations: [AnnotationRecord], of index: Int) throws {
      let read = try reading.truths(annotations, of: samples[index])
      let ids = Dictionary(
        annotations.map { ($0.ordinal, $0.sourceID) }, uniquingKeysWith: { first, _ in first })
      truths[index] = zip(read.objects, read.ordinals).compactMap { object, ordinal in
        object.isCrowd
          ? nil
          : ObjectChanges.Truth(
            annotation: ordinal, sourceID: ids[ordinal] ?? nil, category: object.class,
            box: object.box, area: object.area)
      }
    }
    let ordinals = classes.evaluatedOrdinals
    let ids = samples.map(\.id)
    try catalog.forEachAnnotations(of: ids, categories: ordinals, geometry: false) {
      if $1.contains(where: reading.needsGeometry) {
        wanting.append($0)
      } else {
        try take($1, of: $0)
      }
    }
    try catalog.forEachAnnotations(of: wanting.map { ids[$0] }, categories: ordinals) {
      try take($1, of: wanting[$0])
    }
    return truths
  }
}

extension MatchRule {
  /// Creates the rule that queries and the confusion matrix also use.
  ///
  /// - Throws: ``EvaluationError/tooManyThresholds(_:limit:)``.
  init(_ settings: DetectionSettings) throws(EvaluationError) {
    let place = try MatchRows(settings).thresholds.firstIndex {
      abs($0 - settings.workingIoU) <= MatchRows.tolerance
    }
    self.init(bit: place.map { 1 << UInt64($0) } ?? 0, score: settings.workingScore)
  }
}
