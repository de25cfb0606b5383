import AssayCore
import Foundation
import GRDB

/// Measures the unions that a query needs, and stores them.
///
/// Threads read and measure ranges of samples; the results are stored every few thousand rows, so
/// that an interrupt loses little. The areas do not depend on the number of threads. If the catalog
/// cannot be written, they are kept only for the connection.
struct UnionComputation {
  /// The number of samples that a thread measures at a time.
  private static let chunk = 128
  /// The number of rows that are stored at a time.
  private static let batch = 20_000

  let catalog: Catalog
  let missing: MissingUnions
  var workers = max(1, ProcessInfo.processInfo.activeProcessorCount)
  /// The time to wait for another process's write, in seconds.
  var busyTimeout = CatalogFile.busyTimeout

  /// - Throws: ``StoreError/damaged(table:_:)``; any error that the catalog's progress throws,
  ///   after the measured unions are stored.
  func run() throws {
    let samples = try catalog.read("looking for regions to measure", pending)
    var sink = UnionSink(catalog: catalog, missing: missing, busyTimeout: busyTimeout)
    var next = 0
    var done = 0
    let (set, categories, catalog) = (missing.annotationSet, missing.categories, catalog)
    let what = try catalog.read("looking for the classes' names", task)
    func report(_ fraction: Double) throws { try catalog.progress?(fraction, what) }
    do {
      try report(0)
      try OrderedWorkers(workers: workers, window: 4 * workers).run(
        next: { () -> ArraySlice<SizedSample>? in
          guard next < samples.count else { return nil }
          let start = next
          next = min(samples.count, next + Self.chunk)
          return samples[start..<next]
        },
        transform: { _, chunk in
          let areas = try catalog.withReader("measuring regions") { database in
            try UnionReader(set, categories: categories, in: database).areas(of: Array(chunk))
          }
          return (samples: chunk.count, areas: areas)
        },
        deliver: { found in
          sink.areas += found.areas
          done += found.samples
          if sink.areas.count >= Self.batch { try sink.store() }
          try report(Double(done) / Double(samples.count))
        })
    } catch {
      try? sink.store()
      throw error
    }
    try sink.finish()
  }

  /// A short description of the operation.
  private func task(_ database: Database) throws -> String {
    guard missing.categories.count == 1 else {
      return "measuring the regions of \(missing.categories.count) classes"
    }
    let name = try String.fetchOne(
      database, sql: "SELECT name FROM category WHERE id = ?", arguments: [missing.categories[0]])
    return "measuring the regions of “\(name ?? "")”"
  }

  /// The samples of known size that lack a union of one of the classes, by id.
  private func pending(_ database: Database) throws -> [SizedSample] {
    let statement = try RawStatement(
      database,
      """
      SELECT x.id, x.width, x.height FROM sampleCategory k JOIN sample x ON x.id = k.sample
      WHERE k.annotationSet = ?1 AND k.category = ?2 AND k.unionArea IS NULL AND x.retired = 0
      """)
    statement.bind(missing.annotationSet, at: 1)
    var sizes: [Int64: ImageSize] = [:]
    for category in missing.categories {
      statement.bind(category, at: 2)
      while try statement.step() {
        let (width, height) = (Int(statement.integer(1)), Int(statement.integer(2)))
        if let size = ImageSize.checked(width: width, height: height) {
          sizes[statement.integer(0)] = size
        }
      }
      statement.reset()
    }
    return sizes.map { SizedSample(id: $0, size: $1) }.sorted { $0.id < $1.id }
  }
}

/// The destination of measured unions: the file, or if it cannot be written, the connection's own
/// table.
private struct UnionSink {
  let catalog: Catalog
  let missing: MissingUnions
  /// Measured but not stored yet.
  var areas: [UnionArea] = []
  private var writer: DatabaseQueue?
  /// The areas that could not be stored.
  private var own: [UnionArea] = []

  init(catalog: Catalog, missing: MissingUnions, busyTimeout: Double) {
    self.catalog = catalog
    self.missing = missing
    writer = try? CatalogFile.openWriter(catalog.path, busyTimeout: busyTimeout)
  }

  /// Stores the measured areas.
  ///
  /// - Throws: ``StaleDataset``.
  mutating func store() throws {
    if let writer {
      do {
        try store(areas, with: writer)
        areas = []
        return
      } catch let error as DatabaseError where CatalogFile.isRefusal(error) {
        self.writer = nil
      }
    }
    own += areas
    areas = []
  }

  /// Stores the rest, and records that the classes are measured.
  mutating func finish() throws {
    try store()
    if own.isEmpty, let writer {
      do {
        try inTransaction(of: writer) { database in
          for category in missing.categories {
            try database.execute(
              sql: "UPDATE category SET hasUnions = 1 WHERE id = ?", arguments: [category])
          }
        }
        return
      } catch let error as DatabaseError where CatalogFile.isRefusal(error) {}
    }
    let kept = own
    try translating(catalog.path, "saving measured areas") {
      try catalog.connection.unsafeReentrantWrite {
        try TemporaryUnions.keep(kept, for: missing, in: $0)
      }
    }
  }

  private func store(_ areas: [UnionArea], with writer: DatabaseQueue) throws {
    // The order of the table.
    let ordered = areas.sorted { ($0.category, $0.sample) < ($1.category, $1.sample) }
    try inTransaction(of: writer) { database in
      let update = try RawStatement(
        database,
        """
        UPDATE sampleCategory SET unionArea = ?4
        WHERE annotationSet = ?1 AND category = ?2 AND sample = ?3 AND unionArea IS NULL
        """)
      update.bind(missing.annotationSet, at: 1)
      for area in ordered {
        update.bind(area.category, at: 2)
        update.bind(area.sample, at: 3)
        update.bind(Int64(area.area), at: 4)
        try update.run()
      }
    }
  }

  /// - Throws: ``StaleDataset`` if the dataset was imported again since it was read.
  private func inTransaction(
    of writer: DatabaseQueue, _ work: (Database) throws -> Void
  ) throws {
    try writer.inDatabase { database in
      try database.inTransaction(.immediate) {
        let now = try Row.fetchOne(
          database, sql: DatasetRecord.query + " WHERE d.id = ?", arguments: [missing.dataset.id]
        ).map(DatasetRecord.init(row:))
        guard now == missing.dataset else { throw StaleDataset() }
        try work(database)
        return .commit
      }
    }
  }
}

/// The dataset changed since it was measured.
struct StaleDataset: Error {}
