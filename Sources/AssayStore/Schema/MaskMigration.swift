extension Migrations {
  /// Regions with their geometry, class counts per sample, runs and evaluations of segmentation.
  static let masks = """
    ALTER TABLE category ADD COLUMN isVoid INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE category ADD COLUMN hasUnions INTEGER NOT NULL DEFAULT 0;
    -- whether sampleCategory.unionArea is there for every sample that is not retired
    ALTER TABLE annotationSet ADD COLUMN regions INTEGER NOT NULL DEFAULT 0;
    -- annotations of the current import that are no label of the whole image
    ALTER TABLE sample ADD COLUMN sourceId ANY;
    ALTER TABLE issue ADD COLUMN pointer TEXT;
    ALTER TABLE run ADD COLUMN task TEXT NOT NULL DEFAULT 'classification';

    CREATE TABLE geometry (
      id INTEGER PRIMARY KEY,
      bytes BLOB NOT NULL  -- packed as the annotation's shape says
    ) STRICT;

    ALTER TABLE annotation ADD COLUMN isCrowd INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE annotation ADD COLUMN area REAL;  -- pixels, as the source states it
    ALTER TABLE annotation ADD COLUMN x REAL;  -- the box, pixels
    ALTER TABLE annotation ADD COLUMN y REAL;
    ALTER TABLE annotation ADD COLUMN width REAL;
    ALTER TABLE annotation ADD COLUMN height REAL;
    ALTER TABLE annotation ADD COLUMN attributes TEXT;  -- JSON
    ALTER TABLE annotation ADD COLUMN geometry INTEGER REFERENCES geometry (id);

    CREATE TABLE sampleCategory (
      annotationSet INTEGER NOT NULL REFERENCES annotationSet (id),
      category INTEGER NOT NULL REFERENCES category (id),
      sample INTEGER NOT NULL REFERENCES sample (id),
      count INTEGER NOT NULL,  -- without crowds
      crowdCount INTEGER NOT NULL,
      unionArea INTEGER,  -- pixels, crowds included; NULL until first used
      PRIMARY KEY (annotationSet, category, sample)
    ) STRICT, WITHOUT ROWID;
    INSERT INTO sampleCategory (annotationSet, category, sample, count, crowdCount)
    SELECT annotationSet, category, sample, count(*), 0 FROM annotation GROUP BY 1, 2, 3;

    CREATE TABLE maskPrediction (
      run INTEGER NOT NULL,
      sample INTEGER NOT NULL,
      class INTEGER NOT NULL,  -- runClass.ordinal
      area INTEGER NOT NULL,  -- pixels of the image
      meanInside REAL,  -- mean probability of the mask's pixels; NULL where it has none
      meanDistance REAL NOT NULL,  -- mean |p - 1/2| over the map
      counts BLOB,  -- the mask as COCO's compressed run lengths, where the run keeps no map
      PRIMARY KEY (run, sample, class),
      FOREIGN KEY (run, sample) REFERENCES runSample (run, sample),
      FOREIGN KEY (run, class) REFERENCES runClass (run, ordinal)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE probabilityMap (
      id INTEGER PRIMARY KEY,
      run INTEGER NOT NULL,
      sample INTEGER NOT NULL,
      class INTEGER NOT NULL,  -- runClass.ordinal
      width INTEGER NOT NULL,  -- the model's output size
      height INTEGER NOT NULL,
      bytes BLOB NOT NULL,  -- zlib of floor(255 p + 1/2), row by row
      UNIQUE (run, sample, class),
      FOREIGN KEY (run, sample) REFERENCES runSample (run, sample),
      FOREIGN KEY (run, class) REFERENCES runClass (run, ordinal)
    ) STRICT;

    CREATE TABLE pixelTally (
      evaluation INTEGER NOT NULL REFERENCES evaluation (id),
      sample INTEGER NOT NULL REFERENCES sample (id),
      void INTEGER NOT NULL,  -- pixels left out
      iou REAL,  -- NULL where undefined, as are those below
      dice REAL,
      pixelAccuracy REAL,
      boundaryIoU REAL,
      precision REAL,
      recall REAL,
      unsureness REAL,  -- 0 to 1; of one class 1 - 2 * mean |p - 0.5| over the map
      centreOffset REAL,  -- the mask's center of mass from its box's center, in box diagonals
      confusion BLOB NOT NULL,  -- int64 little-endian: evaluation's classes squared, a row a truth
      boundary BLOB NOT NULL,  -- int64 little-endian: intersection and union of each class
      PRIMARY KEY (evaluation, sample)
    ) STRICT, WITHOUT ROWID;
    """
}
