import AssayCore
import Foundation
import GRDB

/// Executes a plan within a transaction of the mirror.
final class MirrorUpdate {
  /// The number of samples that a thread replays at a time.
  private static let chunk = 256

  private let plan: MirrorPlan
  private let target: MirrorTarget
  private let ledger: Ledger
  private let resolution: EntrySampleLookup
  private let schema: String
  private let database: Database
  private let state: Int64
  private let writer: MirrorWriter
  /// The samples to replay.
  private var dirty: Set<Int64> = []
  /// The datasets to count again.
  private var names: Set<String>
  private var images: [Int64: [String: [EntrySampleLookup.Found]]] = [:]

  init(
    _ plan: MirrorPlan, _ target: MirrorTarget, _ ledger: Ledger, _ resolution: EntrySampleLookup,
    schema: String, in database: Database
  ) throws {
    self.plan = plan
    self.target = target
    self.ledger = ledger
    self.resolution = resolution
    self.schema = schema
    self.database = database
    names = plan.stale.union(plan.touched.map(\.dataset))
    for state in plan.dropped { try CorrectionMirror.drop(state, schema: schema, in: database) }
    if let old = plan.state {
      state = old
    } else {
      state = try database.insert(
        """
        INSERT INTO \(schema).truthState (ledger, sequence, hash, isHead) VALUES (?, ?, ?, ?)
        """,
        [target.ledger, target.head.sequence, Data(target.head.hash), target.isHead])
    }
    writer = try MirrorWriter(state: state, schema: schema, in: database)
  }

  /// - Throws: any error that the catalog's progress throws.
  func run(catalog: Catalog, workers: Int) throws {
    for name in plan.stale where plan.state != nil {
      guard let dataset = plan.datasets[name] else { continue }
      dirty.formUnion(
        try Int64.fetchAll(
          database,
          sql: """
            SELECT z.sample FROM \(schema).correctedSample z CROSS JOIN main.sample s
            WHERE z.state = ? AND s.id = z.sample AND s.dataset = ?
            """, arguments: [state, dataset.id]))
    }
    for place in plan.touched.sorted() { try resolve(place) }
    try replay(catalog, workers: workers)
    try finish()
  }

  /// Finds the sample that the entries for a name refer to.
  private func resolve(_ place: CorrectedSampleName) throws {
    if plan.state != nil { dirty.formUnion(try writer.forget(place)) }
    if let sample = try resolution.sample(at: place) {
      dirty.insert(sample.id)
      return
    }
    let adopted = Set(
      try String.fetchAll(
        database,
        sql: """
          SELECT contentHash FROM \(schema).correctionPlace
          WHERE state = ? AND dataset = ? AND key = ?
          """, arguments: [state, place.dataset, place.key]))
    let dataset = resolution.dataset(place.dataset)
    if let dataset, images[dataset.id] == nil {
      images[dataset.id] = try resolution.images(of: dataset)
    }
    let entries = try ledger.entries(
      upTo: target.head.sequence, dataset: place.dataset, key: place.key)
    for (hash, group) in Dictionary(grouping: entries, by: \.sample.contentHash)
      .sorted(by: { $0.value[0].sequence < $1.value[0].sequence }) where !adopted.contains(hash)
    {
      let found = dataset.flatMap { images[$0.id]?[hash] } ?? []
      if found.count == 1 {
        dirty.insert(found[0].id)
        try writer.write(
          SampleIdentity(dataset: place.dataset, key: place.key, contentHash: hash),
          of: found[0].id, upTo: nil)
      }
      try writer.write(
        CorrectionIssue(
          gone: place, entries: group.count, hasDataset: dataset != nil, found: found))
    }
  }

  private func replay(_ catalog: Catalog, workers: Int) throws {
    let jobs = try ReplayJobs(
      of: state, schema: schema, resolution, plan.datasets, in: database)
    let ids = dirty.sorted()
    let (ledger, last) = (ledger, target.head.sequence)
    var (next, done) = (0, 0)
    func report() throws {
      try catalog.progress?(
        ids.isEmpty ? 1 : Double(done) / Double(ids.count), "applying corrections")
    }
    try report()
    try OrderedWorkers(workers: workers, window: 2 * workers).run(
      next: { () -> [ReplayJob]? in
        guard next < ids.count else { return nil }
        let end = min(ids.count, next + Self.chunk)
        defer { next = end }
        return try ids[next..<end].compactMap { id in
          if plan.state != nil { try writer.delete(id) }
          guard let job = try jobs.job(id) else { return nil }
          names.insert(job.identity.dataset)
          return job
        }
      },
      transform: { _, jobs in
        try catalog.withReader("reading annotations") { database in
          let reader = try ImportedTruthReader(database)
          return try ReplayJob.run(jobs, reader, ledger, upTo: last)
        }
      },
      deliver: { results in
        for result in results { try write(result) }
        done += Self.chunk
        try report()
      })
  }

  private func write(_ result: ReplayJob.Result) throws {
    let identity = result.job.identity
    if plan.state != nil { try writer.deleteOwnIssues(of: identity) }
    guard let sample = result.sample else { return }
    try writer.write(sample, annotationSet: result.job.annotationSet)
    for (place, last) in result.adopted {
      names.insert(place.dataset)
      try writer.write(place, of: sample.sample, upTo: last)
    }
    for issue in CorrectionIssue.issues(of: sample, identity) { try writer.write(issue) }
  }

  /// Counts, and records the inputs of the state.
  private func finish() throws {
    if plan.state == nil {
      names.formUnion(
        try String.fetchAll(
          database,
          sql: "SELECT DISTINCT dataset FROM \(schema).correctionIssue WHERE state = ?",
          arguments: [state]))
    }
    for name in names { try count(name) }
    try database.execute(
      sql: "UPDATE \(schema).truthState SET sequence = ?, hash = ? WHERE id = ?",
      arguments: [target.head.sequence, Data(target.head.hash), state])
    if target.isHead { try database.execute(sql: "DELETE FROM \(schema).staleTruth") }
  }

  private func count(_ name: String) throws {
    let dataset = plan.datasets[name]
    let issues =
      try Int.fetchOne(
        database,
        sql: """
          SELECT count(DISTINCT key) FROM \(schema).correctionIssue
          WHERE state = ? AND dataset = ? AND kind <> 'moved'
          """, arguments: [state, name]) ?? 0
    guard dataset != nil || issues > 0 else {
      try database.execute(
        sql: "DELETE FROM \(schema).truthDataset WHERE state = ? AND name = ?",
        arguments: [state, name])
      return
    }
    try database.execute(
      sql: """
        INSERT OR REPLACE INTO \(schema).truthDataset
          (state, name, dataset, version, corrections, samples, leftOut, conflicts, issues)
        SELECT ?1, ?2, ?3, ?4, ifnull(sum(z.corrections), 0), ifnull(sum(z.corrections > 0), 0),
          ifnull(sum(z.leftOut IS NOT NULL), 0), ifnull(sum(z.conflicts), 0), ?5
        FROM \(schema).correctedSample z CROSS JOIN main.sample s
        WHERE z.state = ?1 AND s.id = z.sample AND s.dataset = ?3
        """, arguments: [state, name, dataset?.id, dataset?.version, issues])
  }
}

extension CorrectionMirror {
  /// Deletes a state.
  static func drop(_ state: Int64, schema: String, in database: Database) throws {
    try database.execute(
      sql: """
        DELETE FROM \(schema).correctedGeometry
        WHERE id IN (SELECT correctedGeometry FROM \(schema).correctedAnnotation WHERE state = ?)
        """, arguments: [state])
    for table in [
      "correctedSampleCategory", "correctedAnnotation", "correctedBy", "correctedSample",
      "correctionPlace", "correctionIssue", "truthDataset", "sampleTag", "sampleNote",
      "sampleField",
    ] {
      try database.execute(
        sql: "DELETE FROM \(schema).\(table) WHERE state = ?", arguments: [state])
    }
    try database.execute(
      sql: "DELETE FROM \(schema).truthState WHERE id = ?", arguments: [state])
  }
}
