/// A truth as SQL. Row ids of states are numbers of our own, so they may stand in the text.
extension TruthReading {
  /// The schema that has the mirror's tables.
  var schema: String { mirror == nil ? "main" : MirrorFile.schema }

  /// Joins a sample `s` to its imported label `a` and, where a corrected truth is read, to the row `z` that
  /// takes its place.
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

  /// The row id of a label's class behind ``labelJoin(set:)``; NULL without a label.
  var label: String { truth == nil ? "a.category" : "iif(z.sample IS NULL, a.category, z.label)" }

  /// The samples whose truth is another than the imported one, as a subquery; `nil` where the imported
  /// truth is read.
  var changedSamples: String? {
    truth.map {
      "(SELECT sample FROM \(schema).correctedSample WHERE state = \($0) AND isChanged)"
    }
  }

  /// Whether a sample `s` counts in evaluation and export; `nil` where all do.
  var counts: String? {
    truth.map {
      """
      s.id NOT IN (SELECT sample FROM \(schema).correctedSample \
      WHERE state = \($0) AND leftOut IS NOT NULL)
      """
    }
  }

  /// What samples have of classes, as a table expression with the columns of `sampleCategory`. For scans
  /// with constants; joining it to each sample would read it whole each time.
  var sampleCategory: String {
    guard let truth, let changedSamples else { return "sampleCategory" }
    return """
      (SELECT annotationSet, category, sample, count, crowdCount, unionArea \
      FROM main.sampleCategory WHERE sample NOT IN \(changedSamples) \
      UNION ALL \(correctedCategory(truth)))
      """
  }

  /// The rows of the changed samples, with the columns of `sampleCategory`. Of a class whose regions are as
  /// imported the union is measured with the imported ones.
  private func correctedCategory(_ state: Int64) -> String {
    """
    SELECT q.annotationSet, q.category, q.sample, q.count, q.crowdCount, \
    ifnull(q.unionArea, (SELECT m.unionArea FROM main.sampleCategory m \
    WHERE m.annotationSet = q.annotationSet AND m.category = q.category AND m.sample = q.sample)) \
    AS unionArea \
    FROM \(schema).correctedSampleCategory q WHERE q.state = \(state)
    """
  }

  /// A number that a sample `s` has of a class.
  ///
  /// - Parameter query: makes the scalar subquery over the rows of a table expression with the columns of
  ///   `sampleCategory`.
  func ofClass(_ query: (_ table: String) -> Condition) -> Condition {
    let imported = query("main.sampleCategory")
    guard let truth else { return imported }
    let corrected = query("(\(correctedCategory(truth)))")
    var condition = Condition(
      """
      iif(EXISTS (SELECT 1 FROM \(schema).correctedSample z \
      WHERE z.state = \(truth) AND z.sample = s.id AND z.isChanged), \
      \(corrected.sql), \(imported.sql))
      """)
    condition.arguments = corrected.arguments + imported.arguments
    return condition
  }
}
