import AssayCore
import Synchronization

/// The counts over all images, for the findings about the dataset as a whole.
///
/// The result does not depend on the order in which images are added.
struct CVATCounts: Sendable {
  enum Kind: Hashable, Comparable, Sendable {
    case cuboid
  }

  private var counts: [Kind: (count: Int, first: YOLOCounts.Place)] = [:]

  mutating func add(_ kind: Kind, file: String, line: Int) {
    add(kind, 1, YOLOCounts.Place(file: file, line: line))
  }

  mutating func add(_ other: CVATCounts) {
    for (kind, entry) in other.counts { add(kind, entry.count, entry.first) }
  }

  private mutating func add(_ kind: Kind, _ count: Int, _ place: YOLOCounts.Place) {
    if let known = counts[kind] {
      counts[kind] = (known.count + count, min(known.first, place))
    } else {
      counts[kind] = (count, place)
    }
  }

  /// The findings about the dataset as a whole, as issues.
  var issues: [Issue] {
    counts.sorted { $0.key < $1.key }.map { kind, entry in
      switch kind {
      case .cuboid:
        Issue(
          .unsupportedField, .warning, at: entry.first.location,
          "\(entry.count) \(entry.count == 1 ? "cuboid" : "cuboids"): kept as the outline in the "
            + "image, with the corners as an attribute")
      }
    }
  }
}

/// The counts of all workers.
final class CVATTally: Sendable {
  private let total = Mutex(CVATCounts())

  func add(_ counts: CVATCounts) { total.withLock { $0.add(counts) } }

  var counts: CVATCounts { total.withLock { $0 } }
}
