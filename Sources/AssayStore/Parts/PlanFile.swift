package import AssayCore
import GRDB

/// A plan of a run: the samples that a run is to predict, sorted into shards without a catalog.
///
/// An SQLite file with a few tables of a catalog (dataset, import, model, samples, embedded pixels), the table
/// `planSample`, and a ``FileSeal``.
package struct PlanFile: Sendable {
  package let path: String
  /// The facts that were stored with the plan.
  package let facts: JSONValue
  /// The size of the file in bytes.
  package let size: Int
  /// True if the tables are those of this version of assay.
  package let hasCurrentSchema: Bool

  /// The seal of plans; the application id has the bytes of ``FileDraft/planMark``.
  package static let seal = FileSeal(
    kind: "plan",
    applicationID: FileDraft.planMark.reduce(0) { $0 << 8 | Int32($1) })

  /// Reads the facts of a plan, without reading all of its bytes.
  ///
  /// - Throws: ``PartFault``; `StoreError` if the file cannot be read.
  package init(_ path: String) throws {
    self.path = path
    size = try Self.seal.size(of: path)
    (facts, hasCurrentSchema) = try Self.seal.reading(path) { database in
      guard let text = try String.fetchOne(database, sql: "SELECT facts FROM plan"),
        let facts = try? JSONValue(parsing: text)
      else { throw PartFault.inconsistent("its facts are missing") }
      return (facts, try FileSeal.hasCurrentSchema(database))
    }
  }

  /// Compares the bytes of the whole file with their hash.
  ///
  /// - Throws: ``PartFault``; `StoreError` if the file cannot be read.
  package func verify() throws { try Self.seal.verify(path, size: size) }

  /// Opens the plan as a catalog that is only read.
  ///
  /// - Throws: ``PartFault``; `StoreError` if the file cannot be read.
  package func catalog() throws -> Catalog {
    try FileSeal.judging {
      try translating(path, "opening a plan") {
        Catalog(sealed: path, connection: try FileSeal.connect(path))
      }
    }
  }

  /// The samples of a range of the plan, which is sorted by key, with their positions in the run,
  /// ascending.
  ///
  /// - Throws: ``PartFault``; `StoreError` if the file cannot be read.
  package func samples(_ ranks: Range<Int>) throws -> [(position: Int, sample: SampleRecord)] {
    try Self.seal.reading(path) { database in
      let rows = try RawStatement(
        database,
        """
        SELECT p.position, s.id, s.key, s.location, s.width, s.height
        FROM planSample p JOIN sample s ON s.id = p.sample
        WHERE p.rank >= ?1 AND p.rank < ?2 ORDER BY p.position
        """)
      rows.bind(Int64(ranks.lowerBound), at: 1)
      rows.bind(Int64(ranks.upperBound), at: 2)
      var samples: [(position: Int, sample: SampleRecord)] = []
      while try rows.step() {
        var size: ImageSize?
        if let width = rows.optionalInteger(4), let height = rows.optionalInteger(5) {
          size = ImageSize.checked(width: Int(width), height: Int(height))
          guard size != nil else {
            throw PartFault.inconsistent("the size of a sample is \(width)×\(height)")
          }
        }
        samples.append(
          (
            Int(rows.integer(0)),
            SampleRecord(
              id: rows.integer(1), key: rows.text(2), location: rows.optionalText(3), size: size)
          ))
      }
      guard samples.count == ranks.count else {
        throw PartFault.inconsistent("samples are missing")
      }
      return samples
    }
  }
}

extension Catalog {
  /// Creates a plan of a run of some of this catalog's samples, which is not sealed yet.
  ///
  /// - Parameters:
  ///   - path: a file that does not exist.
  ///   - samples: the samples of the run, in its order.
  ///   - order: the indices of `samples` in the order of their keys.
  ///   - facts: the facts to store.
  ///   - progress: receives the fraction that is done; the work stops if it throws.
  /// - Throws: ``StoreError``; any error that `progress` throws.
  package func makePlan(
    at path: String, dataset: Int64, model: Int64, samples: [SampleRecord], order: [Int],
    facts: JSONValue, progress: (Double) throws -> Void
  ) throws {
    let plan = try Catalog.open(path, .create)
    try plan.keepTables(["annotationSet", "pixels"])
    try plan.writeInPlace()
    let head = try rowsOfRun(dataset: dataset, model: model)
    let total = Double(max(1, 2 * samples.count))
    try plan.write("creating a plan") { database in
      let importID = try head.insert(into: database)
      let insert = try RawStatement(
        database,
        """
        INSERT INTO sample (id, dataset, key, location, width, height, import)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
        """)
      insert.bind(dataset, at: 2)
      insert.bind(importID, at: 7)
      for (index, sample) in samples.enumerated() {
        insert.bind(sample.id, at: 1)
        insert.bind(sample.key, at: 3)
        insert.bind(sample.location, at: 4)
        insert.bind((sample.size?.width).map(Int64.init), at: 5)
        insert.bind((sample.size?.height).map(Int64.init), at: 6)
        try insert.run()
        if index.isMultiple(of: 1024) { try progress(Double(index) / total) }
      }
      try copyPixels(of: samples.filter { $0.location == nil }.map(\.id), to: database) {
        try progress((Double(samples.count) + Double($0)) / total)
      }
      try database.execute(
        sql: """
          CREATE TABLE planSample (
            rank INTEGER PRIMARY KEY,  -- in the order of the keys, from 0
            position INTEGER NOT NULL,  -- in the run
            sample INTEGER NOT NULL REFERENCES sample (id)
          ) STRICT
          """)
      let rank = try RawStatement(
        database, "INSERT INTO planSample (rank, position, sample) VALUES (?1, ?2, ?3)")
      for (number, position) in order.enumerated() {
        rank.bind(Int64(number), at: 1)
        rank.bind(Int64(position), at: 2)
        rank.bind(samples[position].id, at: 3)
        try rank.run()
      }
    }
    try plan.complete(PlanFile.seal) { database in
      try database.execute(sql: "CREATE TABLE plan (facts TEXT NOT NULL) STRICT;  -- JSON")
      try database.execute(
        sql: "INSERT INTO plan (facts) VALUES (?)", arguments: [facts.text()])
    }
  }

  /// Copies embedded pixels to another catalog.
  private func copyPixels(
    of ids: [Int64], to database: Database, _ progress: (Int) throws -> Void
  ) throws {
    guard !ids.isEmpty else { return }
    let insert = try RawStatement(
      database,
      "INSERT INTO pixels (sample, format, width, height, bytes) VALUES (?1, ?2, ?3, ?4, ?5)")
    try forEachPixels(of: ids) { index, format, size, bytes in
      insert.bind(ids[index], at: 1)
      insert.bind(format.rawValue, at: 2)
      insert.bind(Int64(size.width), at: 3)
      insert.bind(Int64(size.height), at: 4)
      insert.bind(noCopy: bytes, at: 5)
      try insert.run()
      if index.isMultiple(of: 1024) { try progress(index) }
    }
  }
}
