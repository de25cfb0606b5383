import Synchronization

/// Records which person has which sample open, so that two people do not get the same one.
///
/// Kept only in memory: a catalog has one server at a time. A lease expires, because a browser that
/// crashed returns nothing; requesting the sample or saving to it takes a new lease.
final class SampleLeases: Sendable {
  /// The time in seconds after which the lease of an inactive person expires.
  static let lifetime: Int64 = 600
  /// The maximum number of samples of a person at a time, latest first: some people
  /// have two tabs open.
  static let most = 4

  /// A person who has a sample open.
  struct Holder: Hashable, Sendable {
    var author: String
    /// The UTC time at which the lease was taken, `2026-11-21T14:40:05Z`.
    var since: String
  }

  private struct Lease {
    var author: String
    var since: String
    var until: Int64
    /// Increases with the time at which the lease was taken.
    var turn: Int
  }

  private struct Leases {
    var open: [Int64: Lease] = [:]
    var turn = 0
  }

  private let leases = Mutex(Leases())
  private let now: @Sendable () -> Int64

  /// - Parameter now: returns the time in seconds; only differences matter.
  init(now: @escaping @Sendable () -> Int64) { self.now = now }

  /// Leases a sample to a person, or extends their lease.
  ///
  /// - Parameter isTakeover: whether to end the lease of another person.
  /// - Returns: `nil`, or the person who has it; then nothing changes.
  @discardableResult
  func take(_ sample: Int64, by author: String, isTakeover: Bool = false) -> Holder? {
    let time = now()
    return leases.withLock { leases in
      let lease = leases.open[sample].flatMap { $0.until > time ? $0 : nil }
      if let lease, lease.author != author, !isTakeover {
        return Holder(author: lease.author, since: lease.since)
      }
      leases.turn += 1
      leases.open[sample] = Lease(
        author: author, since: lease?.author == author ? lease?.since ?? "" : ReviewClock.now(),
        until: time + Self.lifetime, turn: leases.turn)
      leases.open = leases.open.filter { $0.value.until > time }
      let own = leases.open.filter { $0.value.author == author }
      if own.count > Self.most, let oldest = own.min(by: { $0.value.turn < $1.value.turn }) {
        leases.open[oldest.key] = nil
      }
      return nil
    }
  }

  /// Ends the person's lease of a sample.
  func giveBack(_ sample: Int64, by author: String) {
    leases.withLock { leases in
      if leases.open[sample]?.author == author { leases.open[sample] = nil }
    }
  }

  /// Returns the other person who has a sample open; `nil` if there is none.
  func holder(of sample: Int64, besides author: String) -> Holder? {
    holders(besides: author)[sample]
  }

  /// Returns the samples that other people have open.
  func holders(besides author: String) -> [Int64: Holder] {
    let time = now()
    return leases.withLock { leases in
      leases.open.filter { $0.value.until > time && $0.value.author != author }
        .mapValues { Holder(author: $0.author, since: $0.since) }
    }
  }
}
