/// The matches of many images in flat columns.
struct MatchColumns: Sendable, Equatable {
  /// A class of an image that has objects or detections there.
  struct Part: Sendable, Equatable {
    var `class`: Int32
    /// The numbers of its detections, and of those that match an object.
    var results: UInt32
    var hits: UInt32
  }

  /// The end of an image in the columns, and the numbers of objects and detections given for it.
  struct Image: Sendable, Equatable {
    var parts: Int
    var results: Int
    var hits: Int
    var truths: UInt32
    var founds: UInt32
  }

  let areaCount: Int
  /// A bit for each threshold.
  let everyThreshold: UInt64
  var images: [Image] = []
  /// The parts by image, then class.
  var parts: [Part] = []
  /// The number of objects that must be found, for each part and area range.
  var countable: [UInt32] = []

  // One entry per detection, by part, highest score first.
  var scores: [Double] = []
  /// Positions in the image's detections as given.
  var founds: [UInt32] = []
  /// A bit for each area range that the detection is in, and ``isHit``.
  var marks: [UInt32] = []

  // One entry per detection that matches an object at any threshold and area range, in the order of
  // detections.
  /// One word per area range with a bit for each threshold at which it is matched, then as many
  /// words for those at which it is ignored.
  var hits: [UInt64] = []
  /// The object matched at the working IoU in the first area range, or ``none``.
  var hitTruths: [UInt32] = []
  /// The object matched in each area range at each threshold, or ``none``, by area range, then
  /// threshold; empty unless requested.
  var pairs: [UInt32] = []

  static let isHit: UInt32 = 1 << 31
  static let none = UInt32.max

  init(areaCount: Int, everyThreshold: UInt64) {
    self.areaCount = areaCount
    self.everyThreshold = everyThreshold
  }

  /// The number of ``pairs`` of a detection.
  var pairCount: Int { areaCount * everyThreshold.nonzeroBitCount }

  /// Returns whether both were matched with the same numbers of thresholds and area ranges.
  func hasForm(of other: MatchColumns) -> Bool {
    areaCount == other.areaCount && everyThreshold == other.everyThreshold
  }

  /// Returns the start of image `index`; `images.count` gives the end of all images.
  func start(_ index: Int) -> Image {
    index == 0 ? Image(parts: 0, results: 0, hits: 0, truths: 0, founds: 0) : images[index - 1]
  }

  /// Appends a range of images of another value, which has the same number of area ranges.
  mutating func append(_ other: MatchColumns, _ range: Range<Int>) {
    let (from, to) = (other.start(range.lowerBound), other.start(range.upperBound))
    let base = start(images.count)
    for image in other.images[range] {
      images.append(
        Image(
          parts: image.parts - from.parts + base.parts,
          results: image.results - from.results + base.results,
          hits: image.hits - from.hits + base.hits, truths: image.truths, founds: image.founds))
    }
    parts += other.parts[from.parts..<to.parts]
    countable += other.countable[from.parts * areaCount..<to.parts * areaCount]
    scores += other.scores[from.results..<to.results]
    founds += other.founds[from.results..<to.results]
    marks += other.marks[from.results..<to.results]
    hits += other.hits[from.hits * 2 * areaCount..<to.hits * 2 * areaCount]
    hitTruths += other.hitTruths[from.hits..<to.hits]
    guard !other.pairs.isEmpty else { return }
    pairs += other.pairs[from.hits * pairCount..<to.hits * pairCount]
  }

  /// The columns of image `index` alone.
  subscript(index: Int) -> MatchColumns {
    var image = MatchColumns(areaCount: areaCount, everyThreshold: everyThreshold)
    image.append(self, index..<index + 1)
    return image
  }
}

extension MatchColumns {
  /// All detections, one by one.
  var results: [RankedResult] {
    var results: [RankedResult] = []
    results.reserveCapacity(scores.count)
    var hit = 0
    for part in parts {
      for rank in 0..<Int(part.results) {
        let place = results.count
        var result = RankedResult(
          class: Int(part.class), found: Int(founds[place]), score: scores[place], rank: rank,
          matched: 0, ignored: 0)
        if marks[place] & Self.isHit != 0 {
          result.matched = hits[hit * 2 * areaCount]
          result.ignored = hits[hit * 2 * areaCount + areaCount]
          result.truth = hitTruths[hit] == Self.none ? nil : Int(hitTruths[hit])
          hit += 1
        } else if marks[place] & 1 == 0 {
          result.ignored = everyThreshold
        }
        results.append(result)
      }
    }
    return results
  }
}
