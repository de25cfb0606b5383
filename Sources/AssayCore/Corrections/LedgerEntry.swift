/// A row of the ledger.
package struct LedgerEntry: Hashable, Sendable {
  /// From 1 on, without gaps.
  package var sequence: Int64
  package var uuid: String
  /// The format of the row; 1.
  package var format: Int64
  package var sample: SampleIdentity
  /// As stored; see ``CorrectionTarget/init(text:)``.
  package var target: String
  /// As stored; see ``CorrectionKind``.
  package var kind: String
  package var visit: String
  /// The last sequence of the sample that its author saw; `nil` if there was none.
  package var parent: Int64?
  /// Canonical JSON, as stored.
  package var payload: String
  /// 32 bytes each.
  package var previousHash: [UInt8]
  package var hash: [UInt8]

  package init(
    sequence: Int64, uuid: String, format: Int64, sample: SampleIdentity, target: String,
    kind: String, visit: String, parent: Int64?, payload: String, previousHash: [UInt8],
    hash: [UInt8]
  ) {
    self.sequence = sequence
    self.uuid = uuid
    self.format = format
    self.sample = sample
    self.target = target
    self.kind = kind
    self.visit = visit
    self.parent = parent
    self.payload = payload
    self.previousHash = previousHash
    self.hash = hash
  }
}
