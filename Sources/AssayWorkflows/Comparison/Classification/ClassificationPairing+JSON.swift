package import AssayCore
import AssayMetrics

extension ClassificationPairing {
  package var leadingMembers: [JSONValue.Member] { [.init("n", JSONValue(comparison.count))] }

  package var members: [JSONValue.Member] {
    [
      .init("mcnemar", Self.json(comparison.test)),
      .init(
        "mcnemar_by_class",
        .array(
          classes.indices.map { category in
            var members: [JSONValue.Member] = [.init("class", .string(classes[category]))]
            if let test = comparison.classTests[category],
              case .object(let tested) = Self.json(test)
            {
              members += tested
            }
            members.append(.init("p_holm", JSONValue(comparison.classPValues[category])))
            return .object(members)
          })),
      .init("both_right", JSONValue(comparison.bothRight)),
      .init("neither_right", JSONValue(comparison.neitherRight)),
    ]
  }

  package var lostJSON: [JSONValue] { comparison.lost.map(sample) }
  package var wonJSON: [JSONValue] { comparison.won.map(sample) }

  private static func json(_ test: McNemar) -> JSONValue {
    [
      "lost": JSONValue(test.onlyFirst), "won": JSONValue(test.onlySecond),
      "p": .number(test.pValue), "statistic": JSONValue(test.statistic),
      "exact": .bool(test.isExact),
    ]
  }

  private func sample(_ index: Int) -> JSONValue {
    let (a, b) = (firstTally[index], secondTally[index])
    return [
      "key": .string(keys[index]), "truth": .string(classes[a.truth]),
      "a": .string(classes[a.predicted]), "b": .string(classes[b.predicted]),
      "a_confidence": .number(a.confidence), "b_confidence": .number(b.confidence),
    ]
  }
}
