extension Migrations {
  /// Measures of a sample's masks that cannot be computed from its pixel counts.
  static let maskMeasures = """
    ALTER TABLE pixelTally ADD COLUMN hausdorff95 REAL;  -- pixels; NULL where undefined or not measured
    """
}
