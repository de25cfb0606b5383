package import AssayStore

/// Gives samples of a review to other people.
package struct ReviewAssignment: Sendable {
  /// The result of a change.
  package struct Outcome: Hashable, Sendable {
    /// The numbers of samples that went to each person, in the order of the request.
    package var given: [Int]
    /// The number of shared samples among them.
    package var shared = 0
    /// The number of samples that stay, because the person has decided them.
    package var decided = 0
    /// The number of shared samples that stay, because all new people have them already.
    package var kept = 0
    /// The number of samples left to assign beyond the limit.
    package var beyond = 0
  }

  private let catalog: Catalog

  package init(catalog: Catalog) { self.catalog = catalog }

  /// Assigns what a person has not decided yet to others, in turn.
  ///
  /// - Parameters:
  ///   - queue: with the states of the versions.
  ///   - source: the person whose samples are given away; `nil` for samples that belong to nobody.
  ///   - people: the people who get them.
  ///   - limit: the maximum number of samples; `nil` for all.
  package func assign(
    _ queue: ReviewQueue, from source: String?, to people: [String], limit: Int? = nil
  ) throws -> Outcome {
    var outcome = Outcome(given: people.map { _ in 0 })
    var changes: [(sample: Int64, people: [String], isShared: Bool)] = []
    var turn = 0
    for item in queue.items(from: 0, limit: .max) {
      guard source.map(item.people.contains) ?? item.people.isEmpty else { continue }
      let state = source.map { queue.state(of: item, for: $0) } ?? item.state
      guard state.status.isLeft || state.status == .skipped else {
        outcome.decided += 1
        continue
      }
      guard changes.count < limit ?? .max else {
        outcome.beyond += 1
        continue
      }
      let order = people.indices.map { (turn + $0) % people.count }
      guard let next = order.first(where: { !item.people.contains(people[$0]) }) else {
        outcome.kept += 1
        continue
      }
      turn += 1
      outcome.given[next] += 1
      if item.isShared { outcome.shared += 1 }
      let rest = item.people.filter { $0 != source }
      changes.append((item.sample.id, (rest + [people[next]]).sorted(), item.isShared))
    }
    if !changes.isEmpty { try catalog.assign(changes, of: queue.review.id) }
    return outcome
  }
}
