import Synchronization

/// The samples that were worked on last, each with a lock of its own.
struct SampleStateCache: Sendable {
  /// The maximum number of samples, and about how many bytes of memory they may use together.
  static let limit = 64
  static let byteLimit = 64 << 20

  private struct Kept: Sendable {
    var slot: SampleStateSlot
    /// The larger, the later it was used.
    var use: Int
    var bytes = 0
  }

  private var slots: [Int64: Kept] = [:]
  private var uses = 0
  /// The bytes in use, as far as they were counted.
  private(set) var bytes = 0

  /// The number of samples.
  var count: Int { slots.count }

  /// The slot of a sample, by row id.
  mutating func slot(_ sample: Int64) -> SampleStateSlot {
    uses += 1
    let slot = slots[sample]?.slot ?? SampleStateSlot()
    slots[sample, default: Kept(slot: slot, use: uses)].use = uses
    if slots.count > Self.limit { dropOldest() }
    return slot
  }

  /// Takes down how much a sample takes now, and drops those used least recently where all take too much. The
  /// one used last stays.
  mutating func weigh(_ sample: Int64, bytes weight: Int) {
    guard let old = slots[sample]?.bytes else { return }
    bytes += weight - old
    slots[sample]?.bytes = weight
    while bytes > Self.byteLimit, slots.count > 1 { dropOldest() }
  }

  /// Whoever works on it still holds it; another slot of the same sample would be told of a conflict.
  private mutating func dropOldest() {
    guard let oldest = slots.min(by: { $0.value.use < $1.value.use }) else { return }
    bytes -= oldest.value.bytes
    slots[oldest.key] = nil
  }
}

/// A lock for one sample and its state, for one thread at a time.
final class SampleStateSlot: Sendable {
  let state = Mutex<SampleState?>(nil)
}
