package import AssayCore
import AssayMetrics

extension ClassificationPairing {
  package var leadingMembers: [JSONValue.Member] { [.init("n", JSONValue(comparison.count))] }

  package var members: [JSONValue.Member] {
    [
      .init("mcnemar", comparison.test.json),
      .init(
        "mcnemar_by_class", McNemar.json(comparison.classTests, comparison.classPValues, classes)),
      .init("both_right", JSONValue(comparison.bothRight)),
      .init("neither_right", JSONValue(comparison.neitherRight)),
    ]
  }

  package var lostJSON: [JSONValue] { comparison.lost.map(sample) }
  package var wonJSON: [JSONValue] { comparison.won.map(sample) }

  private func sample(_ index: Int) -> JSONValue {
    let (a, b) = (firstTally[index], secondTally[index])
    return [
      "key": .string(keys[index]), "truth": .string(classes[a.truth]),
      "a": .string(classes[a.predicted]), "b": .string(classes[b.predicted]),
      "a_confidence": .number(a.confidence), "b_confidence": .number(b.confidence),
    ]
  }
}

extension McNemar {
  var json: JSONValue {
    [
      "lost": JSONValue(onlyFirst), "won": JSONValue(onlySecond), "p": .number(pValue),
      "statistic": JSONValue(statistic), "exact": .bool(isExact),
    ]
  }

  /// The tests of classes, each with its p-value corrected by Holm; of a class without samples the name alone.
  static func json(
    _ tests: [McNemar?], _ pValues: [Double?], _ classes: [String]
  ) -> JSONValue {
    .array(
      classes.indices.map { category in
        var members: [JSONValue.Member] = [.init("class", .string(classes[category]))]
        if let test = tests[category], case .object(let tested) = test.json { members += tested }
        members.append(.init("p_holm", JSONValue(pValues[category])))
        return .object(members)
      })
  }
}
