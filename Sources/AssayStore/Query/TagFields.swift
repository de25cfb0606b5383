import AssayCore
import GRDB

/// Tags and notes of samples, as conditions on a sample `s`. They are the same for the imported and
/// the corrected ground truth.
extension TruthSource {
  /// Returns the condition that a sample has one of these tags.
  func isTagged(with tags: [String]) -> Condition {
    guard let marks else { return Condition("0") }
    return Condition(
      """
      s.id IN (SELECT sample FROM \(schema).sampleTag WHERE state = \(marks) \
      AND tag IN (\(Condition.placeholders(tags.count))))
      """, tags)
  }

  /// Returns the condition that a sample has a note `n` for which a condition holds.
  func hasNote(_ condition: String, _ arguments: [String]) -> Condition {
    guard let marks else { return Condition("0") }
    return Condition(
      """
      s.id IN (SELECT n.sample FROM \(schema).sampleNote n \
      WHERE n.state = \(marks) AND \(condition))
      """, arguments)
  }

  /// The tags of a sample as a SELECT.
  var tagsOfSample: Condition { texts("tag", of: "sampleTag") }

  /// The notes of a sample as a SELECT.
  var notesOfSample: Condition { texts("note", of: "sampleNote") }

  /// The people who changed the ground truth of a sample as a SELECT.
  var peopleOfSample: Condition { texts("author", of: "correctedBy", " AND t.corrections > 0") }

  private func texts(_ column: String, of table: String, _ condition: String = "") -> Condition {
    guard let marks else { return Condition("SELECT NULL WHERE 0") }
    return Condition(
      """
      SELECT t.\(column) FROM \(schema).\(table) t \
      WHERE t.state = \(marks) AND t.sample = s.id\(condition)
      """)
  }

  /// All tags that a sample of any dataset has, sorted.
  func tags(in database: Database) throws -> [String] {
    guard let marks else { return [] }
    // One step of the index for each tag, however many samples have it.
    return try String.fetchAll(
      database,
      sql: """
        WITH RECURSIVE known (tag) AS (
          SELECT min(tag) FROM \(schema).sampleTag WHERE state = ?1
          UNION ALL
          SELECT (SELECT min(tag) FROM \(schema).sampleTag WHERE state = ?1 AND tag > known.tag)
          FROM known WHERE known.tag IS NOT NULL
        ) SELECT tag FROM known WHERE tag IS NOT NULL ORDER BY tag
        """, arguments: [marks])
  }

  /// The names of a sample's labels in a dataset of several labels per image, as a SELECT after
  /// ``labelJoin(set:)``.
  ///
  /// - Parameter set: the annotation set; those of further annotators do not count.
  func labelNames(set: Int64) -> Condition {
    func names(_ table: String, _ condition: String) -> String {
      """
      SELECT k.name FROM \(table) b JOIN category k ON k.id = b.category \
      WHERE \(condition) b.sample = s.id AND b.annotationSet = \(set) \
      AND \(ShapeKind.isOneOfLabelsSQL("b"))
      """
    }
    let single = "SELECT k.name FROM category k WHERE k.id = \(label)"
    guard let truth else { return Condition("\(names("main.annotation", "")) UNION ALL \(single)") }
    // Only changed samples have corrected annotations.
    return Condition(
      "\(names("main.annotation", "z.sample IS NULL AND")) UNION ALL "
        + "\(names("\(schema).correctedAnnotation", "b.state = \(truth) AND")) UNION ALL \(single)")
  }
}

extension ViewCompiler {
  /// Returns the name of a tag that a sample has.
  func tag(_ literal: Literal) throws(ExpressionError) -> String {
    let known: [String]
    do {
      known = try scope.truth.tags(in: database)
    } catch {
      throw ExpressionError(
        source: source, offset: literal.offset, message: "the tags cannot be read: \(error)")
    }
    // Compared by Unicode's canonical equivalence; the stored spelling is the composed one.
    guard let tag = known.first(where: { $0 == literal.text }) else {
      throw unknown(
        known.isEmpty
          ? "there are no tags yet; `assay tag` adds one" : "unknown tag “\(literal.text)”",
        literal.text, literal.offset, among: known)
    }
    return tag
  }
}
