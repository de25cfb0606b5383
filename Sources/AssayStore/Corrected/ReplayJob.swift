import AssayCore
import GRDB

/// A sample to replay.
struct ReplayJob: Sendable {
  struct Result: Sendable {
    var job: ReplayJob
    /// `nil` if no entry refers to it.
    var sample: MirroredSample?
    /// The adopted names, each with the last entry that counts.
    var adopted: [(place: SampleIdentity, upTo: Int64)]
  }

  var sample: Int64
  /// The hash is empty if the image cannot be read: no entry is then known to refer to it.
  var identity: SampleIdentity
  var movedFrom: [SampleIdentity]
  var annotationSet: Int64
  /// The row ids of the dataset's classes by name.
  var categories: [String: Int64]

  /// The bytes of payloads that are read before the samples are replayed.
  private static let payloadLimit = 16 << 20

  /// Replays jobs in order, without those whose sample no longer exists.
  static func run(
    _ jobs: [ReplayJob], _ reader: ImportedTruthReader, _ ledger: Ledger, upTo last: Int64
  ) throws -> [Result] {
    var results: [Result] = []
    var rest = jobs[...]
    while !rest.isEmpty {
      let read = try ledger.readingSamples { reader in
        var read: [SampleEntries] = []
        var size = 0
        for job in rest {
          if size >= payloadLimit { break }
          let entries = try SampleEntries(
            of: job.identity, movedFrom: job.movedFrom, upTo: last, reader: reader)
          size += entries.entries.reduce(0) { $0 + $1.payload.utf8.count }
          read.append(entries)
        }
        return read
      }
      for (job, entries) in zip(rest, read) {
        if let result = try job.run(entries, reader, ledger, upTo: last) { results.append(result) }
      }
      rest = rest.dropFirst(read.count)
    }
    return results
  }

  /// - Returns: `nil` if the sample no longer exists.
  private func run(
    _ read: SampleEntries, _ reader: ImportedTruthReader, _ ledger: Ledger, upTo last: Int64
  ) throws -> Result? {
    guard !read.entries.isEmpty else {
      return Result(job: self, sample: nil, adopted: read.adopted)
    }
    guard var imported = try reader.sampleIfThere(sample) else { return nil }
    imported.truth = imported.truth.replaying(ledger: ledger.uuid)
    let truth = CorrectionReplay.replay(
      imported.truth, read.entries, contentHash: identity.contentHash, upTo: last)
    return Result(
      job: self, sample: MirroredSample(imported, truth, categories: categories),
      adopted: read.adopted)
  }
}

/// Creates jobs from row ids.
final class ReplayJobs {
  private let find: RawStatement
  private let moved: RawStatement
  private let resolution: EntrySampleLookup
  private let database: Database
  private var names: [Int64: String] = [:]
  private var classes: [Int64: (set: Int64, categories: [String: Int64])] = [:]

  init(
    of state: Int64, schema: String, _ resolution: EntrySampleLookup,
    _ datasets: [String: MirroredDataset], in database: Database
  ) throws {
    self.resolution = resolution
    self.database = database
    for (name, dataset) in datasets { names[dataset.id] = name }
    find = try RawStatement(
      database, "SELECT dataset, key FROM main.sample WHERE id = ?1 AND retired = 0")
    moved = try RawStatement(
      database,
      """
      SELECT dataset, key, contentHash FROM \(schema).correctionPlace
      WHERE state = \(state) AND sample = ?1 AND upTo IS NULL
      """)
  }

  /// - Returns: `nil` for a sample that no longer exists.
  func job(_ id: Int64) throws -> ReplayJob? {
    find.bind(id, at: 1)
    defer { find.reset() }
    guard try find.step(), let name = names[find.integer(0)] else { return nil }
    let dataset = find.integer(0)
    let known = try classes[dataset] ?? classes(of: dataset)
    let place = CorrectedSampleName(dataset: name, key: find.text(1))
    let hash = try resolution.sample(at: place)?.contentHash
    moved.bind(id, at: 1)
    defer { moved.reset() }
    var movedFrom: [SampleIdentity] = []
    while try moved.step() {
      movedFrom.append(
        SampleIdentity(
          dataset: moved.text(0), key: moved.text(1), contentHash: moved.text(2)))
    }
    return ReplayJob(
      sample: id,
      identity: SampleIdentity(dataset: name, key: place.key, contentHash: hash ?? ""),
      movedFrom: movedFrom, annotationSet: known.set, categories: known.categories)
  }

  private func classes(
    of dataset: Int64
  ) throws -> (set: Int64, categories: [String: Int64]) {
    let labels = try AnnotationSet(of: dataset, in: database)
    var categories: [String: Int64] = [:]
    for (id, category) in labels.categories { categories[category.name] = id }
    classes[dataset] = (labels.annotationSet, categories)
    return (labels.annotationSet, categories)
  }
}
