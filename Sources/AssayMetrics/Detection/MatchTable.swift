/// The matches of many images as rows, at every IoU threshold in every area range: what
/// `COCOeval.evalImgs` of pycocotools has.
package struct MatchTable: Sendable, Equatable {
  /// The number of area ranges, and of the settings' IoU thresholds.
  package let areas: Int
  package let thresholds: Int

  // One entry per detection that counts: by image, class, then descending score.
  /// The row in the columns of detections.
  package private(set) var founds: [Int32] = []
  package private(set) var foundImages: [Int32] = []
  package private(set) var foundClasses: [Int32] = []
  package private(set) var scores: [Double] = []
  /// The row of the object that it matches, −1 for none: by detection, area range, threshold.
  package private(set) var matches: [Int32] = []
  /// True if the detection is neither right nor wrong, in the same order.
  package private(set) var isIgnored: [Bool] = []

  // One entry per object that is evaluated, by image, then as given.
  /// The row in the columns of the ground truth.
  package private(set) var truths: [Int32] = []
  package private(set) var truthImages: [Int32] = []
  package private(set) var truthClasses: [Int32] = []
  /// True if the object does not have to be found: by object, area range.
  package private(set) var isTruthIgnored: [Bool] = []

  /// - Parameters:
  ///   - tally: made of these columns, with its pairs.
  ///   - truth: the columns that the tally was made of.
  package init(_ tally: DetectionTally, truth: TruthColumns, found: FoundColumns) {
    areas = tally.columns.areaCount
    thresholds = tally.settings.iouThresholds.count
    let classes = 0..<Int32(clamping: tally.classCount)
    let truthRows = ImageGroups(truth.images, truth.classes, images: tally.count, classes: classes)
    let foundRows = ImageGroups(found.images, found.classes, images: tally.count, classes: classes)
    for image in 0..<tally.count {
      for place in truthRows.range(of: image) {
        let row = truthRows[place]
        truths.append(Int32(row))
        truthImages.append(Int32(image))
        truthClasses.append(truth.classes[row])
        let ignored = tally.matcher.ignoredRanges(
          of: truth.areas[row],
          isIgnored: truth.isCrowd[row] || !truth.isIgnored.isEmpty && truth.isIgnored[row])
        for area in 0..<areas { isTruthIgnored.append(ignored >> UInt32(area) & 1 == 1) }
      }
      add(
        tally.columns, image, truthRows: { truthRows[truthRows.range(of: image).lowerBound + $0] },
        foundRows: { foundRows[foundRows.range(of: image).lowerBound + $0] })
    }
  }

  /// Adds the detections of an image.
  private mutating func add(
    _ columns: MatchColumns, _ image: Int, truthRows: (Int) -> Int, foundRows: (Int) -> Int
  ) {
    let every = columns.everyThreshold.nonzeroBitCount
    let start = columns.start(image)
    var (result, hit) = (start.results, start.hits)
    for part in columns.parts[start.parts..<columns.images[image].parts] {
      for _ in 0..<part.results {
        founds.append(Int32(foundRows(Int(columns.founds[result]))))
        foundImages.append(Int32(image))
        foundClasses.append(part.class)
        scores.append(columns.scores[result])
        let mark = columns.marks[result]
        let isHit = mark & MatchColumns.isHit != 0
        for area in 0..<areas {
          let ignored: UInt64 =
            isHit
            ? columns.hits[(hit * 2 + 1) * areas + area]
            : mark >> UInt32(area) & 1 == 0 ? .max : 0
          for threshold in 0..<thresholds {
            let object =
              isHit
              ? columns.pairs[hit * columns.pairCount + area * every + threshold]
              : MatchColumns.none
            matches.append(object == MatchColumns.none ? -1 : Int32(truthRows(Int(object))))
            isIgnored.append(ignored >> UInt64(threshold) & 1 == 1)
          }
        }
        result += 1
        hit += isHit ? 1 : 0
      }
    }
  }
}
