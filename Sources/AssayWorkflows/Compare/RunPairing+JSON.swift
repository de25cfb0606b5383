package import AssayCore
import AssayMetrics

extension RunPairing {
  /// The comparison as `assay compare --json` prints it: `a`, `b` and `difference` (b − a) under the keys
  /// of `MetricKind`.
  package var json: JSONValue {
    [
      "a": .string(first.name), "b": .string(second.name), "n": JSONValue(comparison.count),
      "classes": .array(classes.map { .string($0) }),
      "differences": .object(
        ClassificationComparison.kinds.map { kind in
          .init(kind.rawValue, comparison[kind]?.json(classes: classes) ?? .null)
        }
          + ClassificationComparison.classKinds.map { kind in
            .init(
              kind.rawValue,
              .array(comparison.perClass(kind).map { $0.json(classes: classes) }))
          }),
      "mcnemar": Self.json(comparison.test),
      "mcnemar_by_class": .array(
        classes.indices.map { category in
          var members: [JSONValue.Member] = [.init("class", .string(classes[category]))]
          if let test = comparison.classTests[category],
            case .object(let tested) = Self.json(test)
          {
            members += tested
          }
          members.append(.init("p_holm", JSONValue(comparison.classPValues[category])))
          return .object(members)
        }),
      "both_right": JSONValue(comparison.bothRight),
      "neither_right": JSONValue(comparison.neitherRight),
      "lost": .array(comparison.lost.map(sample)), "won": .array(comparison.won.map(sample)),
      "notes": .array(notes.map { .string($0) }),
    ]
  }

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
      "key": .string(samples[index].key), "truth": .string(classes[a.truth]),
      "a": .string(classes[a.predicted]), "b": .string(classes[b.predicted]),
      "a_confidence": .number(a.confidence), "b_confidence": .number(b.confidence),
    ]
  }
}
