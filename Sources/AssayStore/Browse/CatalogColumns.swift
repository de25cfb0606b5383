import AssayCore
import GRDB

/// The columns of a dataset's samples, one element per sample, by ascending id; without retired samples.
package struct SampleColumns: Sendable {
  /// The samples' row ids, ascending.
  package var ids: [Int64] = []
  /// The splits as the source spells them, in the order of their first sample.
  package var splits: [String] = []
  /// The index of each sample's split; −1 for none.
  package var split: [Int32] = []
  /// The ordinal of each sample's only label in the dataset's taxonomy; −1 for none.
  package var label: [Int32] = []
}

/// Something that samples have, of which each can have several: a class, an issue.
package struct TraitList: Sendable {
  /// A sample's row id, and the index of what it has.
  package var pairs: [(sample: Int64, trait: Int32)] = []
}

/// The predictions of a run of one label per image, one element per sample.
package struct PredictionColumns: Sendable {
  /// The ordinal of the predicted class; −1 for none.
  package var `class`: [Int32]
  /// NaN for none.
  package var confidence: [Double]
  package var margin: [Double]

  init(count: Int) {
    `class` = [Int32](repeating: -1, count: count)
    confidence = [Double](repeating: .nan, count: count)
    margin = confidence
  }
}

/// The state of a catalog file, which changes with each write of any process.
package struct CatalogState: Hashable, Sendable {
  /// SQLite's counter of other connections' writes.
  private let others: Int64
  /// The number of rows that this connection has changed.
  private let own: Int64

  init(others: Int64, own: Int64) {
    self.others = others
    self.own = own
  }
}

extension Catalog {
  /// The present state, to compare with a later one.
  package func state() throws -> CatalogState {
    try read("reading its state") { database in
      CatalogState(
        others: try Int64.fetchOne(database, sql: "PRAGMA data_version") ?? 0,
        own: Int64(database.totalChangesCount))
    }
  }

  /// The columns of all samples of a dataset, in one scan.
  package func columns(of dataset: DatasetRecord) throws -> SampleColumns {
    try withReader("reading samples") { database in
      let set = try AnnotationSet(of: dataset.id, in: database).annotationSet
      let statement = try RawStatement(
        database,
        """
        SELECT s.id, s.sourceSplit, c.ordinal FROM sample s \(truth.labelJoin(set: "?1"))
        LEFT JOIN category c ON c.id = \(truth.label)
        WHERE +s.dataset = ?2 AND s.retired = 0 ORDER BY s.id
        """)
      statement.bind([set.databaseValue, dataset.id.databaseValue])
      var columns = SampleColumns()
      var places: [String: Int32] = [:]
      columns.ids.reserveCapacity(dataset.samples)
      columns.split.reserveCapacity(dataset.samples)
      columns.label.reserveCapacity(dataset.samples)
      while try statement.step() {
        columns.ids.append(statement.integer(0))
        var split: Int32 = -1
        if let name = statement.optionalText(1) {
          if let known = places[name] {
            split = known
          } else {
            split = Int32(columns.splits.count)
            places[name] = split
            columns.splits.append(name)
          }
        }
        columns.split.append(split)
        columns.label.append(
          statement.optionalInteger(2).map { Int32(truncatingIfNeeded: $0) } ?? -1)
      }
      return columns
    }
  }

  /// Returns whether samples of a dataset have labels beside their regions, or several without being a multi-label
  /// dataset.
  package func hasTags(in dataset: DatasetRecord) throws -> Bool {
    try read("reading its annotations") { try AnnotationSet(of: dataset.id, in: $0).hasTags }
  }

  /// The classes of each sample's labels, boxes and regions, as ordinals in the dataset's taxonomy.
  package func classTraits(of dataset: DatasetRecord) throws -> TraitList {
    try withReader("reading classes of samples") { database in
      let set = try AnnotationSet(of: dataset.id, in: database).annotationSet
      return try Self.traits(
        """
        SELECT k.sample, c.ordinal FROM \(truth.sampleCategory) k
        JOIN category c ON c.id = k.category
        WHERE k.annotationSet = ? AND c.ordinal IS NOT NULL ORDER BY k.sample
        """, [set.databaseValue], in: database)
    }
  }

  /// The kinds of issues of the present import and of findings of checks, with their names.
  package func issueTraits(
    of dataset: DatasetRecord
  ) throws -> (names: [String], traits: TraitList) {
    try withReader("reading issues of samples") { database in
      try Self.namedTraits(
        """
        SELECT DISTINCT x.sample, x.kind FROM issue x JOIN sample s ON s.id = x.sample
        WHERE s.dataset = ?1
        UNION SELECT y.sample, f.kind FROM findingSample y JOIN finding f ON f.id = y.finding
        JOIN sample s ON s.id = y.sample WHERE s.dataset = ?1 ORDER BY 1
        """, [dataset.id.databaseValue], in: database)
    }
  }

  /// The tags of samples, with their names; none without a ledger.
  package func tagTraits(
    of dataset: DatasetRecord
  ) throws -> (names: [String], traits: TraitList) {
    guard let marks = truth.marks else { return ([], TraitList()) }
    return try withReader("reading tags of samples") { database in
      try Self.namedTraits(
        """
        SELECT g.sample, g.tag FROM \(truth.schema).sampleTag g JOIN sample s ON s.id = g.sample
        WHERE g.state = ?1 AND s.dataset = ?2 ORDER BY g.sample
        """, [marks.databaseValue, dataset.id.databaseValue], in: database)
    }
  }

  /// The samples of a statement with the names of what they have, each name once.
  private static func namedTraits(
    _ sql: String, _ arguments: [DatabaseValue], in database: Database
  ) throws -> (names: [String], traits: TraitList) {
    let statement = try RawStatement(database, sql)
    statement.bind(arguments)
    var names: [String] = []
    var places: [String: Int32] = [:]
    var traits = TraitList()
    while try statement.step() {
      let name = statement.text(1)
      let place = places[name] ?? Int32(names.count)
      if places[name] == nil {
        places[name] = place
        names.append(name)
      }
      traits.pairs.append((statement.integer(0), place))
    }
    return (names, traits)
  }

  /// The predictions of a run of one label per image for samples, in one scan.
  ///
  /// - Parameter samples: ascending row ids.
  package func predictionColumns(
    of run: RunRecord, for samples: [Int64]
  ) throws -> PredictionColumns {
    try withReader("reading predictions") { database in
      let statement = try RawStatement(
        database,
        """
        SELECT sample, class, confidence, margin FROM prediction
        WHERE run = ? AND ordinal = 0 ORDER BY sample
        """)
      statement.bind([run.id.databaseValue])
      var columns = PredictionColumns(count: samples.count)
      var place = 0
      while try statement.step() {
        let sample = statement.integer(0)
        while place < samples.count, samples[place] < sample { place += 1 }
        guard place < samples.count, samples[place] == sample else { continue }
        columns.class[place] = Int32(truncatingIfNeeded: statement.integer(1))
        columns.confidence[place] = statement.optionalReal(2) ?? .nan
        columns.margin[place] = statement.optionalReal(3) ?? .nan
      }
      return columns
    }
  }

  /// Those of some samples for which a run has a result.
  package func answered(_ samples: [Int64], by run: Int64) throws -> [Int64] {
    try withReader("reading the samples of a run") { database in
      let statement = try RawStatement(
        database,
        "SELECT 1 FROM runSample WHERE run = ?1 AND sample = ?2 AND status = 'done'")
      statement.bind(run, at: 1)
      return try samples.filter { sample in
        statement.bind(sample, at: 2)
        defer { statement.reset() }
        return try statement.step()
      }
    }
  }

  private static func traits(
    _ sql: String, _ arguments: [DatabaseValue], in database: Database
  ) throws -> TraitList {
    let statement = try RawStatement(database, sql)
    statement.bind(arguments)
    var traits = TraitList()
    while try statement.step() {
      traits.pairs.append(
        (statement.integer(0), Int32(truncatingIfNeeded: statement.integer(1))))
    }
    return traits
  }

  /// The ids of the samples that ``samples(in:where:orderedBy:limit:)`` would return, in its order, each with the
  /// number or the text that is sorted by.
  ///
  /// - Throws: ``StoreError/expression(_:)``.
  package func ids(
    in selection: Selection, where expression: String?, orderedBy order: SampleOrder?
  ) throws -> (ids: [Int64], numbers: [Double?], texts: [String?]) {
    try asking("listing samples") { database in
      let query = try SampleQuery(selection, where: expression, truth: truth, in: database)
      guard let order else { return (try query.ids(in: database), [], []) }
      return try query.ids(orderedBy: order, in: database)
    }
  }

  /// A numeric field of all samples of a dataset, by ascending id; NaN where a sample has none.
  ///
  /// - Parameter field: as in an expression of the view language.
  /// - Throws: ``StoreError/expression(_:)`` for a field that is not a number.
  package func numberColumn(_ field: String, of selection: Selection) throws -> [Double] {
    try asking("reading numbers of samples") { database in
      let query = try SampleQuery(selection, truth: truth, in: database)
      return try query.numbers(field, in: database).map { $0 ?? .nan }
    }
  }
}

extension Selection {
  /// All samples of a dataset, with those that people excluded.
  package static func all(of dataset: DatasetRecord) -> Selection {
    var all = Selection(name: dataset.name, dataset: dataset, parts: [], expression: nil)
    all.includesLeftOut = true
    return all
  }
}
