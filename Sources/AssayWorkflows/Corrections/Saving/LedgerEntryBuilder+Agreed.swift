import AssayCore

/// Entries that make the ground truth from independent versions.
extension LedgerEntryBuilder {
  /// - Throws: ``CorrectionError/unknownEntry(_:key:)`` for a version that the sample does not have.
  func agree(_ agreed: Agreed) throws -> LedgerEntryContent {
    let known = Set(sample.replay.independentEntries.map(\.uuid))
    for version in agreed.versions where !known.contains(version.entry) {
      throw CorrectionError.unknownEntry(version.entry, key: sample.identity.key)
    }
    let consensus = JSONValue.Member("consensus", LedgerEntryContent.consensus(agreed))
    if let labels = agreed.labels {
      return LedgerEntryContent(
        target: .label, kind: .take,
        members: [
          .init("categories", .array(labels.sorted().map { .string($0) })), consensus,
        ])
    }
    guard let taken = agreed.taken, agreed.versions.indices.contains(taken) else {
      throw CorrectionError.unknownEntry("", key: sample.identity.key)
    }
    return LedgerEntryContent(
      target: .sample, kind: .take,
      members: [.init("entry", .string(agreed.versions[taken].entry)), consensus])
  }
}

extension LedgerEntryContent {
  /// The member of the payload that says what an entry rests on.
  static func consensus(_ agreed: Agreed) -> JSONValue {
    [
      "review": .string(agreed.review), "rule": .string(agreed.rule.rawValue),
      "versions": .array(
        agreed.versions.map { ["author": .string($0.author), "entry": .string($0.entry)] }),
    ]
  }
}
