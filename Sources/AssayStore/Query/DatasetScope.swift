import AssayCore
import GRDB

/// What names can mean within one dataset: its splits, classes and partitions.
struct DatasetScope {
  let dataset: DatasetRecord
  /// The splits as the source spells them, sorted.
  let splits: [String]
  let labels: LabelSet
  let partitions: [PartitionRecord]

  init(of dataset: DatasetRecord, in database: Database) throws {
    self.dataset = dataset
    splits = try String.fetchAll(
      database,
      sql: """
        SELECT DISTINCT sourceSplit FROM sample
        WHERE dataset = ? AND retired = 0 AND sourceSplit IS NOT NULL ORDER BY 1
        """, arguments: [dataset.id])
    labels = try LabelSet(of: dataset.id, in: database)
    partitions = try PartitionRecord.fetchAll(of: dataset.id, in: database)
  }

  /// The stored spellings that a name finds: the same one, else those that mean the same split.
  func splits(matching name: String) -> [String] {
    splits.contains(name) ? [name] : splits.filter { SplitName.match($0, name) }
  }

  /// All parts: the source's splits, then those of the partitions.
  var parts: [String] { splits + partitions.flatMap { $0.parts.map(\.part) } }

  /// Whether a sample `s` is in a part; `nil` where the dataset has no such part.
  func isIn(part name: String) -> Condition? {
    if partitions.contains(where: { $0.parts.contains { $0.part == name } }) {
      return isIn(part: name, of: partitions)
    }
    let spellings = splits(matching: name)
    guard !spellings.isEmpty else { return nil }
    return Condition(
      "ifnull(s.sourceSplit IN (\(Condition.placeholders(spellings.count))), 0)", spellings)
  }

  /// Whether a sample `s` is in a part of one of these partitions.
  func isIn(part name: String, of partitions: [PartitionRecord]) -> Condition {
    let owners = partitions.filter { $0.parts.contains { $0.part == name } }
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
  func unknown(part: String) -> StoreError {
    .unknownPart(
      part, dataset: dataset.name, suggestion: NearMiss.suggestion(for: part, among: parts),
      known: parts)
  }
}
