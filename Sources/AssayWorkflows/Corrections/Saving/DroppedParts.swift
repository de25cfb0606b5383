package import AssayCore

/// The parts of new masks that were dropped (``RegionParts``), as recorded in entries.
package struct DroppedParts: Hashable, Sendable {
  package var parts = 0
  /// Their total area in pixels.
  package var area = 0

  /// The dropped parts of several entries, added up.
  package init(_ entries: some Sequence<LedgerEntry>) {
    for entry in entries {
      guard let payload = try? JSONValue(parsing: entry.payload) else { continue }
      for region in [payload] + (payload["regions"]?.elements ?? []) {
        parts += Self.count(region["droppedParts"])
        area += Self.count(region["droppedArea"])
      }
    }
  }

  /// The count, clamped so that a sum cannot overflow.
  private static func count(_ value: JSONValue?) -> Int {
    guard case .integer(let number)? = value else { return 0 }
    return Int(min(max(number, 0), 1 << 32))
  }
}
