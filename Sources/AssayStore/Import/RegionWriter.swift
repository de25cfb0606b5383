import AssayCore
import GRDB

/// Writes an import's annotations and their geometry, and counts each sample's annotations by
/// class, with labels of images.
///
/// Geometry is written as it arrives, in runs sorted by sample, so that little of it is in memory;
/// the rows themselves are buffered until the end, or until there are very many.
final class RegionWriter {
  /// The size of a run of geometry, in bytes.
  private static let geometryRun = 24 << 20

  private let target: ImportTarget
  private let database: Database
  private let insertGeometry: MultiInsert
  private let insertRegion: MultiInsert
  private let insertCount: MultiInsert

  private var buffer = RegionBuffer()
  private var geometry: [UInt8] = []
  /// For each row since ``pendingFrom``, the position of its geometry in ``geometry``.
  private var spans: [RegionRow.Span] = []
  /// The first row whose geometry is not written yet.
  private var pendingFrom = 0
  private var nextGeometry: Int64
  private var counts = ClassCounts()
  /// The number of regions written or buffered.
  private(set) var count = 0
  /// The number of labels of images beside them.
  private(set) var tagCount = 0
  /// The sets beside the dataset's labels, in order of introduction.
  private var sets: [OtherSet] = []

  /// An annotation set beside the dataset's labels.
  private struct OtherSet {
    let id: Int64
    /// The row ids of the set's own classes; `nil` for those of the dataset.
    var categories: [Int64]?
    var count = 0
  }

  init(_ target: ImportTarget, in database: Database) throws {
    self.target = target
    self.database = database
    nextGeometry =
      try Int64.fetchOne(database, sql: "SELECT ifnull(max(id), 0) + 1 FROM geometry") ?? 1
    insertGeometry = try MultiInsert(
      database, "INSERT INTO geometry (id, bytes)", row: "(?, ?)")
    insertRegion = try MultiInsert(
      database,
      """
      INSERT INTO annotation (sample, annotationSet, ordinal, category, shape, sourceId, isCrowd,
        area, x, y, width, height, attributes, geometry)
      """, row: "(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
    insertCount = try MultiInsert(
      database,
      "INSERT INTO sampleCategory (annotationSet, category, sample, count, crowdCount)",
      row: "(\(target.annotationSet), ?, ?, ?, ?)",
      clause: """
        ON CONFLICT DO UPDATE
        SET count = count + excluded.count, crowdCount = crowdCount + excluded.crowdCount
        """)
  }

  /// Counts a whole-image label, which is written elsewhere.
  func countLabel(of sample: Int64, category: Int) {
    counts.add(category: Int32(category), sample: sample, isCrowd: false)
  }

  /// Writes the counts if very many are buffered: those of labels arrive without annotations.
  func flushCounts(categories: [Int64]) throws {
    if counts.isFull { try writeCounts(categories) }
  }

  /// Adds a batch's annotations.
  ///
  /// - Parameters:
  ///   - samples: the row id of each sample delivered so far.
  ///   - categories: the row id of each class introduced so far.
  /// - Throws: ``StoreError/badBatch(_:)``.
  func write(_ batch: ImportedBatch, samples: SampleRows, categories: [Int64]) throws {
    for set in batch.newSets { try introduce(set) }
    guard !batch.annotations.isEmpty else { return }
    guard !target.isMultiLabel || batch.annotations.allSatisfy({ $0.set != nil }) else {
      throw StoreError.badBatch("a multi-label dataset has regions")
    }
    let base = geometry.count
    geometry.append(contentsOf: batch.geometry)
    for annotation in batch.annotations {
      guard (0..<samples.count).contains(annotation.sample) else {
        throw StoreError.badBatch(
          "annotation \(annotation.ordinal) is of sample \(annotation.sample), not delivered")
      }
      guard annotation.set.map(sets.indices.contains) ?? true else {
        throw StoreError.badBatch(
          "annotation \(annotation.ordinal) is of a set that was not introduced")
      }
      let known = annotation.set.flatMap { sets[$0].categories } ?? categories
      guard known.indices.contains(annotation.category) else {
        throw StoreError.badBatch(
          "annotation \(annotation.ordinal) has category \(annotation.category), not introduced")
      }
      let place = annotation.sample - (samples.count - batch.samples.count)
      let isOfLabel =
        annotation.set == nil && batch.samples.indices.contains(place)
        && batch.samples[place].category == annotation.category
      guard
        annotation.shape != .label || annotation.set != nil
          || isOfLabel && annotation.ordinal == 0
      else {
        throw StoreError.badBatch("annotation \(annotation.ordinal) is a label of the whole image")
      }
      var span = RegionRow.Span(0, 0)
      if let range = annotation.geometry {
        guard range.lowerBound >= 0, range.upperBound <= batch.geometry.count else {
          throw StoreError.badBatch(
            "the geometry of annotation \(annotation.ordinal) is not in its batch")
        }
        span = RegionRow.Span(base + range.lowerBound, range.count)
      } else if ![.box, .tag, .label].contains(annotation.shape) {
        throw StoreError.badBatch(
          "annotation \(annotation.ordinal) is a \(annotation.shape.rawValue) without geometry")
      }
      // The label itself, and tags of its class, count once.
      let isRepeat = isOfLabel && (annotation.shape == .tag || annotation.shape == .label)
      buffer.append(
        annotation, sample: samples[annotation.sample], category: Int32(annotation.category),
        isRepeat: isRepeat)
      spans.append(span)
    }
    for annotation in batch.annotations {
      if let set = annotation.set {
        sets[set].count += 1
      } else if annotation.shape.isRegion {
        count += 1
      } else if annotation.shape == .tag || annotation.shape == .label {
        tagCount += 1
      }
    }
    if geometry.count >= Self.geometryRun { try writeGeometry() }
    if buffer.isFull { try writeRows(categories) }
  }

  /// Writes the buffered data.
  func finish(categories: [Int64]) throws {
    try writeRows(categories)
    try writeCounts(categories)
    for set in sets {
      try database.execute(
        sql: "UPDATE annotationSet SET regions = ? WHERE id = ?", arguments: [set.count, set.id])
    }
  }

  /// Makes an annotation set, and its classes if it has its own.
  private func introduce(_ set: ImportedSet) throws {
    guard sets.count < Int(UInt16.max) else {
      throw StoreError.badBatch("there are more than \(UInt16.max) annotation sets")
    }
    func insert(_ name: String, _ taxonomy: Int64) throws -> Int64 {
      try database.insert(
        "INSERT INTO annotationSet (dataset, name, taxonomy, multiLabel) VALUES (?, ?, ?, 0)",
        [target.dataset, name, taxonomy])
    }
    switch set {
    case .annotator(let name):
      let id = try insert(AnnotationSet.name(ofAnnotator: name), target.taxonomy)
      sets.append(OtherSet(id: id))
    case .votes(let options):
      let taxonomy = try database.insert(
        "INSERT INTO taxonomy (dataset, name) VALUES (?, ?)", [target.dataset, AnnotationSet.votes])
      let categories = try options.enumerated().map { ordinal, name in
        try database.insert(
          "INSERT INTO category (taxonomy, ordinal, name) VALUES (?, ?, ?)",
          [taxonomy, ordinal, name])
      }
      sets.append(OtherSet(id: try insert(AnnotationSet.votes, taxonomy), categories: categories))
    }
  }

  private func writeGeometry() throws {
    let order = buffer.order(of: pendingFrom..<buffer.rows.count)
      .filter { buffer.rows[$0].flags.contains(.hasGeometry) }
    try geometry.withUnsafeBytes { bytes in
      try insertGeometry.insert(order.count) { place, statement, base in
        let row = order[place]
        statement.bind(nextGeometry, at: base + 1)
        let span = spans[row - pendingFrom]
        statement.bind(noCopy: UnsafeRawBufferPointer(rebasing: bytes[span.range]), at: base + 2)
        buffer.setGeometry(nextGeometry, of: row)
        nextGeometry += 1
      }
    }
    geometry.removeAll(keepingCapacity: true)
    spans.removeAll(keepingCapacity: true)
    pendingFrom = buffer.rows.count
  }

  private func writeRows(_ categories: [Int64]) throws {
    try writeGeometry()
    let order = buffer.order(of: 0..<buffer.rows.count)
    do {
      try insertRegion.insert(order.count) { place, statement, base in
        let row = buffer.rows[order[place]]
        let known = row.set == 0 ? nil : sets[Int(row.set) - 1].categories
        bind(row, category: (known ?? categories)[Int(row.category)], to: statement, behind: base)
        guard !row.flags.contains(.isRepeat), row.set == 0 else { return }
        counts.add(
          category: row.category, sample: row.sample, isCrowd: row.flags.contains(.isCrowd))
      }
    } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
      throw StoreError.badBatch("two annotations of one sample have the same place")
    }
    buffer.removeAll()
    pendingFrom = 0
    if counts.isFull { try writeCounts(categories) }
  }

  private func bind(
    _ row: RegionRow, category: Int64, to statement: RawStatement, behind base: Int32
  ) {
    let flags = row.flags
    statement.bind(row.sample, at: base + 1)
    statement.bind(
      row.set == 0 ? target.annotationSet : sets[Int(row.set) - 1].id,
      at: base + 2)
    statement.bind(row.ordinal, at: base + 3)
    statement.bind(category, at: base + 4)
    switch row.shape {
    case .label: statement.bind(constant: "label", at: base + 5)
    case .box: statement.bind(constant: "box", at: base + 5)
    case .polygon: statement.bind(constant: "polygon", at: base + 5)
    case .mask: statement.bind(constant: "mask", at: base + 5)
    case .polyline: statement.bind(constant: "polyline", at: base + 5)
    case .points: statement.bind(constant: "points", at: base + 5)
    case .tag: statement.bind(constant: "tag", at: base + 5)
    }
    if flags.contains(.hasTextID) {
      statement.bind(text(RegionRow.Span(packed: row.sourceID)), at: base + 6)
    } else {
      statement.bind(flags.contains(.hasIntegerID) ? row.sourceID : nil, at: base + 6)
    }
    statement.bind(flags.contains(.isCrowd) ? 1 : 0 as Int64, at: base + 7)
    statement.bind(flags.contains(.hasArea) ? row.area : nil, at: base + 8)
    let box = flags.contains(.hasBox) ? row.box : nil
    statement.bind(box?.x, at: base + 9)
    statement.bind(box?.y, at: base + 10)
    statement.bind(box?.width, at: base + 11)
    statement.bind(box?.height, at: base + 12)
    statement.bind(row.attributes.count > 0 ? text(row.attributes) : nil, at: base + 13)
    statement.bind(row.geometry > 0 ? row.geometry : nil, at: base + 14)
  }

  private func text(_ span: RegionRow.Span) -> String {
    String(decoding: buffer.texts[span.range], as: UTF8.self)
  }

  private func writeCounts(_ categories: [Int64]) throws {
    let rows = counts.takeSorted()
    try insertCount.insert(rows.count) { place, statement, base in
      let row = rows[place]
      statement.bind(categories[Int(row.category)], at: base + 1)
      statement.bind(row.sample, at: base + 2)
      statement.bind(Int64(row.count), at: base + 3)
      statement.bind(Int64(row.crowds), at: base + 4)
    }
  }
}

/// Counts the annotations of each sample by class as they arrive.
struct ClassCounts {
  struct Row {
    var category: Int32
    /// Without crowds.
    var count: Int32
    var crowds: Int32
    /// The sample's row id.
    var sample: Int64
  }

  /// The number of rows above which they are written early (24 MB, and as much to sort them).
  private static let limit = 1 << 20

  private var rows: [Row] = []
  /// The index where the rows of the last sample start.
  private var start = 0

  var isFull: Bool { rows.count >= Self.limit }

  /// Consecutive annotations of one sample share a row for each class.
  mutating func add(category: Int32, sample: Int64, isCrowd: Bool) {
    if rows.last?.sample != sample { start = rows.count }
    for place in start..<rows.count where rows[place].category == category {
      if isCrowd { rows[place].crowds += 1 } else { rows[place].count += 1 }
      return
    }
    rows.append(
      Row(category: category, count: isCrowd ? 0 : 1, crowds: isCrowd ? 1 : 0, sample: sample))
  }

  /// Removes and returns all rows, by class; rows of one class keep their order.
  mutating func takeSorted() -> [Row] {
    guard let last = rows.lazy.map(\.category).max() else { return [] }
    var starts = Array(repeating: 0, count: Int(last) + 2)
    for row in rows { starts[Int(row.category) + 1] += 1 }
    for index in starts.indices.dropFirst() { starts[index] += starts[index - 1] }
    var sorted = rows
    for row in rows {
      sorted[starts[Int(row.category)]] = row
      starts[Int(row.category)] += 1
    }
    rows = []
    start = 0
    return sorted
  }
}
