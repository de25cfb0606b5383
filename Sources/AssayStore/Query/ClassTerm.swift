import GRDB

/// A comparison of what a sample has of a class: of its count, its crowds or its coverage.
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
  /// The comparison as one about a class; `nil` where it is about something else.
  func classTerm(
    _ comparison: ViewExpression.Comparison
  ) throws(ExpressionError) -> ClassTerm? {
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

  /// Returns whether all of several comparisons about one class hold. Its numbers are 0 for a
  /// sample that has no row of it.
  ///
  /// The samples as one set: looking each sample up, or asking for a set a comparison, takes several times
  /// as long.
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

  /// The terms of a conjunction, those about one class as one condition at the place of the first.
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
