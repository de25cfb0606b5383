/// The matches of many images on their way to scores, in the order in which they came.
///
/// Add images in the order of their ids: it decides equal scores, as in the reference.
package struct DetectionTally: Sendable, Equatable {
  /// The number of classes *k*; in the order in which the reference takes them, which is that of their ids.
  package let classCount: Int
  let matcher: DetectionMatcher
  private(set) var columns: MatchColumns

  package var settings: DetectionSettings { matcher.settings }

  /// Most classes.
  package static let classLimit = 1 << 20

  /// An empty tally.
  ///
  /// - Throws: ``MetricError/classCount(_:)`` beyond ``classLimit``,
  ///   ``MetricError/detectionSettings(_:)``.
  package init(
    classCount: Int, _ settings: DetectionSettings = DetectionSettings()
  ) throws(MetricError) {
    guard (0...Self.classLimit).contains(classCount) else { throw .classCount(classCount) }
    self.init(classCount: classCount, try DetectionMatcher(settings))
  }

  init(classCount: Int, _ matcher: DetectionMatcher, _ columns: MatchColumns? = nil) {
    self.classCount = classCount
    self.matcher = matcher
    self.columns = columns ?? matcher.emptyColumns
  }

  /// The number of images *n*.
  package var count: Int { columns.images.count }

  /// The number of detections that count, and of objects that must be found in the first area range.
  package var resultCount: Int { columns.scores.count }
  package var truthCount: Int {
    stride(from: 0, to: columns.countable.count, by: columns.areaCount)
      .reduce(0) { $0 + Int(columns.countable[$1]) }
  }

  /// Image `index`, in `0..<count`.
  package subscript(index: Int) -> ImageMatches { ImageMatches(columns[index]) }

  /// Adds one image.
  ///
  /// - Throws: ``MetricError/ordinalOutOfRange(sample:ordinal:classes:)`` where a class is none of the
  ///   tally's; ``MetricError/settingsMismatch`` where it was matched otherwise.
  package mutating func add(_ image: ImageMatches) throws(MetricError) {
    guard image.columns.hasForm(of: columns) else { throw .settingsMismatch }
    // Ascending.
    if let last = image.columns.parts.last, Int(last.class) >= classCount {
      throw .ordinalOutOfRange(sample: count, ordinal: Int(last.class), classes: classCount)
    }
    columns.append(image.columns, 0..<image.columns.images.count)
  }

  /// Adds all images of another tally, behind those that are here.
  ///
  /// - Throws: ``MetricError/classMismatch(_:_:)``, ``MetricError/settingsMismatch``.
  package mutating func merge(_ other: DetectionTally) throws(MetricError) {
    guard other.classCount == classCount else {
      throw .classMismatch(classCount, other.classCount)
    }
    guard other.settings == settings else { throw .settingsMismatch }
    columns.append(other.columns, 0..<other.count)
  }

  /// The tally of some of the images, given by their indices in `0..<count`.
  package func selecting(_ indices: [Int]) -> DetectionTally {
    var part = matcher.emptyColumns
    for index in indices { part.append(columns, index..<index + 1) }
    return DetectionTally(classCount: classCount, matcher, part)
  }
}
