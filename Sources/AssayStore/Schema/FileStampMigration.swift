extension Migrations {
  /// The state of a sample's image file when it was read, so that the next import can pass over it.
  static let fileStamps = """
    ALTER TABLE sample ADD COLUMN fileSize INTEGER;      -- bytes; NULL if the file is read again
    ALTER TABLE sample ADD COLUMN fileModified INTEGER;  -- nanoseconds since 1970
    """
}
