import AssayCore
import AssayStore

extension ExportCorrections.LedgerState {
  /// The state of a catalog's ledger that corrections are used from; `nil` where there is no ledger.
  ///
  /// - Throws: `LedgerError`.
  package init?(_ use: CorrectionStatus, catalogPath: String) throws {
    guard use.hasLedger, let sequence = use.sequence else { return nil }
    let ledger = try Ledger.open(Ledger.path(forCatalog: catalogPath), .readOnly)
    let entry =
      sequence == 0 ? nil : try ledger.entries(after: sequence - 1, upTo: sequence).first
    self.init(
      uuid: ledger.uuid, sequence: sequence,
      hash: entry.map { Self.hexadecimal($0.hash) } ?? "")
  }

  private static func hexadecimal(_ bytes: [UInt8]) -> String {
    bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
  }
}
