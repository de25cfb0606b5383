package import AssayStore

/// Verifies a ledger's hash chain, and checks that the entries the catalog last saw are still
/// there.
package struct LedgerVerifying {
  /// The result of the verification.
  package struct Outcome: Sendable {
    package var path: String
    package var ledger: String
    package var createdAt: String
    package var verification: LedgerVerification
    /// The last entry that the catalog used; `nil` if it never used this ledger.
    package var seen: Int64?
    /// The ledger that the catalog used last, if it is a different one.
    package var otherLedger: String?
  }

  private let progress: any ProgressSink

  package init(progress: any ProgressSink = NoProgress()) {
    self.progress = progress
  }

  /// - Parameter catalog: the catalog's path; the catalog need not exist.
  /// - Throws: ``LedgerError``, ``Interrupted``.
  package func run(catalog: String) throws -> Outcome {
    let ledger = try Ledger.open(besideCatalog: catalog)
    // An unreadable catalog is not an error of the ledger.
    let seen = try? Catalog.open(catalog, .readOnly).seenLedger()
    let known = seen.flatMap { $0.ledger == ledger.uuid ? $0.head : nil }
    let verification = try ledger.verify(known: known) { fraction, what in
      progress.report(fraction, what)
      try Interruption.check()
    }
    return Outcome(
      path: ledger.path, ledger: ledger.uuid, createdAt: ledger.createdAt,
      verification: verification, seen: known?.sequence,
      otherLedger: seen.flatMap { $0.ledger == ledger.uuid ? nil : $0.ledger })
  }
}
