/// One line of a label file: a class, and a box, a polygon, or a box with keypoints. Coordinates
/// are relative to the image's size.
struct YOLOLine: Hashable {
  /// The form of a line, determined by its number of fields.
  enum Form: Int, CaseIterable {
    /// `class x y width height`, the box's center and size.
    case box
    /// The same with a confidence, as models write it.
    case scored
    /// `class x1 y1 x2 y2 …`, at least three points.
    case polygon
    /// A box and keypoints.
    case pose
  }

  /// A problem for which a line is left out.
  enum Problem: Error, Hashable {
    case fieldCount(Int, YOLOKeypointShape?, hasCommas: Bool)
    /// A field, counted from 1, that is not a finite number.
    case notANumber(field: Int, String)
    case notAClass(String)
    /// A coordinate outside of ``YOLOLine/range``.
    case outside(Double, mayBeVisibility: Bool)
    /// The sixth field of a line with six fields, which is not in 0...1.
    case noConfidence(Double)
  }

  var category: Int
  var form: Form
  /// The numbers after the class.
  var values: [Double]

  /// The accepted coordinates: 0...1 with a tolerance of 1 %, as in Ultralytics' reader.
  static let range = -0.01...1.01
  /// The largest class that is accepted.
  static let classLimit = 100_000

  /// - Parameter keypoints: the dataset's keypoints; `nil` if it has none.
  init(
    _ fields: [UnsafeRawBufferPointer], keypoints: YOLOKeypointShape?
  ) throws(Problem) {
    guard let form = Self.form(fields.count, keypoints) else {
      throw .fieldCount(
        fields.count, keypoints,
        hasCommas: fields.contains { $0.contains(UInt8(ascii: ",")) })
    }
    self.form = form
    let text = YOLOTextLines.text(fields[0])
    guard let index = DecimalNumber.parse(fields[0], as: Double.self),
      (0...Double(Self.classLimit)).contains(index), index.rounded() == index
    else { throw .notAClass(text) }
    category = Int(index)
    values = []
    values.reserveCapacity(fields.count - 1)
    for place in 1..<fields.count {
      guard let value = DecimalNumber.parse(fields[place], as: Double.self) else {
        throw .notANumber(field: place + 1, YOLOTextLines.text(fields[place]))
      }
      values.append(value)
    }
    try check(keypoints)
  }

  private static func form(_ count: Int, _ keypoints: YOLOKeypointShape?) -> Form? {
    if let keypoints { return count == keypoints.fieldCount ? .pose : nil }
    switch count {
    case 5: return .box
    case 6: return .scored
    default: return count >= 7 && !count.isMultiple(of: 2) ? .polygon : nil
    }
  }

  private func check(_ keypoints: YOLOKeypointShape?) throws(Problem) {
    for (place, value) in values.enumerated() {
      if form == .scored, place == 4 {
        guard (0...1).contains(value) else { throw .noConfidence(value) }
        continue
      }
      // The visibility of a keypoint is not a coordinate.
      if let keypoints, place >= 4, keypoints.dimensions == 3, (place - 4) % 3 == 2 { continue }
      guard Self.range.contains(value) else {
        throw .outside(
          value, mayBeVisibility: form == .polygon && value == 2 && values.count % 3 == 1)
      }
    }
  }
}

extension YOLOLine {
  /// True if the numbers are hardly anything but the center and the size of a box and points in it; `nil` if they
  /// cannot be that: all points after the first two are in that box and span a good part of it. The size, read as a
  /// point, is then mostly far from them, as no vertex of an outline is.
  var pose: Bool? {
    guard values.count >= 8, values.count.isMultiple(of: 2), values[2] > 0, values[3] > 0 else {
      return nil
    }
    // A keypoint without a place is written as 0 0, a corner of the image that outlines hardly repeat.
    let places = stride(from: 4, to: values.count, by: 2).filter {
      values[$0] != 0 || values[$0 + 1] != 0
    }
    let isWithoutSome = places.count < values.count / 2 - 2
    guard places.count > 1 else { return nil }
    func axis(_ first: Int) -> (isInside: Bool, isFar: Bool) {
      let points = places.map { values[$0 + first] }
      let (center, size) = (values[first], values[2 + first])
      guard let least = points.min(), let most = points.max() else { return (false, false) }
      let extent = most - least
      let isInside =
        least >= center - 0.51 * size && most <= center + 0.51 * size && extent >= 0.2 * size
      return (isInside, size < least - 0.5 * extent || size > most + 0.5 * extent)
    }
    let (x, y) = (axis(0), axis(1))
    return x.isInside && y.isInside ? x.isFar || y.isFar || isWithoutSome : nil
  }
}
