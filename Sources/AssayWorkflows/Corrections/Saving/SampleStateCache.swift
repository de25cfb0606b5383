import AssayCore
import Synchronization

/// The key of a cached state: a sample, or one person's version of it.
struct SampleStateKey: Hashable, Sendable {
  var sample: Int64
  var version: IndependentVersion?
}

/// The most recently used samples, each with its own lock.
struct SampleStateCache: Sendable {
  /// The maximum number of samples, and the approximate maximum number of bytes they use together.
  static let limit = 64
  static let byteLimit = 64 << 20

  private struct Kept: Sendable {
    var slot: SampleStateSlot
    /// A counter of the last use; larger is more recent.
    var use: Int
    var bytes = 0
  }

  private var slots: [SampleStateKey: Kept] = [:]
  private var uses = 0
  /// The number of bytes in use, as far as they were counted.
  private(set) var bytes = 0

  /// The number of samples.
  var count: Int { slots.count }

  /// The slot of a sample.
  mutating func slot(_ sample: SampleStateKey) -> SampleStateSlot {
    uses += 1
    let slot = slots[sample]?.slot ?? SampleStateSlot()
    slots[sample, default: Kept(slot: slot, use: uses)].use = uses
    if slots.count > Self.limit { dropOldest() }
    return slot
  }

  /// Records the current memory use of a sample, and drops the least recently used samples if the
  /// total is too large. The last used sample is kept.
  mutating func weigh(_ sample: SampleStateKey, bytes weight: Int) {
    guard let old = slots[sample]?.bytes else { return }
    bytes += weight - old
    slots[sample]?.bytes = weight
    while bytes > Self.byteLimit, slots.count > 1 { dropOldest() }
  }

  /// Drops the least recently used slot. A thread that works on it still holds it; another slot for
  /// the same sample would get a conflict.
  private mutating func dropOldest() {
    guard let oldest = slots.min(by: { $0.value.use < $1.value.use }) else { return }
    bytes -= oldest.value.bytes
    slots[oldest.key] = nil
  }
}

/// A lock for one sample and its state.
final class SampleStateSlot: Sendable {
  let state = Mutex<SampleState?>(nil)
}
