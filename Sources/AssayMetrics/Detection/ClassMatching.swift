import AssayCore

/// Matches the detections of one class in one image to the ground truth; reused for one image after
/// another.
///
/// Source: `evaluateImg` of pycocotools' cocoeval.py. It loops over thresholds, detections and
/// objects; here a detection matches its objects at all thresholds in one step, best overlap first,
/// as bits of a word.
struct ClassMatching {
  /// The functions that return the regions of an image's objects, by their positions as given;
  /// `nil` for no region.
  struct Regions {
    var truth: (UInt32) -> Mask?
    var found: (UInt32) -> Mask?
    /// True if a detection's area is that of its region.
    var giveAreas = false
  }

  /// The functions that return the keypoints of an image's objects, by their positions as given;
  /// `nil` for none.
  struct Keypoints {
    var truth: (UInt32) -> ObjectKeypoints?
    var found: (UInt32) -> [Double]?
  }

  /// The parts of objects that are compared besides their boxes.
  enum Parts {
    case boxes
    case regions(Regions)
    case keypoints(Keypoints)
  }

  /// An object that a detection overlaps sufficiently at some threshold.
  private struct Candidate {
    var truth: Int
    var overlap: Double
    /// A bit for each threshold that the overlap reaches.
    var reached: UInt64
  }

  /// An object of the class.
  private struct Object {
    var box: Box
    var area: Double
    var isCrowd: Bool
    var countsAsUnmatched: Bool
    /// A bit for each area range in which it does not have to be found.
    var ignored: UInt32
    var place: UInt32
  }

  private let matcher: DetectionMatcher
  private let areaCount: Int
  private let everyThreshold: UInt64
  private let everyRange: UInt32
  private var objects: [Object] = []
  private var objectRegions: [ObjectOverlap.Region?] = []
  private var objectKeypoints: [ObjectKeypoints?] = []
  private var similarity = KeypointSimilarity()
  /// A bit per threshold at which the object is matched, for each object and area range.
  private var taken: [UInt64] = []
  private var candidates: [Candidate] = []
  /// True if an overlap is NaN: the reference then accepts that object and every later one.
  private var hasNaN = false
  /// True if a ground-truth box of the class is not finite.
  private var hasOddBox = false
  /// The overlaps with all objects, if one of them is NaN.
  private var overlaps: [Double] = []
  /// The thresholds at which the detection is matched, then those at which it is ignored, for each
  /// area range.
  private var words: [UInt64]
  /// The object that the detection matches, by area range and threshold; empty unless requested.
  private var pairs: [UInt32]

  /// - Parameter keepsPairs: whether the columns also receive the object matched at each threshold.
  init(_ matcher: DetectionMatcher, keepsPairs: Bool = false) {
    self.matcher = matcher
    pairs =
      keepsPairs
      ? Array(repeating: MatchColumns.none, count: matcher.emptyColumns.pairCount) : []
    areaCount = matcher.areaCount
    everyThreshold = matcher.allThresholds
    everyRange = 1 << UInt32(matcher.areaCount) - 1
    words = Array(repeating: 0, count: 2 * matcher.areaCount)
  }

  /// Matches one class and appends the result.
  mutating func match(
    _ input: ImageObjects.OfClass, _ parts: Parts, into columns: inout MatchColumns
  ) {
    let results = min(input.foundPlaces.count, matcher.most)
    let firstHit = columns.hitTruths.count
    setObjects(input, &columns)
    // Regions are expensive to obtain: only if something can overlap.
    objectRegions.removeAll(keepingCapacity: true)
    objectKeypoints.removeAll(keepingCapacity: true)
    if results > 0 { take(parts) }
    for place in input.foundPlaces.prefix(results) {
      let found = input.founds[Int(place)]
      var area = found.area
      switch parts {
      case .boxes: findCandidates(found.box)
      case .keypoints(let keypoints):
        findCandidates(objects.isEmpty ? nil : keypoints.found(found.place))
      case .regions(let regions):
        let needed = !objects.isEmpty || regions.giveAreas
        let region = needed ? regions.found(found.place).map(ObjectOverlap.Region.init) : nil
        if regions.giveAreas { area = Double(region?.area ?? 0) }
        findCandidates(region)
      }
      var mark = matcher.ranges(of: area)
      if !candidates.isEmpty, let truth = hasNaN ? takeInOrder(ranges: mark) : take(ranges: mark) {
        mark |= MatchColumns.isHit
        columns.hits += words
        columns.hitTruths.append(truth)
        columns.pairs += pairs
      }
      columns.scores.append(found.score)
      columns.founds.append(found.place)
      columns.marks.append(mark)
    }
    columns.parts.append(
      MatchColumns.Part(
        class: input.class, results: UInt32(results),
        hits: UInt32(columns.hitTruths.count - firstHit)))
  }

  /// Reads the regions or keypoints of the class's objects.
  private mutating func take(_ parts: Parts) {
    for object in objects {
      switch parts {
      case .boxes: return
      case .regions(let regions):
        objectRegions.append(regions.truth(object.place).map(ObjectOverlap.Region.init))
      case .keypoints(let keypoints): objectKeypoints.append(keypoints.truth(object.place))
      }
    }
  }

  private mutating func setObjects(
    _ input: ImageObjects.OfClass, _ columns: inout MatchColumns
  ) {
    objects.removeAll(keepingCapacity: true)
    hasOddBox = false
    let firstCount = columns.countable.count
    for _ in 0..<areaCount { columns.countable.append(0) }
    for place in input.truthPlaces {
      let truth = input.truths[Int(place)]
      let ignored = matcher.ignoredRanges(
        of: truth.area, isIgnored: truth.isCrowd || truth.isIgnored)
      for area in 0..<areaCount where ignored >> UInt32(area) & 1 == 0 {
        columns.countable[firstCount + area] += 1
      }
      if !truth.box.isFinite { hasOddBox = true }
      objects.append(
        Object(
          box: truth.box, area: truth.area, isCrowd: truth.isCrowd,
          countsAsUnmatched: truth.countsAsUnmatched,
          ignored: ignored, place: truth.place))
    }
    taken.removeAll(keepingCapacity: true)
    taken.append(contentsOf: repeatElement(0, count: objects.count * areaCount))
  }

  private mutating func findCandidates(_ box: Box) {
    candidates.removeAll(keepingCapacity: true)
    hasNaN = false
    if hasOddBox || !box.isFinite { return findOddCandidates(box) }
    for index in objects.indices {
      consider(
        index, ObjectOverlap.boxes(box, objects[index].box, isCrowd: objects[index].isCrowd))
    }
  }

  private mutating func findOddCandidates(_ box: Box) {
    overlaps = objects.map {
      ObjectOverlap.boxesOfAnyNumbers(box, $0.box, isCrowd: $0.isCrowd)
    }
    hasNaN = overlaps.contains(where: \.isNaN)
    for (index, overlap) in overlaps.enumerated() {
      if overlap.isNaN {
        candidates.append(Candidate(truth: index, overlap: 0, reached: everyThreshold))
      } else {
        consider(index, overlap)
      }
    }
  }

  private mutating func findCandidates(_ region: ObjectOverlap.Region?) {
    candidates.removeAll(keepingCapacity: true)
    hasNaN = false
    guard let region else { return }
    for (index, other) in objectRegions.enumerated() {
      guard let other else { continue }
      consider(
        index, ObjectOverlap.regions(region, other, isCrowd: objects[index].isCrowd))
    }
  }

  private mutating func findCandidates(_ keypoints: [Double]?) {
    candidates.removeAll(keepingCapacity: true)
    hasNaN = false
    guard let keypoints else { return }
    for (index, other) in objectKeypoints.enumerated() {
      guard let other else { continue }
      consider(
        index,
        similarity.of(keypoints, other, box: objects[index].box, area: objects[index].area))
    }
  }

  @inline(__always)
  private mutating func consider(_ object: Int, _ overlap: Double) {
    // NaN is excluded too: boxes whose area overflows.
    guard overlap >= matcher.lowestFloor else { return }
    var reached: UInt64 = 0
    for (place, floor) in matcher.floors.enumerated() where overlap >= floor {
      reached |= 1 << UInt64(place)
    }
    candidates.append(Candidate(truth: object, overlap: overlap, reached: reached))
  }

  /// Matches the detection to the best unmatched candidate, at each threshold and in each area
  /// range, and sets `words`.
  ///
  /// - Returns: the object it matches at the working IoU in the first area range, or
  ///   ``MatchColumns/none``; `nil` if it matches none at all.
  private mutating func take(ranges: UInt32) -> UInt32? {
    // The best overlap first; of equal ones the later object.
    if candidates.count > 1 {
      candidates.reverse()
      candidates.sortByInsertion { $0.overlap < $1.overlap }
    }
    var takesAny = false
    var working = MatchColumns.none
    forgetPairs()
    for area in 0..<areaCount {
      var (matched, ignored) = (UInt64(0), UInt64(0))
      var open = everyThreshold
      // Objects that must be found come first, regardless of the overlap.
      for isIgnored in [UInt32(0), 1] {
        for candidate in candidates {
          let object = objects[candidate.truth]
          guard object.ignored >> UInt32(area) & 1 == isIgnored else { continue }
          let slot = candidate.truth * areaCount + area
          let taking = candidate.reached & open & (object.isCrowd ? everyThreshold : ~taken[slot])
          if taking == 0 { continue }
          open &= ~taking
          taken[slot] |= taking
          takesAny = true
          if !pairs.isEmpty { keepPair(object.place, area, taking) }
          if !object.countsAsUnmatched { matched |= taking }
          if isIgnored == 1 { ignored |= taking }
          if area == 0, taking >> UInt64(matcher.working) & 1 == 1 { working = object.place }
        }
      }
      // An unmatched detection outside the area range is ignored.
      if ranges >> UInt32(area) & 1 == 0 { ignored |= everyThreshold & ~matched }
      words[area] = matched
      words[areaCount + area] = ignored
    }
    return takesAny ? working : nil
  }

  private mutating func forgetPairs() {
    for place in pairs.indices { pairs[place] = MatchColumns.none }
  }

  private mutating func keepPair(_ object: UInt32, _ area: Int, _ thresholds: UInt64) {
    for threshold in 0..<everyThreshold.nonzeroBitCount
    where thresholds >> UInt64(threshold) & 1 == 1 {
      pairs[area * everyThreshold.nonzeroBitCount + threshold] = object
    }
  }

  /// The same, step by step as in the reference, if an overlap is NaN: no overlap compares as below
  /// it.
  private mutating func takeInOrder(ranges: UInt32) -> UInt32? {
    var takesAny = false
    var working = MatchColumns.none
    forgetPairs()
    for area in 0..<areaCount {
      var (matched, ignored) = (UInt64(0), UInt64(0))
      let isIgnored = { (object: Object) in object.ignored >> UInt32(area) & 1 == 1 }
      let order =
        objects.indices.filter { !isIgnored(objects[$0]) }
        + objects.indices.filter { isIgnored(objects[$0]) }
      for (threshold, floor) in matcher.floors.enumerated() {
        let bit: UInt64 = 1 << UInt64(threshold)
        var best = floor
        var match: Int?
        for index in order {
          let object = objects[index]
          if taken[index * areaCount + area] & bit != 0, !object.isCrowd { continue }
          if let match, !isIgnored(objects[match]), isIgnored(object) { break }
          if overlaps[index] < best { continue }
          best = overlaps[index]
          match = index
        }
        guard let match else { continue }
        takesAny = true
        if !pairs.isEmpty { keepPair(objects[match].place, area, bit) }
        taken[match * areaCount + area] |= bit
        if !objects[match].countsAsUnmatched { matched |= bit }
        if isIgnored(objects[match]) { ignored |= bit }
        if area == 0, threshold == matcher.working { working = objects[match].place }
      }
      if ranges >> UInt32(area) & 1 == 0 { ignored |= everyThreshold & ~matched }
      words[area] = matched
      words[areaCount + area] = ignored
    }
    return takesAny ? working : nil
  }
}

extension Box {
  /// True if all four numbers and their sum are finite.
  fileprivate var isFinite: Bool { (x + y + width + height).isFinite }
}

extension Array {
  /// Sorts a small number of elements in a stable order.
  fileprivate mutating func sortByInsertion(_ isAfter: (Element, Element) -> Bool) {
    for next in indices.dropFirst() {
      let element = self[next]
      var slot = next
      while slot > 0, isAfter(self[slot - 1], element) {
        self[slot] = self[slot - 1]
        slot -= 1
      }
      self[slot] = element
    }
  }
}
