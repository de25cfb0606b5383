import AssayCore

/// A tally's rankings, prepared for sums with any weights of its images.
struct ErrorReduction: Sendable {
  /// One ranking per class.
  let rankings: [ErrorRanking]
  /// The values with each image counted once.
  let plain: Values
  private let images: Int
  private let workingScore: Double

  init(_ tally: ErrorTally, workingScore: Double, workers: Int) throws {
    let rankings = try ErrorRanking.all(of: tally, workers: workers)
    self.rankings = rankings
    self.workingScore = workingScore
    images = tally.count
    let once = Array(repeating: SIMD8<UInt8>(repeating: 1), count: images)
    let sums = try IndexedWork.map(rankings.count, workers: workers) {
      ErrorSums(rankings[$0], once, workingScore: workingScore)
    }
    plain = Values(sums, lane: 0)
  }

  /// The values of every draw.
  ///
  /// - Parameter hasCosts: whether ΔAP values are computed; else they are 0.
  /// - Complexity: O(*draws* · *detections*).
  func draws(_ bootstrap: Bootstrap, hasCosts: Bool, workers: Int) throws -> [Values] {
    let lanes = DrawWeights.lanes
    // Classes that do not occur need no values in any draw.
    let kept = rankings.indices.filter {
      !rankings[$0].steps.isEmpty || !rankings[$0].truths.isEmpty
    }
    var places = Array(repeating: Int32(-1), count: rankings.count)
    for (place, category) in kept.enumerated() { places[category] = Int32(place) }
    let keptPlaces = places
    let blocks = try IndexedWork.map((bootstrap.draws + lanes - 1) / lanes, workers: workers) {
      block in
      let weights = DrawWeights(samples: images, seed: bootstrap.seed, block: block).counts
      let sums = kept.map {
        ErrorSums(rankings[$0], weights, workingScore: workingScore, hasCosts: hasCosts)
      }
      return (0..<lanes).map { Values(sums, lane: $0, places: keptPlaces) }
    }
    return Array(blocks.joined().prefix(bootstrap.draws))
  }

  /// The values for one set of weights.
  struct Values: Sendable {
    /// The average precision without changes, then with each error type fixed; by class. NaN if
    /// undefined.
    private let averagePrecisions: [[Double]]
    private let means: [Double?]
    private let bestF1: [Double]
    private let right: [Double]
    private let counted: [Double]
    private let truths: [Double]
    /// The position of each class in the arrays, −1 for none; `nil` if they contain all classes.
    private let places: [Int32]?

    init(_ sums: [ErrorSums], lane: Int, places: [Int32]? = nil) {
      self.places = places
      averagePrecisions = (0..<FixedCurves.count).map { variant in
        sums.map { $0.averagePrecisions[variant][lane] }
      }
      means = averagePrecisions.map { $0.lazy.filter { !$0.isNaN }.mean() }
      bestF1 = sums.map { $0.bestF1[lane] }
      right = sums.map { $0.right[lane] }
      counted = sums.map { $0.counted[lane] }
      truths = sums.map { $0.truths[lane] }
    }

    /// The mean over classes with an object; `nil` if there are none.
    var averagePrecision: Double? { means[0] }

    private static func variant(_ kind: DetectionErrorKind) -> Int {
      1 + (DetectionErrorKind.allCases.firstIndex(of: kind) ?? 0)
    }

    /// The ΔAP of an error type; 0 if there is nothing to compare, or nothing to gain.
    func cost(_ kind: DetectionErrorKind) -> Double {
      guard let now = means[0], let fixed = means[Self.variant(kind)] else { return 0 }
      return max(fixed - now, 0)
    }

    /// The ΔAP by class in its own average precision, if the values contain all classes; `nil` for
    /// a class without an object, or with none left.
    func classCosts(_ kind: DetectionErrorKind) -> [Double?] {
      zip(averagePrecisions[0], averagePrecisions[Self.variant(kind)]).map { now, fixed in
        now.isNaN || fixed.isNaN ? nil : max(fixed - now, 0)
      }
    }

    static let classKinds: [MetricKind] = [.bestF1, .precision, .recall, .f1]

    /// The value of one of ``classKinds``.
    func value(_ kind: MetricKind, _ category: Int) -> Double? {
      let place = places.map { Int($0[category]) } ?? category
      guard place >= 0 else { return nil }
      let value: Double =
        switch kind {
        case .bestF1: bestF1[place]
        case .precision: right[place] / counted[place]
        case .recall: right[place] / truths[place]
        case .f1: 2 * right[place] / (counted[place] + truths[place])
        default: .nan
        }
      return value.isNaN ? nil : value
    }
  }
}
