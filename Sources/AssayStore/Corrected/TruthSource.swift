import AssayCore

/// The ground truth that a catalog reads: the imported one, or one of the states of its mirror of
/// the ledger.
package struct TruthSource: Hashable, Sendable {
  /// The imported ground truth of a catalog without a ledger: nothing has been corrected.
  package static let imported = TruthSource(marks: nil, truth: nil)

  /// The state with the users' actions on samples (`corrected = true`), by row id; `nil` if there
  /// is none.
  package var marks: Int64?
  /// The state whose labels and regions replace the imported ones; `nil` for the imported ones.
  package var truth: Int64?
  /// The file with the states, if it is not the catalog itself.
  package var mirror: String?

  /// True if corrections replace the imported ground truth.
  package var isCorrected: Bool { truth != nil }

  package init(marks: Int64?, truth: Int64?, mirror: String? = nil) {
    self.marks = marks
    self.truth = truth
    self.mirror = mirror
  }
}

/// SQL for ground truth. Row ids of states are the store's own numbers, so they can be part of the
/// text.
extension TruthSource {
  /// The schema with the mirror's tables.
  var schema: String { mirror == nil ? "main" : MirrorFile.schema }

  /// Joins a sample `s` to its only imported label `a` (none in a multi-label dataset, whose labels
  /// have other ordinals, so that a sample stays one row) and, with a corrected ground truth, to
  /// the row `z` that replaces it.
  ///
  /// - Parameter set: the annotation set as SQL: a parameter, or a column.
  func labelJoin(set: String) -> String {
    let imported = """
      LEFT JOIN annotation a ON a.sample = s.id AND a.annotationSet = \(set) AND a.ordinal = 0
        AND a.shape = 'label'
      """
    guard let truth else { return imported }
    return imported + """

      LEFT JOIN \(schema).correctedSample z ON z.state = \(truth) AND z.sample = s.id
        AND z.isChanged
      """
  }

  /// The row id of a label's class after ``labelJoin(set:)``; NULL without a label.
  var label: String { truth == nil ? "a.category" : "iif(z.sample IS NULL, a.category, z.label)" }

  /// The ordinals of a sample's labels in a multi-label dataset, or of those beside its regions, as one
  /// comma-separated text, each once, in any order; NULL for none, −1 for a label whose class is missing. For a sample `s` after
  /// ``labelJoin(set:)``.
  ///
  /// - Parameter set: the annotation set as SQL; those of further annotators do not count.
  func labelOrdinals(set: String) -> String {
    func list(_ table: String, _ condition: String) -> String {
      """
      (SELECT group_concat(DISTINCT iif(k.id IS NULL, -1, k.ordinal)) \
      FROM \(table) b LEFT JOIN category k ON k.id = b.category \
      WHERE \(condition) b.sample = s.id AND b.annotationSet = \(set) \
      AND \(ShapeKind.isOneOfLabelsSQL("b")))
      """
    }
    let imported = list("main.annotation", "")
    guard let truth else { return imported }
    let corrected = list("\(schema).correctedAnnotation", "b.state = \(truth) AND")
    return "iif(z.sample IS NULL, \(imported), \(corrected))"
  }

  /// The labels of multi-label datasets as a table expression with the columns `sample` and
  /// `ordinal` (of the class); one row per label, with −1 if its class is missing. For scans: it
  /// can be read in full.
  var labelRows: String {
    func rows(_ table: String, _ condition: String) -> String {
      """
      SELECT b.sample, iif(k.id IS NULL, -1, k.ordinal) AS ordinal \
      FROM \(table) b LEFT JOIN category k ON k.id = b.category \
      WHERE \(condition) b.ordinal > 0 AND b.shape = 'label'
      """
    }
    guard let truth, let changedSamples else { return "(\(rows("main.annotation", "")))" }
    return """
      (\(rows("main.annotation", "b.sample NOT IN \(changedSamples) AND")) \
      UNION ALL \(rows("\(schema).correctedAnnotation", "b.state = \(truth) AND")))
      """
  }

  /// The labels of images and of those beside regions, as ``labelRows``: one row per sample and class.
  ///
  /// - Parameter set: the annotation set.
  func imageLabelRows(set: Int64) -> String {
    func rows(_ table: String, _ condition: String) -> String {
      """
      SELECT b.sample, iif(k.id IS NULL, -1, k.ordinal) AS ordinal \
      FROM \(table) b LEFT JOIN category k ON k.id = b.category \
      WHERE \(condition) b.annotationSet = \(set) AND b.shape IN ('label', 'tag')
      """
    }
    guard let truth, let changedSamples else {
      return "(SELECT DISTINCT sample, ordinal FROM (\(rows("main.annotation", ""))))"
    }
    // The only label of a changed sample is in another table.
    return """
      (\(rows("main.annotation", "b.sample NOT IN \(changedSamples) AND")) \
      UNION \(rows("\(schema).correctedAnnotation", "b.state = \(truth) AND")) \
      UNION SELECT z.sample, iif(k.id IS NULL, -1, k.ordinal) \
      FROM \(schema).correctedSample z LEFT JOIN category k ON k.id = z.label \
      WHERE z.state = \(truth) AND z.isChanged AND z.label IS NOT NULL)
      """
  }

  /// Returns the condition that a sample `s` has at least one of some labels of a set, or beside
  /// regions, given by the row ids of their classes.
  ///
  /// - Parameter set: the annotation set; those of further annotators do not count.
  func hasLabel(_ categories: [Int64], set: Int64) -> Condition {
    let list = Condition.placeholders(categories.count)
    return ofSample { table, condition in
      Condition(
        """
        EXISTS (SELECT 1 FROM \(table) b \
        WHERE \(condition) b.sample = s.id AND b.annotationSet = \(set) \
        AND \(ShapeKind.isOneOfLabelsSQL("b")) AND b.category IN (\(list)))
        """, categories)
    }
  }

  /// The number of a sample's labels: in a dataset of one label per image at most 1, else 0 or more.
  /// A tag of the class that the image has as its label is the same label.
  ///
  /// - Parameter set: the annotation set; those of further annotators do not count.
  func labelCount(set: Int64) -> Condition {
    ofSample { table, condition in
      func labels(_ more: String) -> String {
        """
        (SELECT count(DISTINCT b.category) FROM \(table) b \
        WHERE \(condition) b.sample = s.id AND b.annotationSet = \(set) \
        AND b.shape IN ('label', 'tag')\(more))
        """
      }
      guard let truth, !condition.isEmpty else { return Condition(labels("")) }
      return Condition(
        """
        (SELECT (z.label IS NOT NULL) + \(labels(" AND b.category IS NOT z.label")) \
        FROM \(schema).correctedSample z WHERE z.state = \(truth) AND z.sample = s.id)
        """)
    }
  }

  /// A condition on the annotations of a sample `s`, imported or corrected.
  ///
  /// - Parameters:
  ///   - alias: the table's alias in the query.
  ///   - query: builds it from the annotations' table and a condition, which is empty or ends with AND.
  func ofSample(
    as alias: String = "b", _ query: (_ table: String, _ condition: String) -> Condition
  ) -> Condition {
    let imported = query("main.annotation", "")
    guard let truth else { return imported }
    let corrected = query("\(schema).correctedAnnotation", "\(alias).state = \(truth) AND")
    return choice(truth, corrected, imported)
  }

  /// The corrected value for a sample `s` whose ground truth differs from the imported one, else
  /// the imported value.
  private func choice(_ state: Int64, _ corrected: Condition, _ imported: Condition) -> Condition {
    var condition = Condition(
      """
      iif(EXISTS (SELECT 1 FROM \(schema).correctedSample z \
      WHERE z.state = \(state) AND z.sample = s.id AND z.isChanged), \
      \(corrected.sql), \(imported.sql))
      """)
    condition.arguments = corrected.arguments + imported.arguments
    return condition
  }

  /// The samples whose ground truth differs from the imported one, as a subquery; `nil` if the
  /// imported ground truth is read.
  var changedSamples: String? {
    truth.map {
      "(SELECT sample FROM \(schema).correctedSample WHERE state = \($0) AND isChanged)"
    }
  }

  /// True if a sample `s` counts in evaluation and export; `nil` if all do.
  var counts: String? {
    truth.map {
      """
      s.id NOT IN (SELECT sample FROM \(schema).correctedSample \
      WHERE state = \($0) AND leftOut IS NOT NULL)
      """
    }
  }

  /// The class counts of samples, as a table expression with the columns of `sampleCategory`. For
  /// scans with constants; joining it to each sample would read it in full each time.
  var sampleCategory: String {
    guard let truth, let changedSamples else { return "sampleCategory" }
    return """
      (SELECT annotationSet, category, sample, count, crowdCount, unionArea \
      FROM main.sampleCategory WHERE sample NOT IN \(changedSamples) \
      UNION ALL \(correctedCategory(truth)))
      """
  }

  /// The rows of the changed samples, with the columns of `sampleCategory`. If a class's regions
  /// are as imported, their union is measured with the imported ones.
  private func correctedCategory(_ state: Int64) -> String {
    """
    SELECT q.annotationSet, q.category, q.sample, q.count, q.crowdCount, \
    ifnull(q.unionArea, (SELECT m.unionArea FROM main.sampleCategory m \
    WHERE m.annotationSet = q.annotationSet AND m.category = q.category AND m.sample = q.sample)) \
    AS unionArea \
    FROM \(schema).correctedSampleCategory q WHERE q.state = \(state)
    """
  }

  /// A number of a sample `s` for a class.
  ///
  /// - Parameter query: builds the scalar subquery over the rows of a table expression with the
  ///   columns of `sampleCategory`.
  func ofClass(_ query: (_ table: String) -> Condition) -> Condition {
    let imported = query("main.sampleCategory")
    guard let truth else { return imported }
    return choice(truth, query("(\(correctedCategory(truth)))"), imported)
  }
}
