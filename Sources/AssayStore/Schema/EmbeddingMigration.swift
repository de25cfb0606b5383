extension Migrations {
  /// Vectors of images beside the predictions of a run.
  static let embeddings = """
    CREATE TABLE embedding (
      run INTEGER NOT NULL,
      sample INTEGER NOT NULL,
      vector BLOB NOT NULL,  -- float32, little-endian
      PRIMARY KEY (run, sample),
      FOREIGN KEY (run, sample) REFERENCES runSample (run, sample)
    ) STRICT;
    """
}
