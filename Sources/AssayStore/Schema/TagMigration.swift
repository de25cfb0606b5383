extension Migrations {
  /// Labels of whole images beside regions: rows of `annotation` of the shape 'tag'.
  static let tags = """
    ALTER TABLE annotationSet ADD COLUMN tags INTEGER NOT NULL DEFAULT 0;  -- their number
    """
}
