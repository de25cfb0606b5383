import AssayCore
import GRDB

/// Finds the sample that entries refer to: the one with their key, else the one that now has their
/// image.
struct EntrySampleLookup {
  /// A sample of a dataset.
  struct Found: Hashable, Sendable {
    var id: Int64
    var key: String
    /// `nil` if it has not been computed.
    var contentHash: String?
  }

  private let datasets: [String: MirroredDataset]
  /// Hashes that could not be kept in the catalog, by row id.
  private let known: [Int64: String]
  private let find: RawStatement
  private let findImage: RawStatement
  private let unhashed: RawStatement

  init(
    _ datasets: [String: MirroredDataset], known: [Int64: String], in database: Database
  ) throws {
    self.datasets = datasets
    self.known = known
    find = try RawStatement(
      database,
      """
      SELECT id, key, contentHash FROM main.sample WHERE dataset = ?1 AND key = ?2 AND retired = 0
      """)
    findImage = try RawStatement(
      database,
      """
      SELECT id, key, contentHash FROM main.sample
      WHERE dataset = ?1 AND retired = 0 AND contentHash IS NOT NULL
      """)
    unhashed = try RawStatement(
      database,
      """
      SELECT id, key, contentHash FROM main.sample
      WHERE dataset = ?1 AND retired = 0 AND contentHash IS NULL
      """)
  }

  func dataset(_ name: String) -> MirroredDataset? { datasets[name] }

  /// The sample with this dataset and key; `nil` if there is none.
  func sample(at place: CorrectedSampleName) throws -> Found? {
    guard let dataset = datasets[place.dataset] else { return nil }
    find.bind(dataset.id, at: 1)
    find.bind(place.key, at: 2)
    defer { find.reset() }
    return try find.step() ? found(find) : nil
  }

  /// The samples of a dataset by their images' hashes, without samples whose hash has not been
  /// computed.
  func images(of dataset: MirroredDataset) throws -> [String: [Found]] {
    var images: [String: [Found]] = [:]
    findImage.bind(dataset.id, at: 1)
    defer { findImage.reset() }
    while try findImage.step() {
      let sample = found(findImage)
      if let hash = sample.contentHash { images[hash, default: []].append(sample) }
    }
    unhashed.bind(dataset.id, at: 1)
    defer { unhashed.reset() }
    while !known.isEmpty, try unhashed.step() {
      let sample = found(unhashed)
      if let hash = sample.contentHash { images[hash, default: []].append(sample) }
    }
    return images
  }

  /// The samples whose images must be hashed before the entries can be assigned: by dataset,
  /// ascending.
  ///
  /// If a key no longer exists, its image can be anywhere in the dataset.
  func unhashed(_ places: Set<CorrectedSampleName>) throws -> [Int64: [Int64]] {
    var wanted: [Int64: Set<Int64>] = [:]
    var searched: Set<Int64> = []
    for place in places.sorted() {
      guard let dataset = datasets[place.dataset] else { continue }
      if let sample = try sample(at: place) {
        if sample.contentHash == nil { wanted[dataset.id, default: []].insert(sample.id) }
      } else if searched.insert(dataset.id).inserted {
        unhashed.bind(dataset.id, at: 1)
        defer { unhashed.reset() }
        while try unhashed.step() {
          let id = unhashed.integer(0)
          if known[id] == nil { wanted[dataset.id, default: []].insert(id) }
        }
      }
    }
    return wanted.mapValues { $0.sorted() }
  }

  private func found(_ row: RawStatement) -> Found {
    let id = row.integer(0)
    return Found(id: id, key: row.text(1), contentHash: row.optionalText(2) ?? known[id])
  }
}
