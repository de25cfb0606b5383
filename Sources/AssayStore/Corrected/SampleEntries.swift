package import AssayCore

/// The entries that count for one sample: its own entries, those made when its image had another
/// key, and adopted ones.
package struct SampleEntries: Sendable {
  /// In ascending sequence. Adopted entries of another sample get this sample's content hash, so
  /// that replay treats them as entries for this image.
  package var entries: [LedgerEntry]
  /// The adopted samples, each with its last entry that counts.
  package var adopted: [(place: SampleIdentity, upTo: Int64)] = []

  /// Reads the entries.
  ///
  /// - Parameters:
  ///   - sample: the current dataset, key and content hash.
  ///   - moved: the earlier names of its image, as in the entries.
  ///   - sequence: the last entry to read; `nil` for all.
  package init(
    of sample: SampleIdentity, movedFrom moved: [SampleIdentity] = [], upTo sequence: Int64? = nil,
    in ledger: Ledger
  ) throws {
    self = try ledger.readingSamples {
      try SampleEntries(of: sample, movedFrom: moved, upTo: sequence, reader: $0)
    }
  }

  /// Reads the entries of one of many samples; see ``init(of:movedFrom:upTo:in:)``.
  init(
    of sample: SampleIdentity, movedFrom moved: [SampleIdentity], upTo sequence: Int64?,
    reader: LedgerSampleReader
  ) throws {
    entries = try reader.entries(upTo: sequence, dataset: sample.dataset, key: sample.key)
    var waiting: [(place: SampleIdentity, upTo: Int64)] = moved.map { ($0, sequence ?? .max) }
    waiting += Self.adoptions(entries)
    var seen: Set<SampleIdentity> = []
    let isAdopted = Set(moved)
    while let (place, last) = waiting.popLast() {
      guard (place.dataset, place.key) != (sample.dataset, sample.key), seen.insert(place).inserted
      else { continue }
      var further = try reader.entries(
        upTo: min(last, sequence ?? .max), dataset: place.dataset, key: place.key
      ).filter { $0.sample.contentHash == place.contentHash }
      waiting += Self.adoptions(further)
      if !isAdopted.contains(place) { adopted.append((place, last)) }
      for index in further.indices { further[index].sample.contentHash = sample.contentHash }
      entries += further
    }
    if !seen.isEmpty { entries.sort { $0.sequence < $1.sequence } }
  }

  /// The samples that entries adopt, unless that was undone; each with its last entry that counts.
  private static func adoptions(
    _ entries: [LedgerEntry]
  ) -> [(place: SampleIdentity, upTo: Int64)] {
    let adopt = CorrectionKind.adopt.rawValue
    guard entries.contains(where: { $0.kind == adopt }) else { return [] }
    var isUndone: [String: Bool] = [:]
    for entry in entries {
      let isUndo = entry.kind == CorrectionKind.undo.rawValue
      guard isUndo || entry.kind == CorrectionKind.redo.rawValue,
        let uuid = (try? JSONValue(parsing: entry.payload))?["entry"]?.text
      else { continue }
      isUndone[uuid] = isUndo
    }
    return entries.compactMap { entry in
      guard entry.kind == adopt, isUndone[entry.uuid] != true,
        let from = (try? JSONValue(parsing: entry.payload))?["from"],
        let dataset = from["dataset"]?.text, let key = from["key"]?.text,
        let hash = from["contentHash"]?.text
      else { return nil }
      return (
        SampleIdentity(dataset: dataset, key: key, contentHash: hash), entry.sequence - 1
      )
    }
  }
}
