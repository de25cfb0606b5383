import AssayCore
import GRDB

/// Inserts an import's new samples, many per statement.
final class SampleInsertion {
  private let target: ImportTarget
  private let database: Database
  private let insertion: MultiInsert
  /// The texts of a batch, one after another, so that SQLite needs no copy of each.
  private var texts: [UInt8] = []
  private var rows: [Row] = []

  /// The ranges of a sample's texts in ``texts``; empty ranges stand for texts without bytes.
  private struct Row {
    var key: Range<Int>
    var location: Range<Int>?
    var split: Range<Int>?
    var attributes: Range<Int>?
    var sourceID: Range<Int>?
    var contentHash: Range<Int>?
  }

  init(_ target: ImportTarget, in database: Database) throws {
    self.target = target
    self.database = database
    insertion = try MultiInsert(
      database,
      """
      INSERT INTO sample (id, dataset, key, location, sourceSplit, width, height, import, sourceId,
        attributes, fileSize, fileModified, contentHash)
      """,
      row: "(?, \(target.dataset), ?, ?, ?, ?, ?, \(target.importID), ?, ?, ?, ?, ?)")
  }

  /// Inserts samples with consecutive row ids.
  ///
  /// - Parameter first: the row id of the first one.
  /// - Throws: ``StoreError/duplicateKey(_:)``.
  func insert(_ samples: [ImportedSample], from first: Int64) throws {
    texts.removeAll(keepingCapacity: true)
    rows.removeAll(keepingCapacity: true)
    for sample in samples { rows.append(row(sample)) }
    do {
      try texts.withUnsafeBytes { texts in
        try insertion.insert(samples.count) { place, statement, base in
          bind(samples[place], rows[place], texts, id: first + Int64(place), to: statement, base)
        }
      }
    } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
      guard let key = try repeatedKey(samples, from: first) else { throw error }
      throw StoreError.duplicateKey(key)
    }
  }

  private func row(_ sample: ImportedSample) -> Row {
    let key = append(sample.key)
    var row = Row(key: key)
    if let location = sample.location {
      // Mostly the key itself; equal texts can have different bytes.
      row.location = location.utf8.elementsEqual(sample.key.utf8) ? key : append(location)
    }
    row.split = sample.split.map(append)
    row.attributes = sample.attributes.map(append)
    row.contentHash = sample.contentHash.map(append)
    if case .text(let text) = sample.sourceID { row.sourceID = append(text) }
    return row
  }

  private func append(_ text: String) -> Range<Int> {
    let start = texts.count
    texts.append(contentsOf: text.utf8)
    return start..<texts.count
  }

  private func bind(
    _ sample: ImportedSample, _ row: Row, _ texts: UnsafeRawBufferPointer, id: Int64,
    to statement: RawStatement, _ base: Int32
  ) {
    func bind(_ range: Range<Int>?, at index: Int32) {
      statement.bind(
        noCopyText: range.map { UnsafeRawBufferPointer(rebasing: texts[$0]) }, at: base + index)
    }
    statement.bind(id, at: base + 1)
    bind(row.key, at: 2)
    bind(row.location, at: 3)
    bind(row.split, at: 4)
    statement.bind((sample.size?.width).map(Int64.init), at: base + 5)
    statement.bind((sample.size?.height).map(Int64.init), at: base + 6)
    if case .integer(let number) = sample.sourceID {
      statement.bind(number, at: base + 7)
    } else {
      bind(row.sourceID, at: 7)
    }
    bind(row.attributes, at: 8)
    statement.bind((sample.stamp?.size).map(Int64.init), at: base + 9)
    statement.bind(sample.stamp?.modified, at: base + 10)
    bind(row.contentHash, at: 11)
  }

  /// The key that keeps samples from being inserted: one that comes twice among them, or that another
  /// sample of the dataset has.
  private func repeatedKey(_ samples: [ImportedSample], from first: Int64) throws -> String? {
    let find = try RawStatement(
      database, "SELECT id FROM sample WHERE dataset = ?1 AND key = ?2")
    find.bind(target.dataset, at: 1)
    var known: Set<[UInt8]> = []
    for (place, sample) in samples.enumerated() {
      guard known.insert(Array(sample.key.utf8)).inserted else { return sample.key }
      find.bind(sample.key, at: 2)
      defer { find.reset() }
      if try find.step(), find.integer(0) != first + Int64(place) { return sample.key }
    }
    return nil
  }
}
