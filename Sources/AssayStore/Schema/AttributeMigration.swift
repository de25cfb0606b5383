extension Migrations {
  /// Additional fields of classes and images, as canonical JSON objects.
  static let attributes = """
    ALTER TABLE category ADD COLUMN attributes TEXT;  -- keypoints, skeleton, …; NULL for none
    ALTER TABLE sample ADD COLUMN attributes TEXT;    -- NULL for none
    """
}
