/// An oddity of a file: its count, and its first location.
package struct OddityCount: Hashable, Sendable {
  package var oddity: COCOOddity
  package var count: Int
  /// The JSON pointer of the first one, `/annotations/17/area`; `nil` if it concerns the file.
  package var pointer: String?
  /// The value found there, a few words: `image_id 999`; empty if the pointer is sufficient.
  package var detail: String

  /// Its count and name: `3 results of unknown images`.
  package var name: String {
    pointer == nil
      ? oddity.words.one : "\(count) \(count == 1 ? oddity.words.one : oddity.words.many)"
  }

  /// One clause: `3 results of unknown images: left out (first: /17/image_id, image_id 999)`.
  package var text: String {
    let place = [pointer, detail.isEmpty ? nil : detail].compactMap(\.self).joined(separator: ", ")
    return "\(name): \(oddity.words.rule)"
      + (place.isEmpty ? "" : count == 1 ? " (\(place))" : " (first: \(place))")
  }
}

/// The counts of a file's oddities, with the location of the first of each.
package struct OddityCounts: Sendable {
  private struct Entry {
    var count: Int
    /// The index in the list; `nil` if it concerns the file.
    var place: Int?
    var member: String
    var detail: String

    func isBefore(_ other: Entry) -> Bool { (place ?? -1) < (other.place ?? -1) }
  }

  private var entries: [COCOOddity: Entry] = [:]

  package init() {}

  package var isEmpty: Bool { entries.isEmpty }

  /// The number of occurrences of an oddity.
  package subscript(oddity: COCOOddity) -> Int { entries[oddity]?.count ?? 0 }

  /// Counts one occurrence.
  ///
  /// - Parameters:
  ///   - place: the index in the list that ``COCOOddity/list`` names; the first one of each oddity
  ///     is reported.
  ///   - member: the member of the element, as a pointer: `/score`.
  package mutating func note(
    _ oddity: COCOOddity, at place: Int?, _ member: String = "",
    _ detail: @autoclosure () -> String = ""
  ) {
    add(oddity, Entry(count: 1, place: place, member: member, detail: ""), detail)
  }

  /// Counts more occurrences without their locations.
  mutating func count(_ oddity: COCOOddity, _ more: Int = 1) {
    entries[oddity, default: Entry(count: 0, place: nil, member: "", detail: "")].count += more
  }

  private mutating func add(_ oddity: COCOOddity, _ entry: Entry, _ detail: () -> String) {
    guard let known = entries[oddity] else {
      entries[oddity] = entry
      entries[oddity]?.detail = detail()
      return
    }
    if entry.isBefore(known) {
      entries[oddity] = entry
      entries[oddity]?.detail = detail()
    }
    entries[oddity]?.count = known.count + entry.count
  }

  /// Adds the oddities found in a part of the list that starts at an index.
  package mutating func merge(_ other: OddityCounts, at start: Int = 0) {
    for (oddity, entry) in other.entries {
      var moved = entry
      moved.place = entry.place.map { $0 + start }
      add(oddity, moved) { entry.detail }
    }
  }

  /// All of them, in the order of ``COCOOddity``.
  ///
  /// - Parameter isWrapped: whether the results are a member `annotations` of an object.
  package func findings(isWrapped: Bool = false) -> [OddityCount] {
    COCOOddity.allCases.compactMap { oddity in
      entries[oddity].map { entry in
        let list = oddity.list ?? (isWrapped ? "/annotations" : "")
        return OddityCount(
          oddity: oddity, count: entry.count,
          pointer: entry.place.map { "\(list)/\($0)\(entry.member)" }, detail: entry.detail)
      }
    }
  }
}
