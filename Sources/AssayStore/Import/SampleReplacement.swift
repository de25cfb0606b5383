import AssayCore
import GRDB

/// Updates samples that an earlier import had; they keep their ids.
final class SampleReplacement {
  private let find: RawStatement
  private let renew: RawStatement
  private let deletePixels: RawStatement
  /// The statements that delete the class counts, geometry, labels and regions of a sample.
  private let deleteAnnotations: [RawStatement]
  private let target: ImportTarget

  init(_ target: ImportTarget, in database: Database) throws {
    self.target = target
    find = try RawStatement(
      database, "SELECT id, import FROM sample WHERE dataset = ?1 AND key = ?2")
    renew = try RawStatement(
      database,
      """
      UPDATE sample
      SET location = ?2, sourceSplit = ?3, width = ?4, height = ?5, contentHash = ?11,
        import = ?6, retired = 0, sourceId = ?7, attributes = ?8, fileSize = ?9,
        fileModified = ?10
      WHERE id = ?1
      """)
    deletePixels = try RawStatement(database, "DELETE FROM pixels WHERE sample = ?1")
    let own = "FROM annotation WHERE sample = ?1 AND annotationSet = ?2"
    deleteAnnotations = try [
      """
      DELETE FROM sampleCategory
      WHERE annotationSet = ?2 AND category IN (SELECT category \(own)) AND sample = ?1
      """,
      "DELETE FROM geometry WHERE id IN (SELECT geometry \(own))",
      "DELETE \(own)",
    ].map { try RawStatement(database, $0) }
    find.bind(target.dataset, at: 1)
    renew.bind(target.importID, at: 6)
    for statement in deleteAnnotations { statement.bind(target.annotationSet, at: 2) }
  }

  /// Updates the sample with this key and removes its old pixels, label and regions.
  ///
  /// - Returns: its id; `nil` if there was none.
  /// - Throws: ``StoreError/duplicateKey(_:)`` if the key already occurred in this import.
  func update(_ sample: ImportedSample) throws -> Int64? {
    find.bind(sample.key, at: 2)
    defer { find.reset() }
    guard try find.step() else { return nil }
    let id = find.integer(0)
    guard find.integer(1) != target.importID else { throw StoreError.duplicateKey(sample.key) }
    renew.bind(id, at: 1)
    renew.bind(sample.location, at: 2)
    renew.bind(sample.split, at: 3)
    renew.bind((sample.size?.width).map(Int64.init), at: 4)
    renew.bind((sample.size?.height).map(Int64.init), at: 5)
    renew.bind(sample.sourceID, at: 7)
    renew.bind(sample.attributes, at: 8)
    renew.bind((sample.stamp?.size).map(Int64.init), at: 9)
    renew.bind(sample.stamp?.modified, at: 10)
    renew.bind(sample.contentHash, at: 11)
    try renew.run()
    for statement in [deletePixels] + deleteAnnotations {
      statement.bind(id, at: 1)
      try statement.run()
    }
    return id
  }
}
