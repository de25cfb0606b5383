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

  private let insertion: SampleInsertion
  private let insertPixels: RawStatement
  private let insertLabel: MultiInsert
  private let insertIssue: RawStatement
  private let regions: RegionWriter
  /// The row id of each sample, in order of delivery.
  private var samples = SampleRows()
  /// The statements that are needed if samples may exist already.
  private let replacement: SampleReplacement?
  private var boundFormat: PixelFormat?
  /// The labels of the current batch.
  private var labels: [(sample: Int64, ordinal: Int64, category: Int64)] = []

  init(_ target: ImportTarget, in database: Database) throws {
    self.target = target
    self.database = database
    nextSample = try Int64.fetchOne(database, sql: "SELECT ifnull(max(id), 0) + 1 FROM sample") ?? 1
    insertion = try SampleInsertion(target, in: database)
    insertPixels = try RawStatement(
      database,
      "INSERT INTO pixels (sample, format, width, height, bytes) VALUES (?1, ?2, ?3, ?4, ?5)")
    insertLabel = try MultiInsert(
      database, "INSERT INTO annotation (sample, annotationSet, ordinal, category, shape)",
      row: "(?, \(target.annotationSet), ?, ?, 'label')")
    insertIssue = try RawStatement(
      database,
      """
      INSERT INTO issue (import, sampleKey, kind, severity, file, line, message, pointer)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
      """)
    regions = try RegionWriter(target, in: database)
    replacement = target.isReplacement ? try SampleReplacement(target, in: database) : nil
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
    let ids = try write(batch.samples)
    try writeLabels(of: batch, as: ids)
    try batch.pixels.withUnsafeBytes { pixels in
      for (sample, id) in zip(batch.samples, ids) where sample.pixels != nil {
        try insertPixels(of: sample, as: id, batch.pixelFormat, pixels)
      }
    }
    try regions.write(batch, samples: samples, categories: categories)
    try regions.flushCounts(categories: categories)
    for issue in batch.issues { try write(issue) }
  }

  /// Writes samples, and returns their row ids.
  private func write(_ samples: [ImportedSample]) throws -> [Int64] {
    var ids: [Int64] = []
    ids.reserveCapacity(samples.count)
    if let replacement {
      for sample in samples {
        if let known = try replacement.update(sample) {
          ids.append(known)
          kept += 1
        } else {
          try insertion.insert([sample], from: nextSample)
          ids.append(nextSample)
          nextSample += 1
          added += 1
        }
      }
    } else {
      try insertion.insert(samples, from: nextSample)
      ids += nextSample..<(nextSample + Int64(samples.count))
      nextSample += Int64(samples.count)
      added += samples.count
    }
    for id in ids { self.samples.append(id) }
    return ids
  }

  /// Writes a single label with the ordinal 0, the labels of a set with 1, 2, …, so that code that
  /// reads a single label finds none in a set. A single label with fields is among the annotations, which
  /// write its row.
  private func writeLabels(of batch: ImportedBatch, as ids: [Int64]) throws {
    labels.removeAll(keepingCapacity: true)
    let first = self.samples.count - batch.samples.count
    var withFields: Set<Int> = []
    for annotation in batch.annotations
    where annotation.shape == .label && annotation.set == nil {
      withFields.insert(annotation.sample - first)
    }
    for (place, (sample, id)) in zip(batch.samples, ids).enumerated() {
      guard target.isMultiLabel ? sample.category == nil : sample.categories.isEmpty else {
        throw StoreError.badBatch(
          "sample “\(sample.key)” has \(target.isMultiLabel ? "one label" : "a set of labels")")
      }
      if let category = sample.category {
        try add(category, of: sample, as: id, ordinal: 0)
        if withFields.contains(place) { labels.removeLast() }
      } else if !sample.categories.isEmpty {
        let sorted = sample.categories.sorted()
        guard zip(sorted, sorted.dropFirst()).allSatisfy(<) else {
          throw StoreError.badBatch("sample “\(sample.key)” has a label twice")
        }
        for (place, category) in sorted.enumerated() {
          try add(category, of: sample, as: id, ordinal: place + 1)
        }
      }
    }
    try insertLabel.insert(labels.count) { place, statement, base in
      statement.bind(labels[place].sample, at: base + 1)
      statement.bind(labels[place].ordinal, at: base + 2)
      statement.bind(labels[place].category, at: base + 3)
    }
  }

  private func add(_ category: Int, of sample: ImportedSample, as id: Int64, ordinal: Int) throws {
    guard categories.indices.contains(category) else {
      throw StoreError.badBatch("sample “\(sample.key)” has category \(category), not introduced")
    }
    labels.append((id, Int64(ordinal), categories[category]))
    regions.countLabel(of: id, category: category)
  }

  /// - Precondition: the sample has embedded pixels.
  private func insertPixels(
    of sample: ImportedSample, as id: Int64, _ format: PixelFormat, _ pixels: UnsafeRawBufferPointer
  ) throws {
    guard let range = sample.pixels else { return }
    guard let size = sample.size, range.lowerBound >= 0, range.upperBound <= pixels.count,
      range.count == size.area * format.channels
    else { throw StoreError.badBatch("the pixels of sample “\(sample.key)” are not of its size") }
    if format != boundFormat {
      boundFormat = format
      insertPixels.bind(format.rawValue, at: 2)
    }
    insertPixels.bind(id, at: 1)
    insertPixels.bind(Int64(size.width), at: 3)
    insertPixels.bind(Int64(size.height), at: 4)
    insertPixels.bind(noCopy: UnsafeRawBufferPointer(rebasing: pixels[range]), at: 5)
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
