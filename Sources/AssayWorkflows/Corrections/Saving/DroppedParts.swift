package import AssayCore

/// The parts of new masks that were not taken over (``RegionParts``), as entries tell of them.
package struct DroppedParts: Hashable, Sendable {
  package var parts = 0
  /// Their pixels together.
  package var area = 0

  /// Of several entries together.
  package init(_ entries: some Sequence<LedgerEntry>) {
    for entry in entries {
      guard let payload = try? JSONValue(parsing: entry.payload) else { continue }
      for region in [payload] + (payload["regions"]?.elements ?? []) {
        parts += Self.count(region["droppedParts"])
        area += Self.count(region["droppedArea"])
      }
    }
  }

  /// Never so much that a sum would overflow.
  private static func count(_ value: JSONValue?) -> Int {
    guard case .integer(let number)? = value else { return 0 }
    return Int(min(max(number, 0), 1 << 32))
  }
}
