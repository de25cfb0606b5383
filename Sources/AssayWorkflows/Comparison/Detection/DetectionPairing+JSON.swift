package import AssayCore
import AssayMetrics

extension DetectionPairing {
  package var leadingMembers: [JSONValue.Member] {
    [
      .init("task", .string(ModelTask.detection.rawValue)), .init("n", JSONValue(samples.count)),
      .init("iou_type", .string(matching.overlap.rawValue)),
      .init(
        "working",
        [
          "iou": .number(matching.workingIoU), "score": .number(matching.workingScore),
        ]),
    ]
  }

  /// The outcomes of the objects.
  package var members: [JSONValue.Member] {
    [
      .init("error_counts", Self.json(errorCounts(fromWorkingScore: false))),
      .init("error_counts_from_score", Self.json(errorCounts(fromWorkingScore: true))),
      .init("objects", Self.json(objects.all)),
      .init(
        "objects_by_class",
        .array(
          classes.indices.map { category in
            Self.json(
              objects.classes[category], name: ("class", classes[category]),
              corrected: objects.classPValues[category])
          })),
      .init(
        "objects_by_size",
        .array(objects.sizes.map { Self.json($0.totals, name: ("size", $0.range.name)) })),
    ]
  }

  package var lostJSON: [JSONValue] { lost.map(object) }
  package var wonJSON: [JSONValue] { won.map(object) }

  private static func json(_ counts: (first: ErrorCounts, second: ErrorCounts)) -> JSONValue {
    .object(
      DetectionErrorKind.allCases.map { kind in
        let (a, b) = (counts.first.count(kind), counts.second.count(kind))
        return .init(
          kind.rawValue,
          ["a": JSONValue(a), "b": JSONValue(b), "difference": JSONValue(b - a)])
      })
  }

  private static func json(
    _ totals: PairedTotals, name: (key: String, value: String)? = nil, corrected: Double?? = nil
  ) -> JSONValue {
    var members: [JSONValue.Member] = []
    if let name { members.append(.init(name.key, .string(name.value))) }
    members += [
      .init("objects", JSONValue(totals.objects)),
      .init("found_by_both", JSONValue(totals.foundByBoth)),
      .init("lost", JSONValue(totals.lost)), .init("won", JSONValue(totals.won)),
      .init("found_by_neither", JSONValue(totals.foundByNeither)),
      .init("images_lost", JSONValue(totals.samplesLost)),
      .init("images_won", JSONValue(totals.samplesWon)), .init("p", .number(totals.test.pValue)),
    ]
    if let corrected { members.append(.init("p_holm", JSONValue(corrected))) }
    return .object(members)
  }

  private static func json(_ id: SourceID?) -> JSONValue {
    switch id {
    case .integer(let value): .integer(value)
    case .text(let value): .string(value)
    case nil: .null
    }
  }

  private func object(_ change: ObjectChange) -> JSONValue {
    let box = change.box
    return [
      "key": .string(samples[change.sample].key), "annotation": JSONValue(change.annotation),
      "source_id": Self.json(change.sourceID), "class": .string(classes[change.category]),
      "area": .number(change.area),
      "box": [.number(box.x), .number(box.y), .number(box.width), .number(box.height)],
      "a": json(change.first), "b": json(change.second),
    ]
  }

  private func json(_ answer: ObjectAnswer) -> JSONValue {
    [
      "outcome": .string(answer.outcome.rawValue), "detection": JSONValue(answer.prediction),
      "class": JSONValue(answer.category.map { classes[$0] }),
      "score": JSONValue(answer.confidence), "iou": JSONValue(answer.iou),
    ]
  }
}
