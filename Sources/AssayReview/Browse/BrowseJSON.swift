import AssayCore
import AssayStore
import AssayWorkflows

extension SampleMarks {
  /// The members as the page reads them.
  var json: JSONValue {
    [
      "label": JSONValue(label),
      "labels": labels.map { .array($0.map { .string($0) }) } ?? .null,
      "score": JSONValue(score), "correct": isCorrect.map { .bool($0) } ?? .null,
      "objects": .array(objects.map(\.json)),
      "regions": .array(
        regions.map { ["class": .string($0.class), "mask": $0.mask.json] }),
    ]
  }
}

extension SampleMarks.Object {
  fileprivate var json: JSONValue {
    [
      "id": .string(id), "class": .string(`class`), "score": JSONValue(score),
      "box": box?.json ?? .null, "crowd": .bool(isCrowd), "result": JSONValue(result?.rawValue),
      "iou": JSONValue(iou),
      "keypoints": keypoints.isEmpty ? .null : .array(keypoints.map { .number($0) }),
      "mask": mask?.json ?? .null,
      "polygon": polygons.isEmpty
        ? .null : .array(polygons.map { .array($0.map { .number($0) }) }),
      "open": .bool(isOpen),
      "attributes": attributes.flatMap { try? JSONValue(parsing: $0) } ?? .null,
    ]
  }
}

extension BrowsedMaskScores {
  var json: JSONValue {
    [
      "iou": JSONValue(iou), "dice": JSONValue(dice), "uncertainty": JSONValue(uncertainty),
      "classes": .array(
        classes.map { one in
          [
            "class": .string(one.class), "iou": .number(one.iou), "dice": .number(one.dice),
            "missed": .bool(one.isMissed),
          ]
        }),
    ]
  }
}

extension Mask {
  /// The run lengths, column by column.
  fileprivate var json: JSONValue {
    [
      "width": JSONValue(size.width), "height": JSONValue(size.height),
      "counts": .array(runs.map { .integer(Int64($0)) }),
    ]
  }
}

extension SampleFacet {
  /// - Parameter total: the number of samples of the search.
  func json(of total: Int) -> JSONValue {
    var members: [JSONValue.Member] = [
      .init("field", .string(field)), .init("title", .string(title)),
      .init("count", JSONValue(count)), .init("missing", JSONValue(max(0, total - count))),
    ]
    if let custom { members.append(.init("custom", .string(custom))) }
    switch content {
    case .values(let values, let more):
      members += [
        .init("kind", "values"),
        .init(
          "values",
          .array(
            values.map { value in
              [
                "value": .string(value.value), "count": JSONValue(value.count),
                "term": .string(value.term),
              ]
            })), .init("more", JSONValue(more)), .init("selection", .string(selection.rawValue)),
      ]
    case .histogram(let bins):
      members += [
        .init("kind", "histogram"), .init("low", JSONValue(bins.first?.low)),
        .init("high", JSONValue(bins.last?.high)),
        .init(
          "bins",
          .array(
            bins.map { bin in
              [
                "low": .number(bin.low), "high": .number(bin.high), "count": JSONValue(bin.count),
              ]
            })), .init("term", .string("\(field) in LOW..HIGH")),
      ]
    }
    return .object(members)
  }
}

extension ExpressionError {
  /// The message with its suggestion, without the expression.
  var sentence: String {
    message + (suggestion.map { "; did you mean “\($0)”?" } ?? "")
  }
}
