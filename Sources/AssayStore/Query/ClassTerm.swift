import GRDB

/// A comparison of a sample's number for a class: its count, its crowds or its coverage.
struct ClassTerm {
  /// The class's row id.
  var category: Int64
  /// The number as SQL over a row `k` of `sampleCategory` and its sample `x`.
  var value: String
  /// True if ``value`` needs the sample.
  var needsSample: Bool
  var test: ViewExpression.Test
}

extension ViewCompiler {
  /// The comparison as a term about a class; `nil` if it is about something else, or compares two
  /// fields.
  func classTerm(
    _ comparison: ViewExpression.Comparison
  ) throws(ExpressionError) -> ClassTerm? {
    if case .field = comparison.test { return nil }
    switch comparison.subject {
    case .count(let name, let isCrowd):
      return ClassTerm(
        category: try category(name), value: isCrowd ? "k.crowdCount" : "k.count",
        needsSample: false, test: comparison.test)
    case .coverage(let name):
      let id = try category(name)
      scope.unions.want(id)
      return ClassTerm(
        category: id, value: Self.coverage(scope.unions.area, of: "x"), needsSample: true,
        test: comparison.test)
    default: return nil
    }
  }

  /// Returns the condition that several comparisons about one class all hold. The numbers are 0 for
  /// a sample without a row for the class.
  ///
  /// The samples are one set: looking up each sample, or one set per comparison, takes several
  /// times as long.
  func condition(_ terms: [ClassTerm], of category: Int64) -> Condition {
    let holds = Condition.all(terms.map { number(Condition($0.value), $0.test) })
    let holdsWithout = terms.allSatisfy { $0.test.holds(0) }
    let sample = terms.contains { $0.needsSample } ? "JOIN sample x ON x.id = k.sample" : ""
    var condition = Condition(
      """
      s.id \(holdsWithout ? "NOT IN" : "IN") (SELECT k.sample FROM \(scope.truth.sampleCategory) k \(sample) \
      WHERE k.annotationSet = ? AND k.category = ? AND \(holdsWithout ? "NOT " : "")\(holds.sql))
      """, [scope.labels.annotationSet, category])
    condition.arguments += holds.arguments
    return condition
  }

  /// The terms of a conjunction, with all terms about one class merged at the position of the
  /// first.
  func conjunction(_ terms: [ViewExpression]) throws(ExpressionError) -> [Condition] {
    var places: [Int64: Int] = [:]
    var groups: [(terms: [ClassTerm], other: Condition?)] = []
    for term in terms {
      guard case .comparison(let comparison) = term, let found = try classTerm(comparison) else {
        groups.append(([], try condition(term)))
        continue
      }
      if let place = places[found.category] {
        groups[place].terms.append(found)
      } else {
        places[found.category] = groups.count
        groups.append(([found], nil))
      }
    }
    return groups.map { group in
      group.other ?? condition(group.terms, of: group.terms[0].category)
    }
  }
}
