package import AssayCore
import GRDB

/// Writes an import's batches. Valid only during its import, on one thread at a time.
package final class ImportWriter {
  private let database: Database
  private let target: ImportTarget
  /// The row ids of the classes in order of introduction.
  private var categories: [Int64] = []
  private var nextSample: Int64
  private(set) var added = 0
  private(set) var kept = 0
  private(set) var issues = 0

  private let insertSample: RawStatement
  private let insertPixels: RawStatement
  private let insertLabel: RawStatement
  private let insertIssue: RawStatement
  private let regions: RegionWriter
  /// The row id of each sample, in order of delivery.
  private var samples = SampleRows()
  /// The statements that are needed if samples may exist already.
  private let replacement: SampleReplacement?
  private var boundSplit: String?
  private var boundFormat: PixelFormat?

  init(_ target: ImportTarget, in database: Database) throws {
    self.target = target
    self.database = database
    nextSample = try Int64.fetchOne(database, sql: "SELECT ifnull(max(id), 0) + 1 FROM sample") ?? 1
    insertSample = try RawStatement(
      database,
      """
      INSERT INTO sample
        (id, dataset, key, location, sourceSplit, width, height, import, sourceId, attributes,
        fileSize, fileModified)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)
      """)
    insertPixels = try RawStatement(
      database,
      "INSERT INTO pixels (sample, format, width, height, bytes) VALUES (?1, ?2, ?3, ?4, ?5)")
    insertLabel = try RawStatement(
      database,
      """
      INSERT INTO annotation (sample, annotationSet, ordinal, category, shape)
      VALUES (?1, ?2, ?4, ?3, 'label')
      """)
    insertIssue = try RawStatement(
      database,
      """
      INSERT INTO issue (import, sampleKey, kind, severity, file, line, message, pointer)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
      """)
    regions = try RegionWriter(target, in: database)
    replacement = target.isReplacement ? try SampleReplacement(target, in: database) : nil
    insertSample.bind(target.dataset, at: 2)
    insertSample.bind(target.importID, at: 8)
    insertLabel.bind(target.annotationSet, at: 2)
    insertIssue.bind(target.importID, at: 1)
  }

  /// The number of samples written so far.
  var written: Int { added + kept }

  /// Writes a batch into the import's transaction.
  ///
  /// - Throws: ``StoreError/duplicateKey(_:)``, ``StoreError/badBatch(_:)``.
  package func write(_ batch: ImportedBatch) throws {
    for category in batch.newCategories {
      categories.append(try target.introduce(category, as: categories.count, in: database))
    }
    try batch.pixels.withUnsafeBytes { pixels in
      for sample in batch.samples { try write(sample, batch.pixelFormat, pixels) }
    }
    try regions.write(batch, samples: samples, categories: categories)
    try regions.flushCounts(categories: categories)
    for issue in batch.issues { try write(issue) }
  }

  private func write(
    _ sample: ImportedSample, _ format: PixelFormat, _ pixels: UnsafeRawBufferPointer
  ) throws {
    let id: Int64
    if let known = try replacement?.update(sample) {
      id = known
      kept += 1
    } else {
      id = nextSample
      nextSample += 1
      added += 1
      try insert(sample, as: id)
    }
    samples.append(id)
    try writeLabels(of: sample, as: id)
    if let range = sample.pixels {
      guard let size = sample.size, range.lowerBound >= 0, range.upperBound <= pixels.count,
        range.count == size.area * format.channels
      else { throw StoreError.badBatch("the pixels of sample “\(sample.key)” are not of its size") }
      try insert(UnsafeRawBufferPointer(rebasing: pixels[range]), format, size, of: id)
    }
  }

  /// Writes a single label with the ordinal 0, the labels of a set with 1, 2, …, so that code that
  /// reads a single label finds none in a set.
  private func writeLabels(of sample: ImportedSample, as id: Int64) throws {
    guard target.isMultiLabel ? sample.category == nil : sample.categories.isEmpty else {
      throw StoreError.badBatch(
        "sample “\(sample.key)” has \(target.isMultiLabel ? "one label" : "a set of labels")")
    }
    guard Set(sample.categories).count == sample.categories.count else {
      throw StoreError.badBatch("sample “\(sample.key)” has a label twice")
    }
    let labels = sample.category.map { [$0] } ?? sample.categories.sorted()
    for (place, category) in labels.enumerated() {
      guard categories.indices.contains(category) else {
        throw StoreError.badBatch("sample “\(sample.key)” has category \(category), not introduced")
      }
      insertLabel.bind(id, at: 1)
      insertLabel.bind(categories[category], at: 3)
      insertLabel.bind(Int64(target.isMultiLabel ? place + 1 : 0), at: 4)
      try insertLabel.run()
      regions.countLabel(of: id, category: category)
    }
  }

  private func insert(_ sample: ImportedSample, as id: Int64) throws {
    insertSample.bind(id, at: 1)
    insertSample.bind(sample.key, at: 3)
    insertSample.bind(sample.location, at: 4)
    if sample.split != boundSplit {
      boundSplit = sample.split
      insertSample.bind(sample.split, at: 5)
    }
    insertSample.bind((sample.size?.width).map(Int64.init), at: 6)
    insertSample.bind((sample.size?.height).map(Int64.init), at: 7)
    insertSample.bind(sample.sourceID, at: 9)
    insertSample.bind(sample.attributes, at: 10)
    insertSample.bind((sample.stamp?.size).map(Int64.init), at: 11)
    insertSample.bind(sample.stamp?.modified, at: 12)
    do {
      try insertSample.run()
    } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
      throw StoreError.duplicateKey(sample.key)
    }
  }

  private func insert(
    _ bytes: UnsafeRawBufferPointer, _ format: PixelFormat, _ size: ImageSize, of id: Int64
  ) throws {
    if format != boundFormat {
      boundFormat = format
      insertPixels.bind(format.rawValue, at: 2)
    }
    insertPixels.bind(id, at: 1)
    insertPixels.bind(Int64(size.width), at: 3)
    insertPixels.bind(Int64(size.height), at: 4)
    insertPixels.bind(noCopy: bytes, at: 5)
    try insertPixels.run()
  }

  private func write(_ issue: Issue) throws {
    insertIssue.bind(issue.sampleKey, at: 2)
    insertIssue.bind(issue.kind.rawValue, at: 3)
    insertIssue.bind(issue.severity.rawValue, at: 4)
    insertIssue.bind(issue.location.file, at: 5)
    insertIssue.bind(issue.location.line.map(Int64.init), at: 6)
    insertIssue.bind(issue.message, at: 7)
    insertIssue.bind(issue.location.pointer, at: 8)
    try insertIssue.run()
    issues += 1
  }

  /// Writes the buffered rows, and assigns every class its final ordinal.
  ///
  /// - Throws: ``StoreError/badBatch(_:)`` if `ordinals` is not a permutation of the classes'
  ///   indices.
  func finish(_ ordinals: [Int]) throws {
    guard ordinals.sorted() == Array(categories.indices) else {
      throw StoreError.badBatch("\(ordinals) does not order \(categories.count) categories")
    }
    try regions.finish(categories: categories)
    try database.execute(
      sql: "UPDATE annotationSet SET regions = ?, tags = ? WHERE id = ?",
      arguments: [regions.count, regions.tagCount, target.annotationSet])
    try database.execute(
      sql: "UPDATE category SET ordinal = NULL WHERE taxonomy = ?", arguments: [target.taxonomy])
    for (id, ordinal) in zip(categories, ordinals) {
      try database.execute(
        sql: "UPDATE category SET ordinal = ? WHERE id = ?", arguments: [ordinal, id])
    }
  }
}
