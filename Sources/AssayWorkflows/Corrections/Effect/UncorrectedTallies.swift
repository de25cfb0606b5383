import AssayStore

/// The location of a run's counts with the imported ground truth, if only corrected samples were
/// evaluated with it: all others have the same counts with both.
struct UncorrectedTallies {
  /// The location of a sample's counts.
  enum Place: Hashable {
    /// Among those by the corrected truth.
    case judged(Int)
    /// Among those of the touched samples by the imported truth.
    case before(Int)

    /// Returns the counts there.
    func row<Row>(_ judged: (Int) -> Row, _ before: (Int) -> Row?) -> Row? {
      switch self {
      case .judged(let index): judged(index)
      case .before(let index): before(index)
      }
    }
  }

  /// The samples that both truths judge, as places by the corrected truth.
  private(set) var shared: [Int] = []
  /// Their counts by the imported truth, in the same order.
  private(set) var places: [Place] = []
  /// The counts of all samples that the imported truth judges, in the order of COCO's evaluation.
  private(set) var wholePlaces: [Place] = []
  /// Samples that only the corrected truth judges.
  private(set) var gained = 0

  /// - Parameters:
  ///   - judged: the samples by the corrected truth.
  ///   - before: the touched samples by the imported truth.
  ///   - touched: the samples that people corrected or left out.
  init(_ judged: [SampleRecord], _ before: [SampleRecord], touched: Set<Int64>) {
    var beforePlaces: [Int64: Int] = [:]
    for (place, sample) in before.enumerated() { beforePlaces[sample.id] = place }
    var whole: [Int64: Place] = [:]
    for (index, sample) in judged.enumerated() {
      let place: Place
      if !touched.contains(sample.id) {
        place = .judged(index)
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
    var samples = shared.map { judged[$0] }
    for (place, sample) in before.enumerated() where whole[sample.id] == nil {
      whole[sample.id] = .before(place)
      samples.append(sample)
    }
    wholePlaces = samples.inReferenceOrder.compactMap { whole[$0.id] }
  }
}

extension CorrectionEffect {
  /// Takes over how many samples either truth judges.
  mutating func take(_ side: UncorrectedTallies) {
    shared = side.shared.count
    gained = side.gained
  }
}
