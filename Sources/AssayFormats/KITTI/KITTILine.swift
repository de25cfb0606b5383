import AssayCore

/// One line of a KITTI label file: an object with a box in the image and one in space.
struct KITTILine: Hashable, Sendable {
  /// The reason why a line is not an object.
  struct Problem: Error, Hashable {
    var kind: IssueKind
    var text: String
  }

  var type: String
  var box: Box
  /// The further fields, as they are written.
  var attributes: [JSONValue.Member]
  /// The problem with a field that is kept as it is; `nil` for none.
  var oddity: String?

  /// The class of regions that are not labeled.
  static let ignored = "DontCare"

  /// Reads the fields of a line.
  ///
  /// - Throws: ``Problem``.
  init(_ fields: [Substring]) throws(Problem) {
    guard fields.count == 15 || fields.count == 16 else {
      throw Problem(
        kind: .fieldCount,
        text: "expected 15 fields, or 16 with a score, found \(fields.count)"
          + (fields.count == 17 || fields.count == 18 ? " (labels of KITTI tracking?)" : ""))
    }
    type = String(fields[0])
    var numbers: [Double] = []
    for field in fields.dropFirst() {
      guard let number = PlainNumber.parse(field) else {
        throw Problem(kind: .badField, text: "“\(field.prefix(40))” is not a number")
      }
      numbers.append(number)
    }
    box = Box(
      x: numbers[3], y: numbers[4], width: numbers[5] - numbers[3], height: numbers[6] - numbers[4])
    func list(_ range: Range<Int>) -> JSONValue {
      .array(range.map { PlainNumber.value(numbers[$0]) })
    }
    attributes = [
      .init("truncated", PlainNumber.value(numbers[0])),
      .init("occluded", PlainNumber.value(numbers[1])),
      .init("alpha", PlainNumber.value(numbers[2])), .init("dimensions", list(7..<10)),
      .init("location", list(10..<13)), .init("rotation_y", PlainNumber.value(numbers[13])),
    ]
    if numbers.count == 15 { attributes.append(.init("score", .number(numbers[14]))) }
    if ![-1, 0, 1, 2, 3].contains(numbers[1]) {
      oddity = "the occlusion is \(fields[2]), expected 0, 1, 2 or 3"
    } else if type != Self.ignored, !(-1...2).contains(numbers[0]) {
      oddity = "the truncation is \(fields[1]), expected a number from 0 to 1"
    }
  }

  /// Returns whether a line is one of an object.
  static func fits(_ fields: [Substring]) -> Bool {
    (15...16).contains(fields.count) && PlainNumber.parse(fields[0]) == nil
      && fields.dropFirst().allSatisfy { PlainNumber.parse($0) != nil }
  }

  /// Returns whether a line is one of KITTI tracking: a frame and a track before the object.
  static func isTracked(_ fields: [Substring]) -> Bool {
    (17...18).contains(fields.count) && Int(fields[0]) != nil && Int(fields[1]) != nil
      && PlainNumber.parse(fields[2]) == nil
  }
}
