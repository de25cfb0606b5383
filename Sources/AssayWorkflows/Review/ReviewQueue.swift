import AssayCore
package import AssayStore
import Synchronization

/// A review's samples with their states; completed samples are no longer in the queue.
///
/// Safe to use from several threads. The list itself is frozen; only the states of samples change:
/// the code that saves a correction calls ``update(_:to:)``, and ``refresh(_:)`` reads entries that
/// other processes wrote to the ledger.
package final class ReviewQueue: Sendable {
  /// A sample of the queue.
  package struct Item: Hashable, Sendable {
    /// The 0-based position in the review's list, including samples that have left the queue.
    package var position: Int
    package var sample: SampleRecord
    /// The score that determines its position, larger first; `nil` in a random order.
    package var score: Double?
    /// The reason for the position, in words.
    package var reason: String
    package var state: ReviewState
    /// The people to whom it is assigned, sorted; empty if it is assigned to nobody.
    package var people: [String] = []
    /// True if each of these people corrects it independently.
    package var isShared = false

    /// Returns whether a person can get it: it belongs to the person, or to nobody.
    package func isFor(_ author: String) -> Bool { people.isEmpty || people.contains(author) }
  }

  package let review: ReviewRecord
  /// The samples that are still in the dataset, in the order of the list.
  private let listed: [ReviewItem]
  /// The index in `listed` of each sample id.
  private let places: [Int64: Int]
  private let progress: Mutex<Progress>

  private struct Progress {
    var states: [ReviewState]
    var counts = ReviewCounts()
    /// The states of the independent versions of shared samples, by sample and author.
    var versions: [Int64: [String: ReviewState]] = [:]
    /// The last ledger entry that the states include.
    var sequence: Int64
  }

  /// Reads a review and the states of its samples.
  ///
  /// - Parameters:
  ///   - catalog: a catalog that was opened with the corrections.
  ///   - marks: the review states of the samples of the review's dataset; `nil` to read them.
  /// - Throws: `StoreError`.
  package convenience init(
    catalog: Catalog, review: ReviewRecord, marks: ReviewMarks? = nil
  ) throws {
    self.init(
      review: review, items: try catalog.reviewItems(of: review.id),
      marks: try marks ?? catalog.reviewMarks(of: review.dataset.id))
  }

  /// - Parameters:
  ///   - items: the review's items, in their order.
  ///   - marks: the review states; samples without one are open.
  init(review: ReviewRecord, items: [ReviewItem], marks: ReviewMarks) {
    self.review = review
    listed = items
    hasShared = items.contains(where: \.isShared)
    isAssigned = items.contains { !$0.people.isEmpty }
    var places: [Int64: Int] = [:]
    places.reserveCapacity(items.count)
    var progress = Progress(states: [], sequence: marks.sequence)
    progress.states.reserveCapacity(items.count)
    for (place, item) in items.enumerated() {
      places[item.sample.id] = place
      let state = marks.samples[item.sample.id].map(ReviewState.init) ?? .open
      progress.states.append(state)
      progress.counts.add(state)
    }
    self.places = places
    self.progress = Mutex(progress)
  }

  /// True if several people correct some of the samples independently.
  package let hasShared: Bool

  /// True if samples are assigned to people.
  package let isAssigned: Bool

  /// The state of a sample for one person: of the person's own version if it is a shared one.
  package func state(of item: Item, for author: String) -> ReviewState {
    guard item.isShared else { return item.state }
    return progress.withLock { $0.versions[item.sample.id]?[author] ?? .open }
  }

  /// The numbers of samples that are assigned to a person or to nobody, by their state for the person;
  /// all samples if none is assigned.
  package func counts(for author: String) -> ReviewCounts {
    guard isAssigned else { return counts }
    var counts = ReviewCounts()
    for item in items(from: 0, limit: .max) where item.isFor(author) {
      counts.add(state(of: item, for: author))
    }
    return counts
  }

  /// The parts of all people to whom samples are assigned, by name.
  package var parts: [PersonPart] {
    guard isAssigned else { return [] }
    var parts: [String: PersonPart] = [:]
    for item in items(from: 0, limit: .max) {
      for author in item.people {
        var part = parts[author] ?? PersonPart(author: author)
        part.counts.add(state(of: item, for: author))
        if item.isShared { part.shared += 1 }
        parts[author] = part
      }
    }
    return parts.values.sorted { $0.author < $1.author }
  }

  /// Sets the state of a person's own version of a sample.
  package func update(_ sample: Int64, to state: ReviewState, by author: String) {
    progress.withLock { $0.versions[sample, default: [:]][author] = state }
  }

  /// The number of samples of the review by state.
  package var counts: ReviewCounts { progress.withLock(\.counts) }

  /// Returns whether a sample is in the review.
  package func contains(_ sample: Int64) -> Bool { places[sample] != nil }

  /// A sample of the review; `nil` if it is not in the review.
  package func item(of sample: Int64) -> Item? {
    places[sample].map { place in progress.withLock { item(place, $0) } }
  }

  /// The samples from a position of the list on.
  ///
  /// - Parameters:
  ///   - position: the first position.
  ///   - limit: the maximum number of samples to return.
  ///   - onlyLeft: true to return only open and started samples.
  package func items(from position: Int, limit: Int, onlyLeft: Bool = false) -> [Item] {
    let first = firstPlace(at: position)
    guard limit > 0, first < listed.count else { return [] }
    return progress.withLock { progress in
      var items: [Item] = []
      for place in first..<listed.count {
        guard !onlyLeft || progress.states[place].status.isLeft else { continue }
        items.append(item(place, progress))
        if items.count == limit { break }
      }
      return items
    }
  }

  /// Sets the state of a sample; does nothing if it is not in the review.
  package func update(_ sample: Int64, to state: ReviewState) {
    guard let place = places[sample] else { return }
    progress.withLock { progress in
      progress.counts.remove(progress.states[place])
      progress.counts.add(state)
      progress.states[place] = state
    }
  }

  /// Reads entries that were added to the ledger since, including those of other processes. Fast if
  /// there are none.
  ///
  /// - Returns: the samples whose state may have changed, each with its current label; `nil` for no
  ///   label.
  /// - Throws: `LedgerError`, ``CorrectionError``.
  @discardableResult
  package func refresh(_ desk: CorrectionService) throws -> [Int64: String?] {
    let known = progress.withLock(\.sequence)
    let head = try desk.ledger.head().sequence
    guard head > known else { return [:] }
    var changed: [Int64: String?] = [:]
    var keys: Set<String> = []
    for sample in try desk.ledger.samples(after: known, dataset: review.dataset.name) {
      keys.insert(sample.key)
    }
    for item in listed where keys.contains(item.sample.key) {
      let truth = try desk.truth(of: item.sample)
      update(item.sample.id, to: ReviewState(truth))
      changed[item.sample.id] = .some(truth.labelText)
      if item.isShared {
        try loadVersions(of: progress.withLock { self.item(places[item.sample.id] ?? 0, $0) }, desk)
      }
    }
    progress.withLock { $0.sequence = max($0.sequence, head) }
    return changed
  }

  private func item(_ place: Int, _ progress: Progress) -> Item {
    let item = listed[place]
    return Item(
      position: item.position, sample: item.sample, score: item.score, reason: item.reason,
      state: progress.states[place], people: item.people, isShared: item.isShared)
  }

  /// The first index in `listed` with at least this position.
  private func firstPlace(at position: Int) -> Int {
    var (low, high) = (0, listed.count)
    while low < high {
      let middle = (low + high) / 2
      if listed[middle].position < position { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
