import AssayCore
import AssayWorkflows

/// The operations for several people in one review.
extension CatalogBackend {
  func watch(_ request: WatchRequest, for session: ReviewSession) throws -> JSONValue {
    let item = try request.sample.map { try self.item($0) }
    let sample = item?.sample
    let version = item.flatMap { self.version(of: $0, session.author) }
    if let sample, request.isActive, version == nil { leases.take(sample.id, by: session.author) }
    let open = leases.holders(besides: session.author).sorted { $0.key < $1.key }
    // Before the ground truth: an entry in between is then reported by the next request.
    let sequence = try lastSequence()
    var changed = JSONValue.null
    if let sample, sequence != request.sequence {
      changed = Self.ends(try truth(of: sample, as: version))
    }
    return [
      "sequence": .integer(sequence),
      "open": .array(
        open.map { id, holder in
          [
            "sample": .integer(id), "author": .string(holder.author),
            "since": .string(holder.since),
          ]
        }),
      "changed": changed, "assigned": .string(assignment),
    ]
  }

  /// Returns the last entry of the main branch and of the latest conflict, by which a page
  /// recognizes entries that are not its own.
  private static func ends(_ truth: EffectiveTruth) -> JSONValue {
    func entry(_ sequence: Int64?) -> JSONValue {
      guard let sequence,
        let item = truth.history.last(where: { $0.entry.sequence == sequence })
      else { return .null }
      return [
        "sequence": .integer(sequence), "author": .string(item.remarks.author),
        "time": JSONValue(item.remarks.time),
      ]
    }
    return [
      "status": .string(truth.status.rawValue), "head": entry(truth.head),
      "conflict": entry(truth.conflicts.map(\.head).max()),
      "conflicts": JSONValue(truth.conflicts.count),
    ]
  }

  func lease(_ id: Int64, isTakeover: Bool, for session: ReviewSession) throws {
    guard try !item(id).isShared else { return }
    if isTakeover {
      leases.take(id, by: session.author, isTakeover: true)
    } else {
      leases.giveBack(id, by: session.author)
    }
  }
}
