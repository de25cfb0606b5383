/// An entry that is to be appended to the ledger.
package struct CorrectionDraft: Hashable, Sendable {
  /// After what an entry was made.
  package enum Parent: Hashable, Sendable {
    /// After the sample's last entry, whichever that is when this one is appended.
    case head
    /// After this entry of the sample; 0 where the person saw none.
    case sequence(Int64)
    /// After the entry of this uuid.
    case entry(String)
  }

  /// From the client, in lower case (RFC 9562): the same save twice is one row.
  package var uuid: String
  package var sample: SampleIdentity
  package var target: CorrectionTarget
  package var kind: CorrectionKind
  /// Groups the entries of one opening of the sample; a uuid.
  package var visit: String
  package var parent: Parent
  /// An object; the ledger writes it as canonical JSON.
  package var payload: JSONValue

  package init(
    uuid: String, sample: SampleIdentity, target: CorrectionTarget, kind: CorrectionKind,
    visit: String, parent: Parent, payload: JSONValue
  ) {
    self.uuid = uuid
    self.sample = sample
    self.target = target
    self.kind = kind
    self.visit = visit
    self.parent = parent
    self.payload = payload
  }
}
