import AssayCore

/// Compares the detections of one image with its ground truth: which detection finds which object,
/// and why the others are wrong.
struct ErrorMatching {
  private(set) var errors: ImageErrors
  private let overlaps: PairOverlaps
  /// True for objects that do not have to be found.
  private let isIgnored: [Bool]
  private let threshold: Double

  init(
    truth: [TruthObject], found: [FoundObject], _ matches: ImageMatches,
    _ settings: DetectionSettings
  ) {
    let evaluated = settings.areaRanges.first
    let isIgnored = truth.map {
      $0.isCrowd || $0.isIgnored || !(evaluated?.contains($0.area) ?? true)
    }
    self.isIgnored = isIgnored
    overlaps = PairOverlaps(truth: truth, found: found, settings.overlap)
    threshold = settings.workingIoU
    errors = ImageErrors(
      founds: found.map { object in
        ImageErrors.Found(
          class: Int32(clamping: object.class), mark: .ignored,
          sizes: settings.sizes(of: object.area), score: object.score)
      },
      truths: truth.enumerated().map { index, object in
        ImageErrors.Truth(
          class: Int32(clamping: object.class), outcome: isIgnored[index] ? .ignored : .missed,
          sizes: settings.sizes(of: object.area),
          area: Float(min(object.area, Double(Float.greatestFiniteMagnitude))))
      })
    // The matcher appends the working IoU to the thresholds if it is not one of them.
    let working =
      settings.iouThresholds.firstIndex {
        abs($0 - settings.workingIoU) <= DetectionMatcher.tolerance
      } ?? settings.iouThresholds.count
    for result in matches.results { set(result, working: UInt64(working)) }
    pair(from: settings.workingScore)
  }

  /// Explains the detections that find nothing, and pairs those with at least the working score
  /// with the remaining objects. Detections beyond the maximum number per class remain ignored.
  private mutating func pair(from score: Double) {
    // Objects found at the working score belong to the detections that find them.
    var free = isIgnored.map { !$0 }
    for index in errors.founds.indices
    where errors.founds[index].mark == .right && errors.founds[index].score >= score {
      errors.founds[index].confusedTruth = errors.founds[index].truth
      free[Int(errors.founds[index].truth)] = false
    }
    var row: [Double] = []
    for index in Self.ranked(errors.founds) where errors.founds[index].mark == .background {
      overlaps.fill(&row, of: index)
      explain(index, row)
      if errors.founds[index].score >= score { matchOtherClass(index, row, &free) }
    }
  }

  /// The detections that count, best first; ties in the given order.
  private static func ranked(_ founds: [ImageErrors.Found]) -> [Int] {
    let counted = founds.indices.filter { founds[$0].mark != .ignored }
    // In most files they are in order.
    let isInOrder = zip(counted, counted.dropFirst()).allSatisfy {
      founds[$0].score >= founds[$1].score
    }
    if isInOrder { return counted }
    return counted.sorted {
      let (a, b) = (founds[$0].score, founds[$1].score)
      return a == b ? $0 < $1 : a > b
    }
  }

  /// Applies the result of COCO's evaluation to a detection; those that find nothing remain
  /// background.
  private mutating func set(_ result: RankedResult, working: UInt64) {
    let index = result.found
    if result.ignored >> working & 1 == 0 {
      errors.founds[index].mark = result.matched >> working & 1 == 1 ? .right : .background
      if errors.founds[index].mark == .background { return }
    }
    guard let truth = result.truth else { return }
    errors.founds[index].truth = Int32(truth)
    errors.founds[index].overlap = Float(min(overlaps[index, truth], 1))
    if errors.founds[index].mark == .right {
      errors.truths[truth].outcome = .found
      errors.truths[truth].found = Int32(index)
    }
  }

  /// The same logic as tidecv's `_eval_image`.
  private mutating func explain(_ index: Int, _ overlaps: [Double]) {
    let category = errors.founds[index].class
    var same: (overlap: Double, truth: Int)?
    var other = same
    for place in errors.truths.indices where !isIgnored[place] {
      let overlap = overlaps[place]
      if errors.truths[place].class == category {
        if overlap > same?.overlap ?? -1 { same = (overlap, place) }
      } else {
        if overlap > other?.overlap ?? -1 { other = (overlap, place) }
      }
    }
    let background = ImageErrors.backgroundOverlap
    if let same, same.overlap >= background, same.overlap <= threshold {
      set(.place, index, same)
    } else if let other, other.overlap >= threshold {
      set(.class, index, other)
    } else if let same, same.overlap >= threshold {
      set(.duplicate, index, same)
    } else if let other, other.overlap > background {
      set(.both, index, other)
    }
  }

  private mutating func set(
    _ mark: ImageErrors.Mark, _ index: Int, _ about: (overlap: Double, truth: Int)
  ) {
    errors.founds[index].mark = mark
    errors.founds[index].truth = Int32(about.truth)
    errors.founds[index].overlap = Float(min(about.overlap, 1))
    guard mark == .class || mark == .place, errors.truths[about.truth].outcome == .missed else {
      return
    }
    // Detections are in descending order, so the first about an object is the one that is fixed.
    errors.founds[index].isFixable = true
    errors.truths[about.truth].outcome = .mistaken
    errors.truths[about.truth].found = Int32(index)
  }

  /// Pairs an unmatched detection, after all better ones, with the free object of another class
  /// that it overlaps most, if the overlap is at least the working IoU; ties go to the later
  /// object. A free object of its own class cannot overlap it as much: it would have been found.
  private mutating func matchOtherClass(
    _ index: Int, _ overlaps: [Double], _ free: inout [Bool]
  ) {
    var best = min(threshold, 1 - 1e-10)
    var match: Int?
    for place in free.indices where free[place] && overlaps[place] >= best {
      guard errors.truths[place].class != errors.founds[index].class else { continue }
      best = overlaps[place]
      match = place
    }
    guard let match else { return }
    free[match] = false
    errors.founds[index].confusedTruth = Int32(match)
  }
}

extension DetectionSettings {
  /// A bit for each of the first 32 area ranges that contain an area.
  fileprivate func sizes(of area: Double) -> UInt32 {
    var bits: UInt32 = 0
    for (place, range) in areaRanges.prefix(32).enumerated() where range.contains(area) {
      bits |= 1 << UInt32(place)
    }
    return bits
  }
}
