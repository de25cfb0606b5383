import AssayCore
import GRDB

/// Writes samples into a state of the mirror.
final class MirrorWriter {
  private let state: Int64
  private let schema: String
  private let database: Database
  private let deletions: [RawStatement]
  private let insertSample: RawStatement
  private let insertAuthor: RawStatement
  private let insertRegion: RawStatement
  private let insertGeometry: RawStatement
  private let insertClass: RawStatement
  private let insertIssue: RawStatement
  private let insertPlace: RawStatement
  private let insertTag: RawStatement
  private let insertNote: RawStatement
  private let insertField: RawStatement
  private let deleteOrphan: RawStatement
  /// Those of a name: state, dataset and key.
  private let selectPlaces: RawStatement
  private let deletePlaces: RawStatement
  private let deleteIssues: RawStatement
  private let deleteOwnIssues: RawStatement
  private var nextGeometry: Int64

  init(state: Int64, schema: String, in database: Database) throws {
    self.state = state
    self.schema = schema
    self.database = database
    let own = "WHERE state = ?1 AND sample = ?2"
    deletions = try [
      """
      DELETE FROM \(schema).correctedGeometry
      WHERE id IN (SELECT correctedGeometry FROM \(schema).correctedAnnotation \(own))
      """,
      """
      DELETE FROM \(schema).correctedSampleCategory
      WHERE state = ?1 AND sample = ?2
        AND annotationSet IN (SELECT t.id FROM main.annotationSet t
          JOIN main.sample s ON s.dataset = t.dataset WHERE s.id = ?2)
        AND category IN (SELECT category FROM \(schema).correctedAnnotation \(own)
          UNION ALL SELECT label FROM \(schema).correctedSample \(own))
      """,
      "DELETE FROM \(schema).correctedAnnotation \(own)",
      "DELETE FROM \(schema).correctedBy \(own)",
      "DELETE FROM \(schema).correctedSample \(own)",
      "DELETE FROM \(schema).sampleTag \(own)",
      "DELETE FROM \(schema).sampleNote \(own)",
      "DELETE FROM \(schema).sampleField \(own)",
      "DELETE FROM \(schema).correctionPlace \(own) AND upTo IS NOT NULL",
    ].map { try RawStatement(database, $0) }
    func insert(_ table: String, _ columns: String) throws -> RawStatement {
      let count = columns.split(separator: ",").count
      let values = (1...count).map { "?\($0)" }.joined(separator: ", ")
      return try RawStatement(
        database, "INSERT OR REPLACE INTO \(schema).\(table) (\(columns)) VALUES (\(values))")
    }
    insertSample = try insert(
      "correctedSample",
      "state, sample, isChanged, label, status, leftOut, corrections, entries, conflicts, seconds, head"
    )
    insertAuthor = try insert("correctedBy", "state, sample, author, corrections, entries, seconds")
    insertRegion = try insert(
      "correctedAnnotation",
      "state, sample, annotationSet, ordinal, category, shape, sourceId, isCrowd, area, x, y, width, "
        + "height, attributes, geometry, correctedGeometry, isChanged, target")
    insertGeometry = try insert("correctedGeometry", "id, bytes")
    insertClass = try insert(
      "correctedSampleCategory",
      "state, annotationSet, category, sample, count, crowdCount, unionArea")
    insertIssue = try insert(
      "correctionIssue", "state, dataset, key, sample, kind, entries, message")
    insertPlace = try insert(
      "correctionPlace", "state, dataset, key, contentHash, sample, upTo")
    insertTag = try insert("sampleTag", "state, sample, tag")
    insertNote = try insert("sampleNote", "state, sample, sequence, author, note")
    insertField = try insert("sampleField", "state, sample, name, value")
    deleteOrphan = try RawStatement(
      database,
      """
      DELETE FROM \(schema).correctionIssue
      WHERE state = ?1 AND dataset = ?2 AND key = ?3 AND kind = 'orphaned'
      """)
    func ofName(_ action: String, _ table: String, _ condition: String = "") throws -> RawStatement
    {
      try RawStatement(
        database,
        "\(action) FROM \(schema).\(table) WHERE state = ?1 AND dataset = ?2 AND key = ?3 \(condition)"
      )
    }
    selectPlaces = try ofName("SELECT sample", "correctionPlace")
    deletePlaces = try ofName("DELETE", "correctionPlace", "AND upTo IS NULL")
    deleteIssues = try ofName("DELETE", "correctionIssue")
    deleteOwnIssues = try ofName(
      "DELETE", "correctionIssue", "AND kind NOT IN ('moved', 'orphaned')")
    for statement in deletions + [
      selectPlaces, deletePlaces, deleteIssues, deleteOwnIssues,
      insertSample, insertAuthor, insertRegion, insertClass, insertIssue, insertPlace, deleteOrphan,
      insertTag, insertNote, insertField,
    ] {
      statement.bind(state, at: 1)
    }
    nextGeometry =
      try Int64.fetchOne(
        database, sql: "SELECT ifnull(max(id), 0) + 1 FROM \(schema).correctedGeometry") ?? 1
  }

  /// Deletes a sample, except for its issues and the names that it was moved from.
  func delete(_ sample: Int64) throws {
    for statement in deletions {
      statement.bind(sample, at: 2)
      try statement.run()
    }
  }

  /// Deletes the samples and the issues that are recorded for a name.
  ///
  /// - Returns: the samples that its entries counted for.
  func forget(_ place: CorrectedSampleName) throws -> [Int64] {
    var samples: [Int64] = []
    selectPlaces.bind(place.dataset, at: 2)
    selectPlaces.bind(place.key, at: 3)
    do {
      defer { selectPlaces.reset() }
      while try selectPlaces.step() { samples.append(selectPlaces.integer(0)) }
    }
    for statement in [deletePlaces, deleteIssues] {
      statement.bind(place.dataset, at: 2)
      statement.bind(place.key, at: 3)
      try statement.run()
    }
    return samples
  }

  /// Deletes the issues of a sample's own entries.
  func deleteOwnIssues(of sample: SampleIdentity) throws {
    deleteOwnIssues.bind(sample.dataset, at: 2)
    deleteOwnIssues.bind(sample.key, at: 3)
    try deleteOwnIssues.run()
  }

  func write(_ sample: MirroredSample, annotationSet: Int64) throws {
    insertSample.bind(sample.sample, at: 2)
    insertSample.bind(sample.isChanged ? 1 : 0 as Int64, at: 3)
    insertSample.bind(sample.label, at: 4)
    insertSample.bind(sample.status.rawValue, at: 5)
    insertSample.bind(sample.leftOut, at: 6)
    insertSample.bind(Int64(sample.corrections), at: 7)
    insertSample.bind(Int64(sample.entries), at: 8)
    insertSample.bind(Int64(sample.conflicts), at: 9)
    insertSample.bind(sample.seconds as Double, at: 10)
    insertSample.bind(sample.head, at: 11)
    try insertSample.run()
    insertAuthor.bind(sample.sample, at: 2)
    for (name, author) in sample.authors.sorted(by: { $0.key < $1.key }) {
      insertAuthor.bind(name, at: 3)
      insertAuthor.bind(Int64(author.corrections), at: 4)
      insertAuthor.bind(Int64(author.entries), at: 5)
      insertAuthor.bind(author.seconds as Double, at: 6)
      try insertAuthor.run()
    }
    insertTag.bind(sample.sample, at: 2)
    for tag in sample.tags {
      insertTag.bind(tag, at: 3)
      try insertTag.run()
    }
    insertNote.bind(sample.sample, at: 2)
    for note in sample.notes {
      insertNote.bind(note.sequence, at: 3)
      insertNote.bind(note.author, at: 4)
      insertNote.bind(note.text, at: 5)
      try insertNote.run()
    }
    insertField.bind(sample.sample, at: 2)
    for field in sample.fields {
      insertField.bind(field.name, at: 3)
      insertField.bind(field.value.text(), at: 4)
      try insertField.run()
    }
    for (place, label) in sample.labels.enumerated() {
      try write(label.category, isNew: label.isNew, place, of: sample.sample, annotationSet)
    }
    for region in sample.regions {
      try write(region, sample: sample.sample, annotationSet: annotationSet)
    }
    insertClass.bind(annotationSet, at: 2)
    insertClass.bind(sample.sample, at: 4)
    for (category, counts) in sample.classes.sorted(by: { $0.key < $1.key }) {
      insertClass.bind(category, at: 3)
      insertClass.bind(Int64(counts.count), at: 5)
      insertClass.bind(Int64(counts.crowds), at: 6)
      insertClass.bind(counts.unionArea.map { Int64($0) }, at: 7)
      try insertClass.run()
    }
  }

  /// Writes one label of a set.
  private func write(
    _ category: Int64, isNew: Bool, _ place: Int, of sample: Int64, _ annotationSet: Int64
  ) throws {
    insertRegion.bind(sample, at: 2)
    insertRegion.bind(annotationSet, at: 3)
    insertRegion.bind(Int64(place + 1), at: 4)
    insertRegion.bind(category, at: 5)
    insertRegion.bind(ShapeKind.label.rawValue, at: 6)
    insertRegion.bind(nil as SourceID?, at: 7)
    insertRegion.bind(0 as Int64, at: 8)
    for column in Int32(9)...13 { insertRegion.bind(nil as Double?, at: column) }
    insertRegion.bind(nil as String?, at: 14)
    insertRegion.bind(nil as Int64?, at: 15)
    insertRegion.bind(nil as Int64?, at: 16)
    insertRegion.bind(isNew ? 1 : 0 as Int64, at: 17)
    insertRegion.bind(CorrectionTarget.label.text, at: 18)
    try insertRegion.run()
  }

  private func write(
    _ region: MirroredSample.Region, sample: Int64, annotationSet: Int64
  ) throws {
    let object = region.object
    var own: Int64?
    if region.geometry == nil, let bytes = object.geometry {
      own = nextGeometry
      nextGeometry += 1
      insertGeometry.bind(own, at: 1)
      try bytes.withUnsafeBytes {
        insertGeometry.bind(noCopy: $0, at: 2)
        try insertGeometry.run()
      }
    }
    insertRegion.bind(sample, at: 2)
    insertRegion.bind(annotationSet, at: 3)
    insertRegion.bind(Int64(region.ordinal), at: 4)
    insertRegion.bind(region.category, at: 5)
    insertRegion.bind(object.shape.rawValue, at: 6)
    insertRegion.bind(object.sourceID, at: 7)
    insertRegion.bind(object.isCrowd ? 1 : 0 as Int64, at: 8)
    insertRegion.bind(object.area, at: 9)
    insertRegion.bind(object.box?.x, at: 10)
    insertRegion.bind(object.box?.y, at: 11)
    insertRegion.bind(object.box?.width, at: 12)
    insertRegion.bind(object.box?.height, at: 13)
    insertRegion.bind(object.attributes, at: 14)
    insertRegion.bind(region.geometry, at: 15)
    insertRegion.bind(own, at: 16)
    insertRegion.bind(object.isChanged ? 1 : 0 as Int64, at: 17)
    insertRegion.bind(object.target.text, at: 18)
    try insertRegion.run()
  }

  func write(_ issue: CorrectionIssue) throws {
    insertIssue.bind(issue.dataset, at: 2)
    insertIssue.bind(issue.key, at: 3)
    insertIssue.bind(issue.sample, at: 4)
    insertIssue.bind(issue.kind.rawValue, at: 5)
    insertIssue.bind(Int64(issue.entries), at: 6)
    insertIssue.bind(issue.message, at: 7)
    try insertIssue.run()
  }

  /// Records that the entries for a name count for a sample with another name.
  func write(_ place: SampleIdentity, of sample: Int64, upTo: Int64?) throws {
    insertPlace.bind(place.dataset, at: 2)
    insertPlace.bind(place.key, at: 3)
    insertPlace.bind(place.contentHash, at: 4)
    insertPlace.bind(sample, at: 5)
    insertPlace.bind(upTo, at: 6)
    try insertPlace.run()
    guard upTo != nil else { return }
    deleteOrphan.bind(place.dataset, at: 2)
    deleteOrphan.bind(place.key, at: 3)
    try deleteOrphan.run()
  }
}
