/// An entry to be appended to the ledger.
package struct CorrectionDraft: Hashable, Sendable {
  /// The entry that a new entry follows.
  package enum Parent: Hashable, Sendable {
    /// The sample's last entry, whichever that is when this one is appended.
    case head
    /// This entry of the sample; 0 if the author saw none.
    case sequence(Int64)
    /// The entry with this uuid.
    case entry(String)
  }

  /// Set by the client, in lower case (RFC 9562): saving twice creates one row.
  package var uuid: String
  package var sample: SampleIdentity
  package var target: CorrectionTarget
  package var kind: CorrectionKind
  /// Groups the entries from one opening of the sample; a uuid.
  package var visit: String
  package var parent: Parent
  /// An object; the ledger writes it as canonical JSON.
  package var payload: JSONValue
  /// True if it belongs to an ``IndependentVersion``.
  package var isIndependent: Bool

  package init(
    uuid: String, sample: SampleIdentity, target: CorrectionTarget, kind: CorrectionKind,
    visit: String, parent: Parent, payload: JSONValue, isIndependent: Bool = false
  ) {
    self.uuid = uuid
    self.sample = sample
    self.target = target
    self.kind = kind
    self.visit = visit
    self.parent = parent
    self.payload = payload
    self.isIndependent = isIndependent
  }
}
