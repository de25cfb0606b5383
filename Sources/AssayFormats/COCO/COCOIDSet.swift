import AssayCore

/// A set of ids.
struct COCOIDSet {
  /// One bit per small id: most files number their annotations from 1.
  private var small: [UInt64] = []
  private var integers: Set<Int64> = []
  private var texts: Set<String> = []

  private static let smallLimit: Int64 = 1 << 24

  /// Adds an id; returns `false` if it was already present.
  mutating func insert(_ id: SourceID) -> Bool {
    switch id {
    case .text(let value): return texts.insert(value).inserted
    case .integer(let value):
      guard value >= 0, value < Self.smallLimit else { return integers.insert(value).inserted }
      let word = Int(value >> 6)
      if word >= small.count {
        small += [UInt64](repeating: 0, count: max(word + 1, 2 * small.count) - small.count)
      }
      let bit: UInt64 = 1 << UInt64(value & 63)
      defer { small[word] |= bit }
      return small[word] & bit == 0
    }
  }
}
