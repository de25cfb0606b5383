package import AssayCore

/// The differences between the errors of two runs on the same images: second − first, with
/// intervals from draws of the same images for both runs.
package struct ErrorComparison: Sendable {
  /// An object of the ground truth.
  package struct Place: Sendable, Hashable {
    /// The index of the image, in the order in which images were added.
    package var image: Int
    /// An index into the image's ground truth.
    package var truth: Int
  }

  package let first: ErrorScores
  package let second: ErrorScores
  /// The objects that only the first run finds at the working score, and those that only the second
  /// run finds.
  package let lost: [Place]
  package let won: [Place]
  private var numbers: [MetricKind: Difference] = [:]
  private var classNumbers: [MetricKind: [Difference]] = [:]

  /// The error types whose ΔAP differences have an interval. Classification and duplicate errors do
  /// not: small sets underestimate them, and intervals for 200 images with 80 classes covered the
  /// difference between a detector and one with a fifth of its errors in 28 % and 78 % of cases,
  /// the others in 76 to 96 % (measured).
  package static let boundedErrors: [DetectionErrorKind] = [.place, .both, .background, .missed]

  /// The difference of one of ``ErrorScores/kinds``.
  package subscript(kind: MetricKind) -> Difference {
    numbers[kind] ?? Difference(first: first[kind].value, second: second[kind].value)
  }

  /// The differences of one of ``ErrorScores/classKinds``; empty for other metrics.
  package func perClass(_ kind: MetricKind) -> [Difference] { classNumbers[kind] ?? [] }

  /// Compares two tallies with the same images in the same order.
  ///
  /// - Throws: ``MetricError/classMismatch(_:_:)``, ``MetricError/sampleMismatch(_:_:)``,
  ///   ``MetricError/truthMismatch(sample:)``; `CancellationError` if a worker was stopped.
  package init(
    _ firstTally: ErrorTally, _ secondTally: ErrorTally, score: Double? = nil,
    _ settings: ScoringSettings = ScoringSettings()
  ) throws {
    try Self.check(firstTally, secondTally)
    let plain = ScoringSettings(intervals: nil, workers: settings.workers)
    let score = score ?? firstTally.settings.workingScore
    first = try ErrorScores(firstTally, score: score, plain)
    second = try ErrorScores(secondTally, score: score, plain)
    let found = (
      Self.found(firstTally, from: score), Self.found(secondTally, from: score)
    )
    var (lost, won): ([Place], [Place]) = ([], [])
    for image in 0..<firstTally.count {
      let range = firstTally.truthStarts[image]..<firstTally.truthStarts[image + 1]
      for place in range where found.0[place] != found.1[place] {
        let place = (Place(image: image, truth: place - range.lowerBound), found.0[place])
        if place.1 { lost.append(place.0) } else { won.append(place.0) }
      }
    }
    (self.lost, self.won) = (lost, won)
    for kind in ErrorScores.classKinds {
      classNumbers[kind] = zip(first.perClass(kind), second.perClass(kind)).map {
        Difference(first: $0.value, second: $1.value)
      }
    }
    guard let bootstrap = settings.intervals, firstTally.count >= Bootstrap.leastSamples else {
      return
    }
    let draws = try [firstTally, secondTally].map {
      try ErrorReduction($0, workingScore: score, workers: settings.workers)
        .draws(bootstrap, hasCosts: true, workers: settings.workers)
    }
    for kind in Self.boundedErrors {
      numbers[kind.cost] = Difference(
        first: first.cost(kind).value, second: second.cost(kind).value,
        interval: PercentileInterval.of(
          zip(draws[0], draws[1]).map { $1.cost(kind) - $0.cost(kind) }))
    }
    for kind in ErrorReduction.Values.classKinds {
      for category in 0..<firstTally.classCount
      where classNumbers[kind]?[category].value != nil {
        classNumbers[kind]?[category].interval = PercentileInterval.of(
          zip(draws[0], draws[1]).lazy.map { first, second in
            guard let before = first.value(kind, category),
              let after = second.value(kind, category)
            else { return nil }
            return after - before
          })
      }
      classNumbers[kind] = classNumbers[kind]?.simultaneous()
    }
  }

  private static func check(_ first: ErrorTally, _ second: ErrorTally) throws(MetricError) {
    guard first.classCount == second.classCount else {
      throw .classMismatch(first.classCount, second.classCount)
    }
    guard first.count == second.count else { throw .sampleMismatch(first.count, second.count) }
    for image in 0..<first.count {
      let (old, new) = (first[image].truths, second[image].truths)
      let agree =
        old.count == new.count
        && zip(old, new).allSatisfy {
          $0.class == $1.class && ($0.outcome == .ignored) == ($1.outcome == .ignored)
        }
      guard agree else { throw .truthMismatch(sample: image) }
    }
  }

  /// Returns for each ground-truth object whether a detection with at least the given score finds
  /// it.
  private static func found(_ tally: ErrorTally, from score: Double) -> [Bool] {
    var found: [Bool] = []
    found.reserveCapacity(tally.truths.count)
    for image in 0..<tally.count {
      for truth in tally.truths[tally.truthStarts[image]..<tally.truthStarts[image + 1]] {
        found.append(
          truth.outcome == .found
            && tally.founds[tally.foundStarts[image] + Int(truth.found)].score >= score)
      }
    }
    return found
  }
}
