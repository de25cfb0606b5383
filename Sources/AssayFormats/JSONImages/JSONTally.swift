import AssayCore
import Synchronization

/// Counts findings of many images that are told once, in a note.
///
/// The result does not depend on the order in which they are added.
final class JSONTally: Sendable {
  private struct Entry {
    var count: Int
    var first: String
  }

  private let entries = Mutex<[String: Entry]>([:])
  private static let limit = 1000

  /// Counts a finding.
  ///
  /// - Parameter text: the finding, the same for all images that have it.
  func add(_ text: String, _ place: String, count: Int = 1) {
    entries.withLock { entries in
      guard let known = entries[text] else {
        if entries.count < Self.limit { entries[text] = Entry(count: count, first: place) }
        return
      }
      entries[text] = Entry(
        count: known.count + count,
        first: SortedFiles.precedes(place, known.first) ? place : known.first)
    }
  }

  /// One sentence for each finding, without a period.
  var notes: [String] {
    entries.withLock { entries in
      entries.sorted { $0.key < $1.key }.map {
        "\($0.key): \($0.value.count) (first in \($0.value.first))"
      }
    }
  }
}
