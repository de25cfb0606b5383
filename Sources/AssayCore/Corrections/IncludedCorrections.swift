/// The corrections that an imported ground truth includes already, because it was exported with them.
///
/// The entries of the ledger up to the last of them are not applied to it again.
package struct IncludedCorrections: Hashable, Sendable {
  /// The uuid of the ledger.
  package var ledger: String
  /// The last entry that is included.
  package var sequence: Int64

  private static let member = "includesCorrections"

  package init(ledger: String, sequence: Int64) {
    self.ledger = ledger
    self.sequence = sequence
  }

  /// Reads the options of an import.
  ///
  /// - Returns: `nil` if it includes no corrections.
  package init?(importOptions text: String) {
    // Hardly any import has them, and all are asked.
    guard text.contains(Self.member), let found = (try? JSONValue(parsing: text))?[Self.member],
      let ledger = found["ledger"]?.text, case .integer(let sequence)? = found["sequence"]
    else { return nil }
    self.init(ledger: ledger, sequence: sequence)
  }

  /// The member of an import's options.
  package var option: JSONValue.Member {
    JSONValue.Member(
      Self.member, ["ledger": .string(ledger), "sequence": .integer(sequence)])
  }
}
