extension Migrations {
  /// Reviews: lists of samples to review, frozen when they are created.
  static let reviews = """
    CREATE TABLE review (
      id INTEGER PRIMARY KEY,
      name TEXT NOT NULL UNIQUE,
      dataset INTEGER NOT NULL REFERENCES dataset (id),
      subject TEXT NOT NULL,  -- as typed: a view, runs, or both
      ordering TEXT NOT NULL,  -- uncertainty, disagreement or random
      expression TEXT,
      settings TEXT NOT NULL,  -- JSON: with the same settings a review is the same one
      seed INTEGER NOT NULL,
      createdAt TEXT NOT NULL
    ) STRICT;

    CREATE TABLE reviewSample (
      review INTEGER NOT NULL REFERENCES review (id),
      position INTEGER NOT NULL,  -- from 0
      sample INTEGER NOT NULL REFERENCES sample (id),
      score REAL,  -- what it was put in its place by; NULL in a random order
      reason TEXT NOT NULL,  -- the same in words
      PRIMARY KEY (review, position),
      UNIQUE (review, sample)
    ) STRICT, WITHOUT ROWID;
    """

  /// The people to whom samples of reviews are assigned.
  static let reviewPeople = """
    CREATE TABLE reviewAssignment (
      review INTEGER NOT NULL REFERENCES review (id),
      sample INTEGER NOT NULL REFERENCES sample (id),
      author TEXT NOT NULL,
      isShared INTEGER NOT NULL,  -- whether several people correct it independently
      PRIMARY KEY (review, sample, author)
    ) STRICT, WITHOUT ROWID;
    """
}
