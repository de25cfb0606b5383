extension Migrations {
  /// Findings of `assay check` in a view, with their samples.
  static let findings = """
    CREATE TABLE inspection (
      id INTEGER PRIMARY KEY,
      dataset INTEGER NOT NULL REFERENCES dataset (id),
      view TEXT NOT NULL,  -- as typed
      settings TEXT NOT NULL,  -- JSON
      createdAt TEXT NOT NULL,
      UNIQUE (dataset, view)
    ) STRICT;

    CREATE TABLE finding (
      id INTEGER PRIMARY KEY,
      inspection INTEGER NOT NULL REFERENCES inspection (id),
      kind TEXT NOT NULL,
      severity TEXT NOT NULL,
      score REAL,  -- NULL where the kind has none
      message TEXT NOT NULL
    ) STRICT;
    CREATE INDEX findingByInspection ON finding (inspection);

    CREATE TABLE findingSample (
      finding INTEGER NOT NULL REFERENCES finding (id),
      position INTEGER NOT NULL,  -- within the finding, from 0
      sample INTEGER NOT NULL REFERENCES sample (id),
      PRIMARY KEY (finding, position)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX findingBySample ON findingSample (sample);
    """
}
