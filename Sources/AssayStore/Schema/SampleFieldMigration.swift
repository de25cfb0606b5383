extension Migrations {
  /// Custom fields of samples in the mirror of the ledger. States that were made without them are outdated: no import
  /// has the version −1.
  static let sampleFields =
    CorrectionMirror.fieldTables
    + "\nUPDATE truthDataset SET version = -1 WHERE dataset IS NOT NULL;\n"
}
