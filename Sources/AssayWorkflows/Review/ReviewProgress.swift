import AssayCore
package import AssayStore
package import Foundation

/// The progress of a review, by author and day.
package struct ReviewProgress: Sendable {
  /// The work of one author on one day.
  package struct Row: Hashable, Sendable {
    /// The day, `2026-11-21`; `nil` if the entries do not state it.
    package var day: String?
    package var author: String
    /// The number of samples with the author's last decision on that day, by state.
    package var counts = ReviewCounts()
    /// The number of all saved entries, including those that were undone.
    package var entries = 0
    /// Active time in seconds; `nil` if no entry states it.
    package var seconds: Double?
    /// The median time spent per sample in seconds; `nil` if no entry states it.
    package var median: Double?

    package init(day: String?, author: String) {
      self.day = day
      self.author = author
    }
  }

  package var review: ReviewRecord
  package var counts: ReviewCounts
  /// The parts of the people to whom samples are assigned.
  package var parts: [PersonPart]
  /// The rows, by day, then by author.
  package var rows: [Row]
  /// The median time in seconds spent on each decided sample; `nil` if no entry states it.
  package var median: Double?
  /// The time zone of the days: `Europe/Berlin`.
  package var timeZone: String

  /// - Parameters:
  ///   - catalog: a catalog that was opened with the corrections.
  ///   - ledger: the ledger; `nil` if there is none.
  ///   - timeZone: the time zone that defines the days.
  /// - Throws: `StoreError`, `LedgerError`.
  package init(
    of review: ReviewRecord, catalog: Catalog, ledger: Ledger?, in timeZone: TimeZone = .current
  ) throws {
    let queue = try ReviewQueue(catalog: catalog, review: review)
    self.init(
      queue: queue, activity: try ledger?.activity(in: review.dataset.name) ?? [], in: timeZone)
  }

  package init(
    queue: ReviewQueue, activity: [LedgerActivity], in timeZone: TimeZone = .current
  ) {
    review = queue.review
    counts = queue.counts
    parts = queue.parts
    self.timeZone = timeZone.identifier
    var states: [Tally.Version: ReviewState] = [:]
    var items: [String: ReviewQueue.Item] = [:]
    for item in queue.items(from: 0, limit: .max) {
      items[item.sample.key] = item
      states[Tally.Version(key: item.sample.key)] = item.state
    }
    var tally = Tally(days: LocalDays(timeZone))
    for entry in activity {
      guard let item = items[entry.key] else { continue }
      if let name = entry.independent {
        guard name == review.name else { continue }
        let version = Tally.Version(key: entry.key, author: entry.author)
        let state = queue.state(of: item, for: entry.author)
        states[version] = state
        tally.add(entry, version, to: state)
      } else {
        tally.add(entry, Tally.Version(key: entry.key), to: item.state)
      }
    }
    (rows, median) = tally.result(states)
  }
}

/// Groups entries by author and day.
private struct Tally {
  /// A sample, or one person's independent version of it.
  struct Version: Hashable {
    var key: String
    var author: String?
  }

  private struct Place: Hashable {
    var day: String?
    var author: String
  }

  private struct Sample {
    var seconds: [String: Double] = [:]
    var decided: Place?
    var last: Place?
  }

  let days: LocalDays
  private var rows: [Place: ReviewProgress.Row] = [:]
  private var samples: [Version: Sample] = [:]

  init(days: LocalDays) { self.days = days }

  mutating func add(_ entry: LedgerActivity, _ version: Version, to state: ReviewState) {
    // A tag is no work on the ground truth.
    if CorrectionKind(rawValue: entry.kind)?.isSampleEdit == true { return }
    let place = Place(day: entry.time.flatMap(days.day), author: entry.author)
    var row = rows[place] ?? ReviewProgress.Row(day: place.day, author: place.author)
    row.entries += 1
    if let seconds = entry.seconds { row.seconds = (row.seconds ?? 0) + seconds }
    rows[place] = row
    var sample = samples[version] ?? Sample()
    sample.last = place
    if entry.decides(state.status) { sample.decided = place }
    if let seconds = entry.seconds { sample.seconds[entry.author, default: 0] += seconds }
    samples[version] = sample
  }

  func result(_ states: [Version: ReviewState]) -> (rows: [ReviewProgress.Row], median: Double?) {
    var rows = rows
    var spent: [Place: [Double]] = [:]
    var all: [Double] = []
    for (key, sample) in samples {
      guard let state = states[key], state.status != .open,
        let place = sample.decided ?? sample.last
      else { continue }
      rows[place]?.counts.add(state)
      if let seconds = sample.seconds[place.author] { spent[place, default: []].append(seconds) }
      if !state.status.isLeft, !sample.seconds.isEmpty {
        // In a fixed order, because a sum of Doubles depends on it.
        all.append(
          sample.seconds.sorted { $0.key < $1.key }.reduce(0) { $0 + $1.value })
      }
    }
    for (place, seconds) in spent { rows[place]?.median = Self.median(seconds) }
    let sorted = rows.values.sorted {
      ($0.day ?? "", $0.author) < ($1.day ?? "", $1.author)
    }
    return (sorted, Self.median(all))
  }

  /// The median; for an even count the mean of the middle two; `nil` if there are none.
  private static func median(_ numbers: [Double]) -> Double? {
    guard !numbers.isEmpty else { return nil }
    let sorted = numbers.sorted()
    let middle = sorted.count / 2
    return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
  }
}

extension LedgerActivity {
  /// Returns whether an entry puts a sample in this state.
  fileprivate func decides(_ status: ReviewStatus) -> Bool {
    switch (CorrectionKind(rawValue: kind), status) {
    case (.accept?, .done), (.unsure?, .unsure), (.skip?, .skipped), (.reject?, .leftOut),
      (.bad?, .leftOut):
      true
    default: isDone && (status == .done || status == .leftOut)
    }
  }
}
