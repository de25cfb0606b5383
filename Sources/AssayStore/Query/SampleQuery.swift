import AssayCore
import GRDB

/// The samples of a selection as SQL: a sample is `s`, its label's class `c`.
struct SampleQuery {
  private let condition: Condition
  let scope: DatasetScope
  private let annotationSet: Int64
  /// The number of the dataset's classes.
  private let classCount: Int

  /// - Throws: ``StoreError/expression(_:)`` for the selection's own expression or the additional
  ///   one, ``StoreError/unknownPart(_:dataset:suggestion:known:)``.
  init(
    _ selection: Selection, where expression: String? = nil, truth: TruthSource,
    in database: Database
  ) throws {
    let scope = try DatasetScope(of: selection.dataset, truth: truth, in: database)
    // The plus sign keeps SQLite from taking the index by key, which would need a sort by id.
    var conditions = [Condition("+s.dataset = ? AND s.retired = 0", [selection.dataset.id])]
    for part in selection.parts {
      guard let condition = try scope.isIn(part: part) else {
        throw try scope.unknown(part: part)
      }
      conditions.append(condition)
    }
    for source in [selection.expression, expression].compactMap(\.self) {
      conditions.append(try ViewCompiler.compile(source, in: scope, database))
    }
    if !selection.includesLeftOut, let counts = truth.counts {
      conditions.append(Condition(counts))
    }
    condition = .all(conditions)
    self.scope = scope
    annotationSet = scope.labels.annotationSet
    classCount = scope.labels.categories.count
  }

  /// The table expression; its one parameter comes before those of the condition.
  private var tables: String { "sample s \(scope.truth.labelJoin(set: "?"))" }

  private var arguments: [DatabaseValue] {
    [annotationSet.databaseValue] + condition.arguments
  }

  /// - Throws: ``MissingUnions``; ``StoreError/expression(_:)`` for a field that cannot be sorted
  ///   by.
  func samples(
    orderedBy order: SampleOrder?, limit: Int?, in database: Database
  ) throws -> [SampleRecord] {
    let key = try order.map { try SortKey($0.field, in: scope, database).value }
    try scope.checkUnions()
    let sorting = key.map { "\($0.sql) \(order?.isDescending == true ? "DESC" : "") NULLS LAST, " }
    let statement = try RawStatement(
      database,
      """
      SELECT \(SampleRecord.columns(scope.truth, of: scope.labels))
      FROM \(tables)
      LEFT JOIN category c ON c.id = \(scope.truth.label)
      WHERE \(condition.sql) ORDER BY \(sorting ?? "")s.id LIMIT ?
      """)
    statement.bind(arguments + (key?.arguments ?? []) + [(limit ?? -1).databaseValue])
    var samples: [SampleRecord] = []
    while try statement.step() { samples.append(try SampleRecord(statement, classes: classCount)) }
    return samples
  }

  /// - Throws: ``MissingUnions``; ``StoreError/expression(_:)`` for a field that is not a number.
  func numbers(
    _ fields: [String], of samples: [Int64], in database: Database
  ) throws -> [[Double?]] {
    let columns = try fields.map { try ViewCompiler.compile(field: $0, in: scope, database) }
    try scope.checkUnions()
    let statement = try RawStatement(
      database,
      "SELECT \(columns.map(\.sql).joined(separator: ", ")) FROM sample s WHERE s.id = ?")
    let values = columns.flatMap(\.arguments)
    statement.bind(values)
    return try samples.map { id in
      statement.bind(id, at: Int32(values.count + 1))
      defer { statement.reset() }
      guard try statement.step() else { return fields.map { _ in nil } }
      return fields.indices.map { statement.optionalReal(Int32($0)) }
    }
  }

  /// The samples' ids, ascending.
  ///
  /// - Throws: ``MissingUnions``.
  func ids(in database: Database) throws -> [Int64] {
    let statement = try columns("s.id", in: database)
    var ids: [Int64] = []
    while try statement.step() { ids.append(statement.integer(0)) }
    return ids
  }

  /// A statement that reads columns of the samples `s`, ascending by id.
  ///
  /// - Throws: ``MissingUnions``.
  func columns(_ columns: String, in database: Database) throws -> RawStatement {
    try scope.checkUnions()
    let statement = try RawStatement(
      database, "SELECT \(columns) FROM \(tables) WHERE \(condition.sql) ORDER BY s.id")
    statement.bind(arguments)
    return statement
  }

  /// The statement that lists the samples, with its values in place, for people to read and to run with `assay sql`;
  /// `nil` if a value cannot be written as text.
  var text: String? {
    let sql =
      "SELECT s.id, s.key, s.sourceSplit, s.width, s.height FROM \(tables)\nWHERE \(condition.sql)\nORDER BY s.id"
    let pieces = sql.split(separator: "?", omittingEmptySubsequences: false)
    guard pieces.count == arguments.count + 1 else { return nil }
    return zip(pieces, arguments.map(Optional.some) + [nil]).map { piece, value in
      piece + (value.map { "\($0.sqlText)" } ?? "")
    }.joined()
  }

  /// The samples' ids in an order, with what each is sorted by: a number or a text.
  ///
  /// - Throws: ``MissingUnions``; ``StoreError/expression(_:)`` for a field that cannot be sorted by.
  func ids(
    orderedBy order: SampleOrder, in database: Database
  ) throws -> (ids: [Int64], numbers: [Double?], texts: [String?]) {
    let key = try SortKey(order.field, in: scope, database)
    try scope.checkUnions()
    let sorting = "2 \(order.isDescending ? "DESC" : "") NULLS LAST"
    let statement = try RawStatement(
      database,
      "SELECT s.id, \(key.value.sql) FROM \(tables) WHERE \(condition.sql) ORDER BY \(sorting), s.id"
    )
    statement.bind(key.value.arguments + arguments)
    var ids: [Int64] = []
    var numbers: [Double?] = []
    var texts: [String?] = []
    while try statement.step() {
      ids.append(statement.integer(0))
      if key.isText {
        texts.append(statement.optionalText(1))
      } else {
        numbers.append(statement.optionalReal(1))
      }
    }
    return (ids, numbers, texts)
  }

  /// A number of each sample, by ascending id.
  ///
  /// - Throws: ``MissingUnions``; ``StoreError/expression(_:)`` for a field that is not a number.
  func numbers(_ field: String, in database: Database) throws -> [Double?] {
    let key = try ViewCompiler.compile(field: field, in: scope, database)
    try scope.checkUnions()
    let statement = try RawStatement(
      database, "SELECT \(key.sql) FROM \(tables) WHERE \(condition.sql) ORDER BY s.id")
    statement.bind(key.arguments + arguments)
    var numbers: [Double?] = []
    while try statement.step() { numbers.append(statement.optionalReal(0)) }
    return numbers
  }

  /// The number of samples, and the number of those that have no value of a field.
  ///
  /// - Parameter field: a field to sort by; without it, no sample lacks a value.
  /// - Throws: ``MissingUnions``; ``StoreError/expression(_:)`` for a field that cannot be sorted by.
  func count(
    lacking field: String? = nil, in database: Database
  ) throws -> (all: Int, lacking: Int) {
    let key = try field.map { try SortKey($0, in: scope, database).value }
    try scope.checkUnions()
    let statement = try RawStatement(
      database,
      """
      SELECT count(*), count(*) - count(\(key?.sql ?? "*")) FROM \(tables) WHERE \(condition.sql)
      """)
    statement.bind((key?.arguments ?? []) + arguments)
    guard try statement.step() else { return (0, 0) }
    return (Int(statement.integer(0)), Int(statement.integer(1)))
  }
}

extension SampleRecord {
  /// The columns that ``init(_:from:)`` reads, of a sample `s` and its label's class `c`, for the
  /// samples of one dataset.
  static func columns(_ truth: TruthSource, of labels: AnnotationSet) -> String {
    columns(truth, set: "\(labels.annotationSet)", hasSets: labels.hasSets ? "1" : "0")
  }

  /// The same columns, for samples of any dataset.
  ///
  /// - Parameters:
  ///   - set: the sample's annotation set as SQL.
  ///   - hasSets: SQL for whether the sample's dataset has sets of labels, or labels beside
  ///     regions: 1, 0 or an expression.
  static func columns(_ truth: TruthSource, set: String, hasSets: String) -> String {
    "s.id, s.key, s.location, s.sourceSplit, s.width, s.height, "
      // A label with a missing class is damaged; one with a class that the dataset no longer has is
      // not.
      + "iif(c.id IS NULL AND \(truth.label) IS NOT NULL, -1, c.ordinal), s.sourceId, "
      + "iif(\(hasSets), \(truth.labelOrdinals(set: set)), NULL)"
  }

  /// Reads the columns from an index on.
  ///
  /// - Parameter classes: the dataset's number of classes; `nil` if the samples can be from several
  ///   datasets.
  /// - Throws: ``StoreError/damaged(table:_:)`` for a label that is not one of them.
  init(_ row: RawStatement, from column: Int32 = 0, classes: Int?) throws {
    let size: ImageSize? =
      if let width = row.optionalInteger(column + 4), let height = row.optionalInteger(column + 5) {
        ImageSize.checked(width: Int(width), height: Int(height))
      } else {
        nil
      }
    let key = row.text(column + 1)
    let location = row.optionalText(column + 2)
    self.init(
      // One text for both: there can be millions.
      id: row.integer(column), key: key, location: location == key ? key : location,
      split: row.optionalText(column + 3), size: size,
      category: row.optionalInteger(column + 6).map { Int($0) },
      sourceID: row.sourceID(column + 7))
    if !row.isNull(column + 8) {
      categories = row.text(column + 8).split(separator: ",").compactMap { Int($0) }.sorted()
    }
    let labels = (category.map { [$0] } ?? []) + categories
    if labels.contains(where: { label in label < 0 || classes.map { label >= $0 } ?? false }) {
      throw StoreError.damaged(
        table: "annotation", "sample \(id) (\(key)) has a label that is no class of its dataset")
    }
  }
}

extension DatabaseValue {
  /// The value as a literal of SQL.
  fileprivate var sqlText: String {
    switch storage {
    case .null: "NULL"
    case .int64(let value): "\(value)"
    case .double(let value): "\(value)"
    case .string(let text): "'" + text.replacing("'", with: "''") + "'"
    case .blob(let bytes):
      "x'" + bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined() + "'"
    }
  }
}
