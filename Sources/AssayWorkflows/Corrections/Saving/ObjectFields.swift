import AssayCore

/// The fields of an object that a correction can set.
enum ObjectFields {
  /// The maximum number of fields of one correction, and of the bytes of all of them.
  static let countLimit = 200
  static let byteLimit = 100_000

  /// Checks fields that a correction sets: names, sizes, and keypoints as COCO has them (x, y and a
  /// visibility of 0, 1 or 2 for each point, as many points as the object has).
  ///
  /// - Parameter object: `nil` for a new one.
  /// - Throws: ``CorrectionError/badField(_:reason:)``.
  static func check(_ fields: [JSONValue.Member], of object: AnnotatedObject?) throws {
    guard let first = fields.first else { throw CorrectionError.noFields }
    guard fields.count <= countLimit, JSONValue.object(fields).text().utf8.count <= byteLimit else {
      throw CorrectionError.badField(
        first.name,
        reason:
          "is one of too many, or too long: the limits are \(countLimit) fields and \(byteLimit) bytes"
      )
    }
    var names: Set<String> = []
    for field in fields {
      guard !field.name.isEmpty, names.insert(field.name).inserted else {
        throw CorrectionError.badField(field.name, reason: "has no name, or is set twice")
      }
      if field.name == keypoints { try check(keypoints: field.value, of: object) }
    }
  }

  /// The fields to set, with the number of labeled keypoints of an object that has it, so that it agrees with keypoints that
  /// are set.
  static func completed(
    _ fields: [JSONValue.Member], of object: AnnotatedObject
  ) -> [JSONValue.Member] {
    guard let points = fields.first(where: { $0.name == keypoints })?.value.elements,
      !fields.contains(where: { $0.name == keypointCount }),
      object.attributes.flatMap({ try? JSONValue(parsing: $0) })?[keypointCount] != nil
    else { return fields }
    let labeled = stride(from: 2, to: points.count, by: 3).count { (points[$0].double ?? 0) > 0 }
    return fields + [.init(keypointCount, JSONValue(labeled))]
  }

  /// Returns whether an entry set these fields, and nothing else than ``completed(_:of:)`` adds.
  static func isSame(_ fields: [JSONValue.Member], as payload: JSONValue?) -> Bool {
    let isCounted = fields.contains { $0.name == keypointCount }
    let stored = (payload?.members ?? []).filter { isCounted || $0.name != keypointCount }
    return JSONValue.object(stored).canonicalText == JSONValue.object(fields).canonicalText
  }

  private static let keypoints = "keypoints"
  private static let keypointCount = "num_keypoints"

  private static func check(keypoints value: JSONValue, of object: AnnotatedObject?) throws {
    let numbers = value.elements?.compactMap(\.double) ?? []
    guard let count = value.elements?.count, numbers.count == count, count > 0,
      count.isMultiple(of: 3), numbers.allSatisfy({ abs($0) < ObjectOutline.coordinateLimit }),
      stride(from: 2, to: count, by: 3).allSatisfy({ [0, 1, 2].contains(numbers[$0]) })
    else {
      throw CorrectionError.badField(
        keypoints, reason: "must be x, y and a visibility (0, 1 or 2) for each point")
    }
    let attributes = object?.attributes.flatMap { try? JSONValue(parsing: $0) }
    if let known = attributes?[keypoints]?.elements?.count, known != count {
      throw CorrectionError.badField(
        keypoints, reason: "has \(count / 3) points, but the object has \(known / 3)")
    }
  }
}
