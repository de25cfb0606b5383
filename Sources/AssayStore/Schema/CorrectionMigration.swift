extension Migrations {
  /// What the ledger makes of the truth. All of it can be made again from the ledger, which is precious.
  static let corrections =
    """
    ALTER TABLE evaluation ADD COLUMN ledgerSequence INTEGER;
    -- the last entry of the ledger that its truth goes by; NULL for the imported truth

    """ + Mirror.tables
}
