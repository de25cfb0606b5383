/// The keypoints of each object in a pose dataset: `kpt_shape` of `data.yaml`.
struct YOLOKeypointShape: Hashable, Sendable {
  /// The number of keypoints.
  var count: Int
  /// 2 for x and y, 3 with a visibility.
  var dimensions: Int

  /// The maximum number of keypoints that is accepted.
  static let limit = 10_000

  /// - Returns: `nil` if the numbers are not a valid shape.
  init?(_ numbers: [Int]) {
    guard numbers.count == 2, (1...Self.limit).contains(numbers[0]), [2, 3].contains(numbers[1])
    else { return nil }
    (count, dimensions) = (numbers[0], numbers[1])
  }

  /// The number of fields in a line: class, box and keypoints.
  var fieldCount: Int { 5 + count * dimensions }
}
