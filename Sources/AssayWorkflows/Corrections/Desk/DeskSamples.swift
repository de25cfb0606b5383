import Synchronization

/// The samples that were worked on last, each with a lock of its own.
struct DeskSamples: Sendable {
  /// How many are kept.
  static let limit = 64

  private var slots: [Int64: (slot: DeskSlot, use: Int)] = [:]
  private var uses = 0

  /// The slot of a sample, by row id.
  mutating func slot(_ sample: Int64) -> DeskSlot {
    uses += 1
    let slot = slots[sample]?.slot ?? DeskSlot()
    slots[sample] = (slot, uses)
    if slots.count > Self.limit, let oldest = slots.min(by: { $0.value.use < $1.value.use }) {
      // Whoever works on it still holds it; another slot of the same sample would be told of a conflict.
      slots[oldest.key] = nil
    }
    return slot
  }
}

/// Where one sample is worked on by one thread at a time.
final class DeskSlot: Sendable {
  let state = Mutex<DeskSample?>(nil)
}
