import AssayCore
import Testing

@testable import AssayMetrics

@Suite struct DetectionTallyTests {
  private static let plain = ScoringSettings(intervals: nil)

  /// Sets with three classes.
  private static func sets(_ kind: OverlapKind) throws -> [RandomCOCO] {
    try (UInt64(0)..<60).map { try RandomCOCO(seed: $0, kind) }.filter { $0.classCount == 3 }
  }

  @Test("Merging tallies is adding their images, and selecting takes them out again")
  func merging() throws {
    var merged = try DetectionTally(classCount: 3)
    var added = merged
    for set in try Self.sets(.box) {
      let tally = try set.tally()
      try merged.merge(tally)
      for image in set.images {
        try added.add(
          ImageMatches(truth: image.truth, found: image.found, DetectionSettings()))
      }
    }
    #expect(merged == added)
    #expect(merged.count > 20)
    let odd = stride(from: 1, to: merged.count, by: 2).map { $0 }
    let part = merged.selecting(odd)
    #expect(part.count == odd.count)
    for (place, index) in odd.enumerated() { #expect(part[place] == merged[index]) }
  }

  @Test(
    "Objects in columns, in any order of images, give what they give image by image",
    arguments: [OverlapKind.box, .mask])
  func columns(kind: OverlapKind) throws {
    let sets = try Self.sets(kind)
    let images = sets.flatMap(\.images)
    let tally = try DetectionTally.matching(
      classCount: 3, images: images.count, DetectionSettings(overlap: kind)
    ) { images[$0] }
    var random = SplitMix64(seed: 2)
    for isShuffled in [false, true] {
      let order = isShuffled ? images.indices.shuffled(using: &random) : Array(images.indices)
      var (truth, found) = (TruthColumns(), FoundColumns())
      var (truthMasks, foundMasks) = ([Mask?](), [Mask?]())
      for index in order {
        for object in images[index].truth {
          if object.countsAsUnmatched { truth.unmatched.insert(truth.images.count) }
          truth.images.append(Int32(index))
          truth.classes.append(Int32(object.class))
          truth.boxes.append(object.box)
          truth.areas.append(object.area)
          truth.isCrowd.append(object.isCrowd)
          truthMasks.append(object.mask)
        }
        for object in images[index].found {
          found.images.append(Int32(index))
          found.classes.append(Int32(object.class))
          found.scores.append(object.score)
          found.boxes.append(object.box)
          found.areas.append(object.area)
          foundMasks.append(object.mask)
        }
      }
      // Objects of no image or class are ignored.
      found.images += [-1, 0, 0]
      found.classes += [0, -1, 3]
      found.scores += [1, 1, 1]
      found.boxes += Array(repeating: Box(x: 0, y: 0, width: 9, height: 9), count: 3)
      found.areas += [81, 81, 81]
      let (masksOfTruth, masksOfFound) = (truthMasks, foundMasks)
      let other = try DetectionTally.matching(
        classCount: 3, images: images.count, truth: truth, found: found,
        masks: MaskColumns(truth: { masksOfTruth[$0] }, found: { masksOfFound[$0] }),
        DetectionSettings(overlap: kind), workers: 2)
      #expect(other == tally)
    }
  }

  @Test("Without areas a detection's is its box's, or its region's")
  func areas() throws {
    let size = ImageSize(width: 40, height: 40)
    let mask = Mask(fullOf: size)
    var found = FoundColumns()
    found.images = [0]
    found.classes = [0]
    found.scores = [0.5]
    found.boxes = [Box(x: 0, y: 0, width: 10, height: 10)]
    // 100 is small and 1,600 medium: wrong detections of another size are ignored.
    for (kind, medium) in [(OverlapKind.box, UInt32(0)), (.mask, 1)] {
      let tally = try DetectionTally.matching(
        classCount: 1, images: 1, truth: TruthColumns(), found: found,
        masks: MaskColumns(truth: { _ in nil }, found: { _ in mask }),
        DetectionSettings(overlap: kind))
      #expect(tally.columns.marks[0] >> 2 & 1 == medium)
    }
  }

  @Test("Tallies of other classes or settings do not mix")
  func mismatch() throws {
    var tally = try DetectionTally(classCount: 3)
    #expect(throws: MetricError.classMismatch(3, 2)) {
      try tally.merge(DetectionTally(classCount: 2))
    }
    var settings = DetectionSettings()
    settings.maxDetections = [5]
    #expect(throws: MetricError.settingsMismatch) {
      try tally.merge(DetectionTally(classCount: 3, settings))
    }
    let far = TruthObject(class: 3, box: Box(x: 0, y: 0, width: 1, height: 1), area: 1)
    #expect(throws: MetricError.ordinalOutOfRange(sample: 0, ordinal: 3, classes: 3)) {
      try tally.add(ImageMatches(truth: [far], found: [], DetectionSettings()))
    }
  }

  @Test("Nothing at all has no score")
  func nothing() throws {
    for classCount in [0, 2] {
      let scores = try DetectionScores(DetectionTally(classCount: classCount), Self.plain)
      for kind in DetectionScores.kinds(.box) {
        #expect(scores[kind] == Score(nil, defined: 0, total: classCount))
      }
      #expect(scores.perClass(.perCategoryAP) == Array(repeating: .undefined, count: classCount))
    }
  }

  @Test("Truth without detections has average precision and recall 0")
  func nothingFound() throws {
    let tally = try DetectionTally.matching(classCount: 1, images: 1) { _ in
      ([TruthObject(class: 0, box: Box(x: 0, y: 0, width: 9, height: 9), area: 81)], [])
    }
    let scores = try DetectionScores(tally, Self.plain)
    #expect(scores[.ap].value == 0)
    #expect(scores[.ar100].value == 0)
    #expect(scores[.vocAP].value == 0)
    #expect(scores[.apLarge].value == nil)
  }

  @Test("Numbers at thresholds and limits that are not matched at are undefined")
  func otherSettings() throws {
    var settings = DetectionSettings()
    settings.iouThresholds = [0.6]
    settings.maxDetections = [20]
    settings.areaRanges = [AreaRange("all", 0, 1e10)]
    let set = try RandomCOCO(seed: 3, .box)
    let images = set.images
    let tally = try DetectionTally.matching(
      classCount: set.classCount, images: images.count, settings
    ) { images[$0] }
    let scores = try DetectionScores(tally, Self.plain)
    #expect(scores[.ap].value != nil)
    #expect(scores[.ar1].value != nil)
    for kind in [MetricKind.ap50, .ap75, .apSmall, .arLarge, .ar100] {
      #expect(scores[kind].value == nil)
    }
  }
}
