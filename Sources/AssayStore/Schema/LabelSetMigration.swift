extension Migrations {
  /// Multi-label datasets: a sample has a set of labels.
  static let labelSets = """
    ALTER TABLE annotationSet ADD COLUMN multiLabel INTEGER NOT NULL DEFAULT 0;
    -- 1 where a sample has a set of labels, possibly empty: rows of shape 'label' with the ordinals 1, 2, …
    -- The ordinal 0 is that of the only label in other sets

    CREATE TABLE labelTally (
      evaluation INTEGER NOT NULL REFERENCES evaluation (id),
      sample INTEGER NOT NULL REFERENCES sample (id),
      labels BLOB NOT NULL,  -- uint32 little-endian: evaluationClass.ordinal of each true class, ascending
      missed INTEGER NOT NULL,  -- true classes that are not predicted
      added INTEGER NOT NULL,  -- predicted classes that are not true
      rankingLoss REAL,  -- 0 to 1; NULL for a sample with no class or all of them
      PRIMARY KEY (evaluation, sample)
    ) STRICT, WITHOUT ROWID;
    """
}
