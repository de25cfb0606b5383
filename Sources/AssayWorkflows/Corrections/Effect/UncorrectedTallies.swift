import AssayStore

/// The location of a run's counts with the imported ground truth, if only corrected samples were
/// evaluated with it: all others have the same counts with both.
struct UncorrectedTallies {
  /// The location of a sample's counts.
  enum Place: Hashable {
    /// An index into the counts with the corrected ground truth.
    case evaluated(Int)
    /// An index into the counts of the touched samples with the imported ground truth.
    case before(Int)

    /// Returns the counts at this location.
    func row<Row>(_ evaluated: (Int) -> Row, _ before: (Int) -> Row?) -> Row? {
      switch self {
      case .evaluated(let index): evaluated(index)
      case .before(let index): before(index)
      }
    }
  }

  /// The samples that are evaluated with both ground truths, as indices into the corrected
  /// evaluation.
  private(set) var shared: [Int] = []
  /// The location of their counts with the imported ground truth, in the same order.
  private(set) var places: [Place] = []
  /// The location of the counts of all samples that are evaluated with the imported ground truth,
  /// in the order of COCO's evaluation.
  private(set) var wholePlaces: [Place] = []
  /// The number of samples that are evaluated only with the corrected ground truth.
  private(set) var gained = 0

  /// - Parameters:
  ///   - judged: the samples evaluated with the corrected ground truth.
  ///   - before: the touched samples evaluated with the imported ground truth.
  ///   - touched: the row ids of the samples that users corrected or excluded.
  init(_ evaluated: [SampleRecord], _ before: [SampleRecord], touched: Set<Int64>) {
    var beforePlaces: [Int64: Int] = [:]
    for (place, sample) in before.enumerated() { beforePlaces[sample.id] = place }
    var whole: [Int64: Place] = [:]
    for (index, sample) in evaluated.enumerated() {
      let place: Place
      if !touched.contains(sample.id) {
        place = .evaluated(index)
      } else if let earlier = beforePlaces[sample.id] {
        place = .before(earlier)
      } else {
        gained += 1
        continue
      }
      shared.append(index)
      places.append(place)
      whole[sample.id] = place
    }
    var samples = shared.map { evaluated[$0] }
    for (place, sample) in before.enumerated() where whole[sample.id] == nil {
      whole[sample.id] = .before(place)
      samples.append(sample)
    }
    wholePlaces = samples.inReferenceOrder.compactMap { whole[$0.id] }
  }
}

extension CorrectionEffect {
  /// Copies the numbers of samples that each ground truth can evaluate.
  mutating func take(_ side: UncorrectedTallies) {
    shared = side.shared.count
    gained = side.gained
  }
}
