import GRDB

/// The tables that store the ground truth computed from the ledger: in the catalog, or in a
/// separate file if the catalog cannot be written.
enum CorrectionMirror {
  /// The tables that the fourth migration creates; never edited once released.
  static let tables = """
    CREATE TABLE truthState (  -- the truth as of one entry of the ledger
      id INTEGER PRIMARY KEY AUTOINCREMENT,  -- never used twice, for a reader may still go by it
      ledger TEXT NOT NULL,  -- its uuid
      sequence INTEGER NOT NULL,  -- the last entry that is in it, 0 for none
      hash BLOB NOT NULL,  -- that entry's
      isHead INTEGER NOT NULL  -- whether it follows the ledger
    ) STRICT;
    CREATE UNIQUE INDEX truthHead ON truthState (isHead) WHERE isHead = 1;

    CREATE TABLE truthDataset (  -- the datasets that a state went by
      state INTEGER NOT NULL REFERENCES truthState (id),
      name TEXT NOT NULL,
      dataset INTEGER,  -- NULL for one that the catalog does not have
      version INTEGER,  -- of its import
      corrections INTEGER NOT NULL,  -- visits that changed something
      samples INTEGER NOT NULL,  -- that have corrections
      leftOut INTEGER NOT NULL,
      conflicts INTEGER NOT NULL,
      issues INTEGER NOT NULL,
      PRIMARY KEY (state, name)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE correctedSample (  -- the samples that have entries
      state INTEGER NOT NULL REFERENCES truthState (id),
      sample INTEGER NOT NULL REFERENCES sample (id),
      isChanged INTEGER NOT NULL,
      -- whether its truth is another than the imported one: label, and correctedAnnotation in place of annotation
      label INTEGER REFERENCES category (id),  -- NULL for none
      status TEXT NOT NULL,  -- open, started, done, unsure, skipped or leftOut
      leftOut TEXT,  -- why it is left out; NULL where it is not
      corrections INTEGER NOT NULL,
      entries INTEGER NOT NULL,
      conflicts INTEGER NOT NULL,
      seconds REAL NOT NULL,
      head INTEGER,  -- the last entry that counts
      PRIMARY KEY (state, sample)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE correctedBy (  -- who did it
      state INTEGER NOT NULL REFERENCES truthState (id),
      sample INTEGER NOT NULL REFERENCES sample (id),
      author TEXT NOT NULL,
      corrections INTEGER NOT NULL,
      entries INTEGER NOT NULL,
      seconds REAL NOT NULL,
      PRIMARY KEY (state, sample, author)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE correctedAnnotation (  -- all regions of the samples that are changed; as annotation
      state INTEGER NOT NULL REFERENCES truthState (id),
      sample INTEGER NOT NULL REFERENCES sample (id),
      annotationSet INTEGER NOT NULL REFERENCES annotationSet (id),
      ordinal INTEGER NOT NULL,
      category INTEGER NOT NULL REFERENCES category (id),
      shape TEXT NOT NULL,
      sourceId ANY,
      isCrowd INTEGER NOT NULL,
      area REAL,
      x REAL,
      y REAL,
      width REAL,
      height REAL,
      attributes TEXT,
      geometry INTEGER,  -- in geometry, where it is the imported one
      correctedGeometry INTEGER,  -- in correctedGeometry, else
      isChanged INTEGER NOT NULL,
      target TEXT NOT NULL,  -- as the ledger names it
      PRIMARY KEY (state, sample, annotationSet, ordinal)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE correctedGeometry (
      id INTEGER PRIMARY KEY,
      bytes BLOB NOT NULL  -- as geometry's
    ) STRICT;

    CREATE TABLE correctedSampleCategory (  -- of the samples that are changed; as sampleCategory
      state INTEGER NOT NULL REFERENCES truthState (id),
      annotationSet INTEGER NOT NULL REFERENCES annotationSet (id),
      category INTEGER NOT NULL REFERENCES category (id),
      sample INTEGER NOT NULL REFERENCES sample (id),
      count INTEGER NOT NULL,
      crowdCount INTEGER NOT NULL,
      unionArea INTEGER,  -- pixels; NULL where the image's size is not known
      PRIMARY KEY (state, annotationSet, category, sample)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE correctionPlace (  -- entries that count for a sample of another name
      state INTEGER NOT NULL REFERENCES truthState (id),
      dataset TEXT NOT NULL,  -- this and those below as the entries have them
      key TEXT NOT NULL,
      contentHash TEXT NOT NULL,
      sample INTEGER NOT NULL REFERENCES sample (id),
      upTo INTEGER,  -- the last entry that does; NULL for all
      PRIMARY KEY (state, dataset, key, contentHash, sample)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX correctionPlaceBySample ON correctionPlace (state, sample);

    CREATE TABLE correctionIssue (
      id INTEGER PRIMARY KEY,
      state INTEGER NOT NULL REFERENCES truthState (id),
      dataset TEXT NOT NULL,  -- as the entries name it
      key TEXT NOT NULL,
      sample INTEGER REFERENCES sample (id),
      kind TEXT NOT NULL,  -- imageChanged, moved, orphaned, unreadable or unknownClass
      entries INTEGER NOT NULL,  -- that it is about
      message TEXT NOT NULL
    ) STRICT;
    CREATE INDEX correctionIssueByPlace ON correctionIssue (state, dataset, key);

    CREATE TABLE staleTruth (  -- places whose image became another one since the states were made
      dataset TEXT NOT NULL,
      key TEXT NOT NULL,
      PRIMARY KEY (dataset, key)
    ) STRICT, WITHOUT ROWID;
    """
}

extension CorrectionMirror {
  /// The tables that the fourteenth migration creates; never edited once released.
  static let tagTables = """
    CREATE TABLE sampleTag (  -- the tags that samples have
      state INTEGER NOT NULL REFERENCES truthState (id),
      sample INTEGER NOT NULL REFERENCES sample (id),
      tag TEXT NOT NULL,
      PRIMARY KEY (state, sample, tag)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX sampleTagByName ON sampleTag (state, tag, sample);

    CREATE TABLE sampleNote (  -- what people wrote about samples, alone or with a correction
      state INTEGER NOT NULL REFERENCES truthState (id),
      sample INTEGER NOT NULL REFERENCES sample (id),
      sequence INTEGER NOT NULL,  -- the entry of the ledger
      author TEXT NOT NULL,
      note TEXT NOT NULL,
      PRIMARY KEY (state, sample, sequence)
    ) STRICT, WITHOUT ROWID;
    """
}

extension CorrectionMirror {
  /// The table that the sixteenth migration creates; never edited once released.
  static let fieldTables = """
    CREATE TABLE sampleField (  -- the custom fields that people set or removed
      state INTEGER NOT NULL REFERENCES truthState (id),
      sample INTEGER NOT NULL REFERENCES sample (id),
      name TEXT NOT NULL,
      value TEXT NOT NULL,  -- JSON; null where it was removed
      PRIMARY KEY (state, sample, name)
    ) STRICT, WITHOUT ROWID;
    """
}

extension CorrectionMirror {
  /// Removes a dataset's samples from all states before they are deleted. Their corrections are in
  /// the ledger; the next command finds no sample for them.
  static func forget(dataset: Int64, in database: Database) throws {
    let samples = "sample IN (SELECT id FROM sample WHERE dataset = ?)"
    try database.execute(
      sql: """
        DELETE FROM correctedGeometry
        WHERE id IN (SELECT correctedGeometry FROM correctedAnnotation WHERE \(samples))
        """, arguments: [dataset])
    try database.execute(
      sql: """
        DELETE FROM correctedSampleCategory
        WHERE annotationSet IN (SELECT id FROM annotationSet WHERE dataset = ?)
        """, arguments: [dataset])
    for table in [
      "correctedAnnotation", "correctedBy", "correctedSample", "correctionPlace", "correctionIssue",
      "sampleTag", "sampleNote", "sampleField",
    ] {
      try database.execute(sql: "DELETE FROM \(table) WHERE \(samples)", arguments: [dataset])
    }
    // No import has this version: the states are outdated, whichever dataset replaces this one.
    try database.execute(
      sql: "UPDATE truthDataset SET version = -1 WHERE dataset = ?", arguments: [dataset])
  }
}
