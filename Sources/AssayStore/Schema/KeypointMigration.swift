extension Migrations {
  /// Keypoints of detections.
  static let keypoints = """
    ALTER TABLE detection ADD COLUMN keypoints BLOB;
    -- x, y in pixels and a score of each point as float64, little-endian; NULL for none
    """
}
