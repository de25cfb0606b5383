import AssayCore

/// Matches image after image, and reuses its memory.
struct ImageMatching {
  private let classCount: Int
  private var objects = ImageObjects()
  private var matching: ClassMatching
  private(set) var columns: MatchColumns

  init(_ matcher: DetectionMatcher, classCount: Int, keepsPairs: Bool = false) {
    self.classCount = classCount
    matching = ClassMatching(matcher, keepsPairs: keepsPairs)
    columns = matcher.emptyColumns
  }

  /// Matches one image whose objects `fill` appends; their positions identify them.
  mutating func match(
    truths: Int, founds: Int, _ parts: ClassMatching.Parts,
    _ fill: (inout ImageObjects) -> Void
  ) {
    objects.removeAll()
    fill(&objects)
    objects.forEachClass(below: classCount) { input in
      matching.match(input, parts, into: &columns)
    }
    columns.images.append(
      MatchColumns.Image(
        parts: columns.parts.count, results: columns.scores.count, hits: columns.hitTruths.count,
        truths: UInt32(clamping: truths), founds: UInt32(clamping: founds)))
  }
}

extension DetectionMatcher {
  /// Matches the detections of one image, as ``ImageMatches/init(truth:found:_:)`` does.
  ///
  /// - Throws: ``MetricError/ordinalOutOfRange(sample:ordinal:classes:)`` for an invalid class.
  package func matches(
    truth: [TruthObject], found: [FoundObject]
  ) throws(MetricError) -> ImageMatches {
    let classes = truth.lazy.map(\.class)
    let highest = max(classes.max() ?? 0, found.lazy.map(\.class).max() ?? 0)
    var matching = ImageMatching(
      self, classCount: min(highest, DetectionTally.classLimit - 1) + 1)
    try matching.match(
      truth: truth, found: found, image: 0,
      classCount: min(highest + 1, DetectionTally.classLimit), settings.overlap)
    return ImageMatches(matching.columns)
  }
}

extension ImageMatching {
  /// Matches one image.
  ///
  /// - Throws: ``MetricError/ordinalOutOfRange(sample:ordinal:classes:)``.
  mutating func match(
    truth: [TruthObject], found: [FoundObject], image: Int, classCount: Int, _ overlap: OverlapKind
  ) throws(MetricError) {
    let classes = 0..<classCount
    if let stranger = truth.first(where: { !classes.contains($0.class) })?.class
      ?? found.first(where: { !classes.contains($0.class) })?.class
    {
      throw .ordinalOutOfRange(sample: image, ordinal: stranger, classes: classCount)
    }
    let parts: ClassMatching.Parts =
      switch overlap {
      case .box: .boxes
      case .mask:
        .regions(
          ClassMatching.Regions(
            truth: { truth[Int($0)].mask }, found: { found[Int($0)].mask }))
      case .keypoints:
        .keypoints(
          ClassMatching.Keypoints(
            truth: { truth[Int($0)].keypoints }, found: { found[Int($0)].keypoints }))
      }
    match(truths: truth.count, founds: found.count, parts) { objects in
      for (place, object) in truth.enumerated() {
        objects.append(
          ImageObjects.Truth(
            class: Int32(object.class), place: UInt32(place), isCrowd: object.isCrowd,
            isIgnored: object.isIgnored, countsAsUnmatched: object.countsAsUnmatched,
            area: object.area, box: object.box))
      }
      for (place, object) in found.enumerated() {
        objects.append(
          ImageObjects.Found(
            class: Int32(object.class), place: UInt32(place), score: object.score,
            area: object.area, box: object.box))
      }
    }
  }
}
