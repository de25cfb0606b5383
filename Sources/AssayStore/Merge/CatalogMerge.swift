import AssayCore
import GRDB

extension Catalog {
  /// Writes a dataset with the samples of others, in one transaction, with the ground truth that this
  /// catalog reads. The locations of images start with the name of their source.
  ///
  /// With `plan.draft.replace`, samples of an earlier merge keep their ids (by key).
  ///
  /// - Parameter progress: receives the number of samples written so far; the merge stops if it
  ///   throws.
  /// - Throws: ``MergeConflict``; the errors of ``importDataset(_:_:)``.
  package func merge(
    _ plan: MergePlan, progress: (Int) throws -> Void
  ) throws -> MergedDataset {
    var copy: MergeCopy?
    let summary = try importDataset(plan.draft) { writer in
      try write("merging into “\(plan.draft.name)”") { database in
        let members = try MergeMembers(plan, in: database)
        try members.checkKeys()
        let work = try MergeCopy(plan, members, of: self, in: database)
        try work.run(into: writer, progress)
        copy = work
        try members.remove()
      }
      var outcome = ImportOutcome()
      outcome.accepted = plan.sources.reduce(0) { $0 + $1.samples.count }
      outcome.read = outcome.accepted
      outcome.ordinals = Array(plan.classes.indices)
      return (outcome, inputHash: nil)
    }
    return MergedDataset(
      summary: summary, keepsImageIDs: copy?.keepsImageIDs ?? true,
      keepsAnnotationIDs: copy?.keepsAnnotationIDs ?? true, dropped: copy?.dropped ?? 0,
      united: copy?.united ?? UnitedAnnotations())
  }

  /// Returns whether samples of a dataset have labels of whole images, and whether they have
  /// annotations of other shapes, in the ground truth that this catalog reads.
  package func contents(of dataset: Int64) throws -> (labels: Bool, annotations: Bool) {
    try read("looking for annotations") { database in
      func has(_ table: String, _ condition: String) throws -> Bool {
        try Bool.fetchOne(
          database,
          sql: """
            SELECT EXISTS (SELECT 1 FROM sample s JOIN \(table) b ON b.sample = s.id
              WHERE s.dataset = ? AND s.retired = 0 AND \(condition))
            """, arguments: [dataset]) ?? false
      }
      let state = truth.truth.map { "b.state = \($0) AND " }
      let isLabel = "b.shape IN ('label', 'tag')"
      var labels = try has("main.annotation", isLabel)
      var annotations = try has("main.annotation", "NOT \(isLabel)")
      if let state {
        let (samples, regions) = (
          "\(truth.schema).correctedSample", "\(truth.schema).correctedAnnotation"
        )
        labels =
          try labels || has(samples, state + "b.label IS NOT NULL")
          || has(regions, state + isLabel)
        annotations = try annotations || has(regions, state + "NOT \(isLabel)")
      }
      return (labels, annotations)
    }
  }
}

/// The samples of a merge in a temporary table, so that SQLite compares them with little memory.
private struct MergeMembers {
  private let plan: MergePlan
  private let database: Database

  init(_ plan: MergePlan, in database: Database) throws {
    self.plan = plan
    self.database = database
    try database.execute(
      sql: """
        DROP TABLE IF EXISTS temp.mergeMember;
        CREATE TEMP TABLE mergeMember (
          sample INTEGER PRIMARY KEY, source INTEGER NOT NULL, isUnited INTEGER NOT NULL);
        """)
    let insert = try RawStatement(
      database, "INSERT INTO temp.mergeMember (sample, source, isUnited) VALUES (?1, ?2, ?3)")
    insert.bind(0, at: 3)
    for (number, source) in plan.sources.enumerated() {
      insert.bind(Int64(number), at: 2)
      for sample in source.samples {
        insert.bind(sample, at: 1)
        try insert.run()
      }
    }
    insert.bind(1, at: 3)
    for sample in plan.united.values.joined() {
      insert.bind(sample.id, at: 1)
      insert.bind(Int64(sample.source), at: 2)
      try insert.run()
    }
  }

  func remove() throws { try database.execute(sql: "DROP TABLE temp.mergeMember") }

  /// - Throws: ``MergeConflict/sharedKeys(count:example:sources:)``.
  func checkKeys() throws {
    guard !plan.prefixesKeys else { return }
    let members = "temp.mergeMember m JOIN sample s ON s.id = m.sample AND m.isUnited = 0"
    let row = try Row.fetchOne(
      database,
      sql: """
        SELECT count(*) AS count, min(key) AS key FROM (
          SELECT s.key FROM \(members) GROUP BY s.key HAVING count(*) > 1)
        """)
    guard let row, let key: String = row["key"] else { return }
    let sources = try Int.fetchAll(
      database, sql: "SELECT m.source FROM \(members) WHERE s.key = ? ORDER BY 1",
      arguments: [key])
    throw MergeConflict.sharedKeys(
      count: row["count"], example: key, sources: sources.map { plan.sources[$0].dataset.name })
  }

  /// Returns whether an id occurs in two sources.
  ///
  /// - Parameter table: the rows with ids, with `m` for the members and a column `sourceId`.
  func shareIDs(_ table: String) throws -> Bool {
    try Bool.fetchOne(
      database,
      sql: """
        SELECT EXISTS (SELECT 1 FROM temp.mergeMember m JOIN \(table)
          WHERE x.sourceId IS NOT NULL GROUP BY x.sourceId HAVING min(m.source) < max(m.source))
        """) ?? false
  }
}

/// The copy of samples with their labels, annotations and pixels.
private final class MergeCopy {
  /// The number of samples that are in memory at a time.
  private static let chunk = 512

  let keepsImageIDs: Bool
  let keepsAnnotationIDs: Bool
  private(set) var dropped = 0
  private(set) var united = UnitedAnnotations()
  private let plan: MergePlan
  private let catalog: Catalog
  private let database: Database
  private let fields: RawStatement
  private let pixels: RawStatement
  /// The number of samples written.
  private var written = 0

  init(
    _ plan: MergePlan, _ members: MergeMembers, of catalog: Catalog, in database: Database
  ) throws {
    self.plan = plan
    self.catalog = catalog
    self.database = database
    keepsImageIDs = try !members.shareIDs("sample x ON x.id = m.sample AND m.isUnited = 0")
    keepsAnnotationIDs = try !members.shareIDs("annotation x ON x.sample = m.sample")
    fields = try RawStatement(database, "SELECT attributes FROM sample WHERE id = ?1")
    pixels = try RawStatement(
      database, "SELECT format, width, height, bytes FROM pixels WHERE sample = ?1")
  }

  func run(into writer: ImportWriter, _ progress: (Int) throws -> Void) throws {
    var classes = ImportedBatch()
    classes.newCategories = plan.classes
    try writer.write(classes)
    for source in plan.sources {
      for start in stride(from: 0, to: source.samples.count, by: Self.chunk) {
        let end = min(start + Self.chunk, source.samples.count)
        try copy(source.samples[start..<end], of: source, into: writer)
        try progress(written)
      }
    }
  }

  private func copy(
    _ ids: ArraySlice<Int64>, of source: MergeSource, into writer: ImportWriter
  ) throws {
    let records = try catalog.samples(ids: Array(ids))
    guard records.count == ids.count else { throw StoreError.removedMeanwhile(.dataset) }
    var batch = ImportedBatch()
    // A batch has pixels of one format.
    let formats = try Set(records.filter { $0.location == nil }.compactMap { try format(of: $0) })
    guard formats.count < 2 else {
      for id in ids { try copy([id], of: source, into: writer) }
      return
    }
    if let format = formats.first { batch.pixelFormat = format }
    for record in records { batch.samples.append(try sample(record, of: source, &batch)) }
    var unions: [Int: Union] = [:]
    try AnnotationRecord.scan(
      Array(ids), regionsOnly: false, catalog.truth, in: database
    ) { index, annotations in
      var union = plan.united[records[index].id].map { _ in Union() }
      for annotation in annotations {
        guard let category = source.classes[annotation.category] else {
          dropped += 1
          continue
        }
        union?.add(annotation, category)
        add(annotation, category, ordinal: annotation.ordinal, to: index, &batch)
      }
      unions[index] = union
    }
    if !unions.isEmpty { try unite(&unions, records, source, &batch) }
    try writer.write(batch)
    written += records.count
  }

  /// Adds an annotation to a sample of the batch.
  private func add(
    _ annotation: AnnotationRecord, _ category: Int, ordinal: Int, to index: Int,
    _ batch: inout ImportedBatch
  ) {
    var range: Range<Int>?
    if let bytes = annotation.geometry {
      range = batch.geometry.count..<(batch.geometry.count + bytes.count)
      batch.geometry += bytes
    }
    batch.annotations.append(
      ImportedAnnotation(
        sample: written + index, category: category, ordinal: ordinal, shape: annotation.shape,
        isCrowd: annotation.isCrowd, area: annotation.area, box: annotation.box,
        sourceID: keepsAnnotationIDs ? annotation.sourceID : nil, geometry: range,
        attributes: annotation.attributes))
  }

  /// The annotations of a sample to which those of others are added.
  private struct Union {
    /// An annotation without its ids, area and attributes.
    private struct Key: Hashable {
      var category: Int
      var shape: ShapeKind
      var isCrowd: Bool
      var box: Box?
      var geometry: [UInt8]?

      init(_ annotation: AnnotationRecord, _ category: Int) {
        self.category = category
        (shape, isCrowd) = (annotation.shape, annotation.isCrowd)
        (box, geometry) = (annotation.box, annotation.geometry)
      }
    }

    private var keys: Set<Key> = []
    /// The keys of the sample that is being added.
    private var added: Set<Key> = []
    /// The first free ordinal; the label of an image has 0.
    private(set) var next = 1

    mutating func add(_ annotation: AnnotationRecord, _ category: Int) {
      keys.insert(Key(annotation, category))
      next = max(next, annotation.ordinal + 1)
    }

    /// Adds an annotation of another sample.
    ///
    /// - Returns: its ordinal; `nil` if a sample before has the same annotation.
    mutating func take(_ annotation: AnnotationRecord, _ category: Int) -> Int? {
      let key = Key(annotation, category)
      guard !keys.contains(key) else { return nil }
      added.insert(key)
      defer { next += 1 }
      return next
    }

    mutating func finishSample() {
      keys.formUnion(added)
      added = []
    }
  }

  /// Adds the annotations and labels of samples with the same image.
  private func unite(
    _ unions: inout [Int: Union], _ records: [SampleRecord], _ source: MergeSource,
    _ batch: inout ImportedBatch
  ) throws {
    var others: [Int: [(id: Int64, index: Int)]] = [:]
    for index in unions.keys {
      for sample in plan.united[records[index].id] ?? [] {
        others[sample.source, default: []].append((sample.id, index))
      }
    }
    for (number, list) in others.sorted(by: { $0.key < $1.key }) {
      let list = list.sorted { $0.id < $1.id }
      let classes = plan.sources[number].classes
      for (record, other) in zip(try catalog.samples(ids: list.map(\.id)), list) {
        let labels = record.categories.compactMap { classes[$0] }
        if source.dataset.isMultiLabel {
          let known = Set(batch.samples[other.index].categories)
          batch.samples[other.index].categories = known.union(labels).sorted()
        } else if batch.samples[other.index].category == nil {
          batch.samples[other.index].category = record.category.flatMap { classes[$0] }
        }
      }
      try AnnotationRecord.scan(
        list.map(\.id), regionsOnly: false, catalog.truth, in: database
      ) { place, annotations in
        let index = list[place].index
        for annotation in annotations {
          guard let category = classes[annotation.category] else {
            dropped += 1
            continue
          }
          guard let ordinal = unions[index]?.take(annotation, category) else {
            united.identical += 1
            continue
          }
          united.added += 1
          add(annotation, category, ordinal: ordinal, to: index, &batch)
        }
        unions[index]?.finishSample()
      }
    }
    let order = batch.annotations.indices.sorted {
      (batch.annotations[$0].sample, $0) < (batch.annotations[$1].sample, $1)
    }
    batch.annotations = order.map { batch.annotations[$0] }
  }

  private func sample(
    _ record: SampleRecord, of source: MergeSource, _ batch: inout ImportedBatch
  ) throws -> ImportedSample {
    let prefix = source.dataset.name + "/"
    var sample = ImportedSample(
      key: plan.prefixesKeys ? prefix + record.key : record.key,
      location: record.location.map { prefix + $0 }, split: record.split, size: record.size,
      sourceID: keepsImageIDs ? record.sourceID : nil)
    if source.dataset.isMultiLabel {
      let labels = record.categories.compactMap { source.classes[$0] }
      sample.categories = Set(labels).sorted()
      dropped += record.categories.count - labels.count
    } else if let category = record.category {
      sample.category = source.classes[category]
      if sample.category == nil { dropped += 1 }
    }
    fields.bind(record.id, at: 1)
    defer { fields.reset() }
    if try fields.step() { sample.attributes = fields.optionalText(0) }
    if record.location == nil { try readPixels(of: record, into: &sample, &batch) }
    return sample
  }

  /// The format of embedded pixels; `nil` if the sample has none.
  private func format(of record: SampleRecord) throws -> PixelFormat? {
    pixels.bind(record.id, at: 1)
    defer { pixels.reset() }
    guard try pixels.step() else { return nil }
    guard let format = PixelFormat(rawValue: pixels.text(0)) else {
      throw StoreError.unknownValue(table: "pixels", column: "format", value: pixels.text(0))
    }
    return format
  }

  private func readPixels(
    of record: SampleRecord, into sample: inout ImportedSample, _ batch: inout ImportedBatch
  ) throws {
    pixels.bind(record.id, at: 1)
    defer { pixels.reset() }
    guard try pixels.step() else { return }
    sample.size = ImageSize.checked(width: Int(pixels.integer(1)), height: Int(pixels.integer(2)))
    let bytes = pixels.bytes(3)
    sample.pixels = batch.pixels.count..<(batch.pixels.count + bytes.count)
    batch.pixels.append(contentsOf: bytes)
  }
}
