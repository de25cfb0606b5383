extension Migrations {
  /// The tables of the corrected ground truth. All of them can be rebuilt from the ledger, which
  /// itself cannot be rebuilt.
  static let corrections =
    """
    ALTER TABLE evaluation ADD COLUMN ledgerSequence INTEGER;
    -- the last entry of the ledger that its truth goes by; NULL for the imported truth

    """ + CorrectionMirror.tables
}
