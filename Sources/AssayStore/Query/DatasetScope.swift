import AssayCore
import GRDB

/// The names of one dataset: its splits, classes and partitions.
struct DatasetScope {
  /// A partition by its names alone.
  struct Partition {
    var id: Int64
    var name: String
    var parts: [String]
  }

  let dataset: DatasetRecord
  let labels: AnnotationSet
  let partitions: [Partition]
  /// The classes whose unions an expression needs.
  let unions: UnionDemand
  /// The ground truth that the query uses.
  let truth: TruthSource
  private let sourceSplits: SourceSplits

  init(of dataset: DatasetRecord, truth: TruthSource, in database: Database) throws {
    self.dataset = dataset
    self.truth = truth
    labels = try AnnotationSet(of: dataset.id, in: database)
    partitions = try Row.fetchAll(
      database, sql: "SELECT id, name FROM partition WHERE dataset = ? ORDER BY name",
      arguments: [dataset.id]
    ).map { row in
      let parts = try String.fetchAll(
        database, sql: "SELECT name FROM partitionPart WHERE partition = ? ORDER BY ordinal",
        arguments: [row["id"] as Int64])
      return Partition(id: row["id"], name: row["name"], parts: parts)
    }
    unions = try UnionDemand(of: dataset, labels.annotationSet, in: database)
    sourceSplits = SourceSplits(dataset: dataset.id, database: database)
  }

  /// The splits as the source spells them, sorted.
  func splits() throws -> [String] { try sourceSplits.fetch() }

  /// The stored spellings that match a name: the same one, else other spellings of the same split.
  func splits(matching name: String) throws -> [String] {
    let splits = try splits()
    return splits.contains(name) ? [name] : splits.filter { SplitName.match($0, name) }
  }

  /// All parts: the source's splits, then those of the partitions.
  func parts() throws -> [String] { try splits() + partitions.flatMap(\.parts) }

  /// The condition that a sample `s` is in a part; `nil` if the dataset has no such part.
  func isIn(part name: String) throws -> Condition? {
    if partitions.contains(where: { $0.parts.contains(name) }) {
      return isIn(part: name, of: partitions)
    }
    let spellings = try splits(matching: name)
    guard !spellings.isEmpty else { return nil }
    return Condition(
      "ifnull(s.sourceSplit IN (\(Condition.placeholders(spellings.count))), 0)", spellings)
  }

  /// The condition that a sample `s` is in a part of one of these partitions.
  func isIn(part name: String, of partitions: [Partition]) -> Condition {
    let owners = partitions.filter { $0.parts.contains(name) }
    return .any(
      owners.map {
        Condition(
          """
          EXISTS (SELECT 1 FROM partitionMember m \
          WHERE m.partition = ? AND m.sample = s.id AND m.part = ?)
          """, [$0.id, name])
      })
  }

  /// The error for a part that the dataset does not have.
  func unknown(part: String) throws -> StoreError {
    let parts = try parts()
    return .unknownPart(
      part, dataset: dataset.name, suggestion: NearMiss.suggestion(for: part, among: parts),
      known: parts)
  }

  /// - Throws: ``MissingUnions`` if an expression needs unions that do not exist yet.
  func checkUnions() throws { try unions.check() }
}

/// The splits of a dataset, fetched on first use, because this reads all samples.
private final class SourceSplits {
  private let dataset: Int64
  private let database: Database
  private var found: [String]?

  init(dataset: Int64, database: Database) {
    self.dataset = dataset
    self.database = database
  }

  func fetch() throws -> [String] {
    if let found { return found }
    let splits = try String.fetchAll(
      database,
      sql: """
        SELECT DISTINCT sourceSplit FROM sample
        WHERE dataset = ? AND retired = 0 AND sourceSplit IS NOT NULL ORDER BY 1
        """, arguments: [dataset])
    found = splits
    return splits
  }
}
