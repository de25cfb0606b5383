/// The detections of one class, best first, in the form that weighted sums need, and its objects.
struct ErrorRanking: Sendable {
  /// One detection: the image's index in the high bits, its kind in the low bits.
  typealias Step = UInt32

  enum StepFlag {
    static let kinds: Step = 0xF
    /// The last of equal scores that include a correct detection.
    static let endsTie: Step = 0x10
    static let imageShift: Step = 5
  }

  /// The kind of a detection in the ranking of a class. The error types are numbered as in
  /// ``ImageErrors/Mark``.
  enum Kind {
    static let right = Step(ImageErrors.Mark.right.rawValue)
    /// A localization error; correct once it is fixed.
    static let placeFixable = Step(ImageErrors.Mark.allCases.count)
    /// A detection of another class; of this one once its error is fixed.
    static let visitor = placeFixable + 1
    static let count = Int(visitor) + 1
  }

  /// The maximum number of images: their indices share 32 bits with the kind.
  static let imageLimit = 1 << 27

  /// The detections in descending order of score; ties in the order of the images.
  private(set) var steps: [Step]
  /// One score per step.
  let scores: [Double]
  /// The image of each object that must be found.
  let truths: [UInt32]
  /// The image of each missed object.
  let missed: [UInt32]
  /// The numbers of steps of three kinds.
  private(set) var rightCount = 0
  private(set) var visitorCount = 0
  private(set) var placeFixableCount = 0

  /// The rankings of all classes.
  ///
  /// - Complexity: O(*detections*).
  static func all(of tally: ErrorTally, workers: Int) throws -> [ErrorRanking] {
    let parts = ErrorColumns(tally)
    return try IndexedWork.map(tally.classCount, workers: workers) { parts.ranking($0) }
  }

  /// - Parameters:
  ///   - steps: in the order of the images, and of their detections.
  ///   - scores: one per step.
  init(
    steps: ArraySlice<Step>, scores: ArraySlice<Double>, truths: [UInt32], missed: [UInt32]
  ) {
    var entries = zip(scores, steps).enumerated().map { place, entry in
      RankedClass.Entry(score: entry.0, image: UInt32(place), payload: entry.1)
    }
    RadixSort.sort(&entries)
    self.steps = entries.map(\.payload)
    self.scores = entries.map { scores[scores.startIndex + Int($0.image)] }
    self.truths = truths
    self.missed = missed
    markTies()
    for step in self.steps {
      switch step & StepFlag.kinds {
      case Kind.right: rightCount += 1
      case Kind.visitor: visitorCount += 1
      case Kind.placeFixable: placeFixableCount += 1
      default: break
      }
    }
  }

  /// The index of the first step with a lower score.
  func place(below score: Double) -> Int {
    var (low, high) = (0, scores.count)
    while low < high {
      let middle = low + (high - low) / 2
      if scores[middle] < score { high = middle } else { low = middle + 1 }
    }
    return low
  }

  private mutating func markTies() {
    var last: Int?
    var hasRight = false
    for index in steps.indices where steps[index] & StepFlag.kinds != Kind.visitor {
      if let last, scores[last] != scores[index] {
        if hasRight { steps[last] |= StepFlag.endsTie }
        hasRight = false
      }
      hasRight = hasRight || steps[index] & StepFlag.kinds == Kind.right
      last = index
    }
    if let last, hasRight { steps[last] |= StepFlag.endsTie }
  }
}

/// A tally's detections and objects grouped by class, each class in the original order.
private struct ErrorColumns: Sendable {
  private var steps: [ErrorRanking.Step]
  private var scores: [Double]
  private var starts: [Int]
  private var truths: [[UInt32]]
  private var missed: [[UInt32]]

  init(_ tally: ErrorTally) {
    (steps, scores) = ([], [])
    truths = Array(repeating: [], count: tally.classCount)
    missed = truths
    starts = Array(repeating: 0, count: tally.classCount + 1)
    for image in 0..<tally.count {
      for truth in tally.truths[tally.truthStarts[image]..<tally.truthStarts[image + 1]]
      where truth.outcome != .ignored {
        truths[Int(truth.class)].append(UInt32(image))
        if truth.outcome == .missed { missed[Int(truth.class)].append(UInt32(image)) }
      }
    }
    Self.forEachStep(tally) { category, _, _ in starts[category + 1] += 1 }
    for category in 0..<tally.classCount { starts[category + 1] += starts[category] }
    let total = starts[tally.classCount]
    var ends = starts
    var scores = Array(repeating: 0.0, count: total)
    steps = Array(unsafeUninitializedCapacity: total) { steps, count in
      scores.withUnsafeMutableBufferPointer { scores in
        Self.forEachStep(tally) { category, step, score in
          steps.initializeElement(at: ends[category], to: step)
          scores[ends[category]] = score
          ends[category] += 1
        }
      }
      count = total
    }
    self.scores = scores
  }

  func ranking(_ category: Int) -> ErrorRanking {
    let range = starts[category]..<starts[category + 1]
    return ErrorRanking(
      steps: steps[range], scores: scores[range], truths: truths[category],
      missed: missed[category])
  }

  @inline(__always)
  private static func forEachStep(
    _ tally: ErrorTally, _ body: (_ category: Int, _ step: ErrorRanking.Step, Double) -> Void
  ) {
    for image in 0..<tally.count {
      let place = ErrorRanking.Step(image) << ErrorRanking.StepFlag.imageShift
      for found in tally.founds[tally.foundStarts[image]..<tally.foundStarts[image + 1]]
      where found.mark != .ignored {
        let kind =
          found.isFixable && found.mark == .place
          ? ErrorRanking.Kind.placeFixable : ErrorRanking.Step(found.mark.rawValue)
        body(Int(found.class), place | kind, found.score)
        if found.isFixable, found.mark == .class {
          let truth = tally.truths[tally.truthStarts[image] + Int(found.truth)]
          body(Int(truth.class), place | ErrorRanking.Kind.visitor, found.score)
        }
      }
    }
  }
}
