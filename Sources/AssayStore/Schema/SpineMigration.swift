extension Migrations {
  /// Datasets, views, partitions, models, runs and evaluations of classification.
  static let spine = """
    PRAGMA application_id = 0x61737361;  -- "assa"

    CREATE TABLE dataset (
      id INTEGER PRIMARY KEY,
      name TEXT NOT NULL UNIQUE,
      format TEXT NOT NULL,
      root TEXT NOT NULL,
      isSingleFile INTEGER NOT NULL,
      version INTEGER NOT NULL  -- of the current import
    ) STRICT;

    CREATE TABLE import (
      id INTEGER PRIMARY KEY,
      dataset INTEGER NOT NULL REFERENCES dataset (id),
      version INTEGER NOT NULL,
      inputHash TEXT,
      options TEXT NOT NULL,
      read INTEGER NOT NULL,
      accepted INTEGER NOT NULL,
      rejected INTEGER NOT NULL,
      samples INTEGER NOT NULL,
      issues INTEGER NOT NULL,
      importedAt TEXT NOT NULL,
      UNIQUE (dataset, version)
    ) STRICT;

    CREATE TABLE taxonomy (
      id INTEGER PRIMARY KEY,
      dataset INTEGER NOT NULL REFERENCES dataset (id),
      name TEXT NOT NULL,
      UNIQUE (dataset, name)
    ) STRICT;

    CREATE TABLE category (
      id INTEGER PRIMARY KEY,
      taxonomy INTEGER NOT NULL REFERENCES taxonomy (id),
      ordinal INTEGER,  -- NULL where the current import has it no more
      sourceId ANY,
      name TEXT NOT NULL,
      supercategory TEXT,
      UNIQUE (taxonomy, name),
      UNIQUE (taxonomy, ordinal)
    ) STRICT;

    CREATE TABLE annotationSet (
      id INTEGER PRIMARY KEY,
      dataset INTEGER NOT NULL REFERENCES dataset (id),
      name TEXT NOT NULL,
      taxonomy INTEGER NOT NULL REFERENCES taxonomy (id),
      UNIQUE (dataset, name)
    ) STRICT;

    CREATE TABLE sample (
      id INTEGER PRIMARY KEY,
      dataset INTEGER NOT NULL REFERENCES dataset (id),
      key TEXT NOT NULL,
      location TEXT,
      sourceSplit TEXT,
      width INTEGER,
      height INTEGER,
      contentHash TEXT,
      import INTEGER NOT NULL REFERENCES import (id),  -- the last one that had it
      retired INTEGER NOT NULL DEFAULT 0,
      UNIQUE (dataset, key)
    ) STRICT;

    CREATE TABLE pixels (
      sample INTEGER PRIMARY KEY REFERENCES sample (id),
      format TEXT NOT NULL,
      width INTEGER NOT NULL,
      height INTEGER NOT NULL,
      bytes BLOB NOT NULL
    ) STRICT;

    CREATE TABLE annotation (
      sample INTEGER NOT NULL REFERENCES sample (id),
      annotationSet INTEGER NOT NULL REFERENCES annotationSet (id),
      ordinal INTEGER NOT NULL,  -- within sample and set, from 0
      category INTEGER NOT NULL REFERENCES category (id),
      shape TEXT NOT NULL,
      sourceId ANY,
      PRIMARY KEY (sample, annotationSet, ordinal)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE issue (
      id INTEGER PRIMARY KEY,
      import INTEGER NOT NULL REFERENCES import (id),
      sample INTEGER REFERENCES sample (id),
      sampleKey TEXT,
      kind TEXT NOT NULL,
      severity TEXT NOT NULL,
      file TEXT NOT NULL,
      line INTEGER,
      message TEXT NOT NULL
    ) STRICT;
    CREATE INDEX issueBySample ON issue (sample, kind) WHERE sample IS NOT NULL;

    CREATE TABLE partition (
      id INTEGER PRIMARY KEY,
      dataset INTEGER NOT NULL REFERENCES dataset (id),
      name TEXT NOT NULL,
      seed INTEGER NOT NULL,
      rule TEXT NOT NULL,
      UNIQUE (dataset, name)
    ) STRICT;

    CREATE TABLE partitionPart (
      partition INTEGER NOT NULL REFERENCES partition (id),
      ordinal INTEGER NOT NULL,
      name TEXT NOT NULL,
      PRIMARY KEY (partition, ordinal),
      UNIQUE (partition, name)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE partitionMember (
      partition INTEGER NOT NULL REFERENCES partition (id),
      sample INTEGER NOT NULL REFERENCES sample (id),
      part TEXT NOT NULL,
      PRIMARY KEY (partition, sample),
      FOREIGN KEY (partition, part) REFERENCES partitionPart (partition, name)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE view (
      id INTEGER PRIMARY KEY,
      name TEXT NOT NULL UNIQUE,
      dataset INTEGER NOT NULL REFERENCES dataset (id),
      parts TEXT NOT NULL,  -- separated by '/'; the samples are in all of them
      expression TEXT NOT NULL
    ) STRICT;

    CREATE TRIGGER viewNamedAsDataset BEFORE INSERT ON view
    WHEN EXISTS (SELECT 1 FROM dataset WHERE name = NEW.name)
    BEGIN SELECT RAISE(ABORT, 'datasets and views share one space of names'); END;
    CREATE TRIGGER datasetNamedAsView BEFORE INSERT ON dataset
    WHEN EXISTS (SELECT 1 FROM view WHERE name = NEW.name)
    BEGIN SELECT RAISE(ABORT, 'datasets and views share one space of names'); END;

    CREATE TABLE model (
      id INTEGER PRIMARY KEY,
      name TEXT NOT NULL UNIQUE,
      hash TEXT NOT NULL,
      task TEXT NOT NULL,
      path TEXT NOT NULL,
      manifest TEXT NOT NULL
    ) STRICT;

    CREATE TABLE run (
      id INTEGER PRIMARY KEY,
      name TEXT NOT NULL UNIQUE,
      model INTEGER REFERENCES model (id),  -- NULL for imported predictions
      dataset INTEGER NOT NULL REFERENCES dataset (id),
      datasetVersion INTEGER NOT NULL,
      view TEXT NOT NULL,
      settings TEXT NOT NULL,
      versions TEXT NOT NULL,
      samplesHash TEXT NOT NULL,
      createdAt TEXT NOT NULL
    ) STRICT;

    CREATE TABLE runClass (
      run INTEGER NOT NULL REFERENCES run (id),
      ordinal INTEGER NOT NULL,
      name TEXT NOT NULL,
      PRIMARY KEY (run, ordinal),
      UNIQUE (run, name)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE runSample (
      run INTEGER NOT NULL REFERENCES run (id),
      sample INTEGER NOT NULL REFERENCES sample (id),
      position INTEGER NOT NULL,
      status TEXT NOT NULL,  -- pending, done or failed
      message TEXT,
      PRIMARY KEY (run, sample),
      UNIQUE (run, position)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE prediction (
      run INTEGER NOT NULL,
      sample INTEGER NOT NULL,
      ordinal INTEGER NOT NULL,  -- within run and sample, from 0
      class INTEGER NOT NULL,  -- runClass.ordinal
      confidence REAL NOT NULL,
      margin REAL NOT NULL,
      scores BLOB NOT NULL,  -- float32, little-endian, in the order of runClass
      PRIMARY KEY (run, sample, ordinal),
      FOREIGN KEY (run, sample) REFERENCES runSample (run, sample),
      FOREIGN KEY (run, class) REFERENCES runClass (run, ordinal)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE evaluation (
      id INTEGER PRIMARY KEY,
      run INTEGER NOT NULL REFERENCES run (id),
      name TEXT NOT NULL,
      settings TEXT NOT NULL,
      createdAt TEXT NOT NULL,
      UNIQUE (run, name)
    ) STRICT;

    CREATE TABLE evaluationClass (
      evaluation INTEGER NOT NULL REFERENCES evaluation (id),
      ordinal INTEGER NOT NULL,
      name TEXT NOT NULL,
      PRIMARY KEY (evaluation, ordinal),
      UNIQUE (evaluation, name)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE tally (
      evaluation INTEGER NOT NULL REFERENCES evaluation (id),
      sample INTEGER NOT NULL REFERENCES sample (id),
      truth INTEGER NOT NULL,  -- evaluationClass.ordinal, as is predicted
      predicted INTEGER NOT NULL,
      rank INTEGER NOT NULL,
      confidence REAL NOT NULL,
      margin REAL NOT NULL,
      PRIMARY KEY (evaluation, sample)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE score (
      id INTEGER PRIMARY KEY,
      evaluation INTEGER NOT NULL REFERENCES evaluation (id),
      metric TEXT NOT NULL,
      category TEXT,
      slice TEXT,
      value REAL,  -- NULL where undefined
      low REAL,
      high REAL,
      n INTEGER NOT NULL,
      defined INTEGER,
      total INTEGER
    ) STRICT;
    CREATE UNIQUE INDEX scoreByKey
    ON score (evaluation, metric, ifnull(category, ''), ifnull(slice, ''));
    """
}
