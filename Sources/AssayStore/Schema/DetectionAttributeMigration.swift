extension Migrations {
  /// The attributes of detections: what the steps of a pipeline found out about an object.
  static let detectionAttributes = """
    ALTER TABLE detection ADD COLUMN attributes TEXT;  -- a JSON object; NULL for none
    """
}
