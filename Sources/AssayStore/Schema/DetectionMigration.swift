extension Migrations {
  /// Runs and evaluations of detection.
  static let detections = """
    CREATE TABLE detection (
      run INTEGER NOT NULL,
      sample INTEGER NOT NULL,
      ordinal INTEGER NOT NULL,  -- within run and sample, from 0: the highest confidence first
      class INTEGER NOT NULL,  -- runClass.ordinal
      confidence REAL NOT NULL,
      x REAL NOT NULL,  -- the box, pixels
      y REAL NOT NULL,
      width REAL NOT NULL,
      height REAL NOT NULL,
      area REAL,  -- the region's pixels; NULL for a box alone
      counts BLOB,  -- the region as COCO's compressed run lengths
      scores BLOB,  -- class as uint32 and score as float32, little-endian, highest first; NULL for the one
      PRIMARY KEY (run, sample, ordinal),
      FOREIGN KEY (run, sample) REFERENCES runSample (run, sample),
      FOREIGN KEY (run, class) REFERENCES runClass (run, ordinal)
    ) STRICT, WITHOUT ROWID;

    ALTER TABLE evaluation ADD COLUMN iouThresholds TEXT;
    -- JSON array; bit k of match.matched and match.ignored is of the k-th. These three are of detection
    ALTER TABLE evaluation ADD COLUMN workingIoU REAL;  -- what match.error and the counts below go by
    ALTER TABLE evaluation ADD COLUMN workingScore REAL;  -- the least score that is counted below

    CREATE TABLE detectionTally (
      evaluation INTEGER NOT NULL REFERENCES evaluation (id),
      sample INTEGER NOT NULL REFERENCES sample (id),
      truths INTEGER NOT NULL,  -- objects that count
      detections INTEGER NOT NULL,  -- this and those below from the working score on
      truePositives INTEGER NOT NULL,
      falsePositives INTEGER NOT NULL,
      classErrors INTEGER NOT NULL,
      placeErrors INTEGER NOT NULL,
      bothErrors INTEGER NOT NULL,
      duplicates INTEGER NOT NULL,
      backgroundErrors INTEGER NOT NULL,
      missed INTEGER NOT NULL,  -- whatever the score
      matches BLOB NOT NULL,  -- packed by the metrics
      errors BLOB NOT NULL,
      PRIMARY KEY (evaluation, sample)
    ) STRICT;  -- with rowids: each match looks its sample up here, past long blobs otherwise

    CREATE TABLE match (
      evaluation INTEGER NOT NULL,
      sample INTEGER NOT NULL,
      ordinal INTEGER NOT NULL,  -- within evaluation and sample, from 0
      prediction INTEGER,  -- detection.ordinal; NULL for an object that was not found
      annotation INTEGER,  -- annotation.ordinal: the object matched, or the one that the error is about
      class INTEGER NOT NULL,  -- evaluationClass.ordinal, of the detection, else of the object
      confidence REAL,
      iou REAL,  -- of the detection and the annotation
      error TEXT,  -- class, place, both, duplicate, background or missed
      matched INTEGER NOT NULL,  -- a bit for each of evaluation.iouThresholds
      ignored INTEGER NOT NULL,
      PRIMARY KEY (evaluation, sample, ordinal),
      FOREIGN KEY (evaluation, sample) REFERENCES detectionTally (evaluation, sample)
    ) STRICT, WITHOUT ROWID;
    """
}
