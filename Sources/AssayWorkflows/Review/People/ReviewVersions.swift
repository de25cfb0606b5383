package import AssayCore
package import AssayStore

extension CorrectionService {
  /// The people who have an independent version of a sample in a review, sorted.
  ///
  /// - Throws: ``CorrectionError``.
  package func versionAuthors(
    of sample: SampleRecord, in review: String
  ) throws(CorrectionError) -> [String] {
    try working(on: sample) { state in
      let versions = state.replay.independentEntries.compactMap { IndependentVersion($0) }
      return Set(versions.filter { $0.review == review }.map(\.author)).sorted()
    }
  }
}

extension CorrectionService {
  /// All independent versions of a sample, by review, then by author.
  ///
  /// - Throws: ``CorrectionError``.
  package func independentVersions(
    of sample: SampleRecord
  ) throws(CorrectionError) -> [(version: IndependentVersion, truth: EffectiveTruth)] {
    let known = try working(on: sample) { state in
      var versions: [IndependentVersion] = []
      for entry in state.replay.independentEntries {
        guard let own = IndependentVersion(entry), !versions.contains(where: own.isSame) else {
          continue
        }
        versions.append(own)
      }
      return versions.sorted { ($0.review, $0.author) < ($1.review, $1.author) }
    }
    var found: [(version: IndependentVersion, truth: EffectiveTruth)] = []
    for version in known { found.append((version, try truth(of: sample, as: version))) }
    return found
  }
}

/// One person's finished or unfinished version of a sample.
package struct PersonVersion: Sendable {
  package var author: String
  package var truth: EffectiveTruth

  /// The uuid of the last entry; `nil` if the person has made none.
  package var entry: String? {
    truth.history.last { $0.entry.sequence == truth.head && $0.entry.isIndependent }?.entry.uuid
  }

  /// True if the person is done with it, or has set it aside.
  package var isAnswered: Bool { !truth.status.isLeft }

  /// True if the person has decided what is right.
  package var isDecided: Bool { truth.status == .done || truth.status == .leftOut }
}

extension ReviewQueue {
  /// The person's own version of a sample that several people correct independently; `nil` for other
  /// samples.
  package func version(of item: Item, by author: String) -> IndependentVersion? {
    guard item.isShared else { return nil }
    return IndependentVersion(review: review.name, author: author, base: review.base)
  }

  /// The versions of a shared sample: of all people to whom it is assigned, and of others who have
  /// one.
  ///
  /// - Throws: ``CorrectionError``.
  package func versions(
    of item: Item, _ desk: CorrectionService
  ) throws(CorrectionError) -> [PersonVersion] {
    guard item.isShared else { return [] }
    let present = try desk.versionAuthors(of: item.sample, in: review.name)
    var versions: [PersonVersion] = []
    for author in Set(item.people + present).sorted() {
      let version = IndependentVersion(review: review.name, author: author, base: review.base)
      versions.append(
        PersonVersion(author: author, truth: try desk.truth(of: item.sample, as: version)))
    }
    return versions
  }

  /// Reads the states of all independent versions.
  ///
  /// - Throws: `LedgerError`, ``CorrectionError``.
  package func loadVersions(_ desk: CorrectionService) throws {
    guard hasShared else { return }
    var keys: Set<String> = []
    for entry in try desk.ledger.activity(in: review.dataset.name)
    where entry.independent == review.name {
      keys.insert(entry.key)
    }
    for item in items(from: 0, limit: .max) where item.isShared && keys.contains(item.sample.key) {
      try loadVersions(of: item, desk)
    }
  }

  func loadVersions(of item: Item, _ desk: CorrectionService) throws(CorrectionError) {
    for author in try desk.versionAuthors(of: item.sample, in: review.name) {
      let version = IndependentVersion(review: review.name, author: author, base: review.base)
      update(
        item.sample.id, to: ReviewState(try desk.truth(of: item.sample, as: version)), by: author)
    }
  }
}

/// The part of a review that belongs to one person.
package struct PersonPart: Hashable, Sendable {
  package var author: String
  /// The samples that are assigned to the person, shared ones included, by state.
  package var counts = ReviewCounts()
  /// The number of shared samples among them.
  package var shared = 0

  package init(author: String) { self.author = author }

  package var json: JSONValue {
    [
      "author": .string(author), "assigned": JSONValue(counts.total), "shared": JSONValue(shared),
      "counts": counts.json,
    ]
  }
}
