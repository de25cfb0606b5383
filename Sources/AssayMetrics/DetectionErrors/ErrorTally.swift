/// The verdicts of many images on their way to scores, in the order in which they came.
///
/// Add images in the order of their ids: it decides equal scores, as in the reference.
package struct ErrorTally: Sendable, Equatable {
  /// The number of classes *k*.
  package let classCount: Int
  package let settings: DetectionSettings
  private(set) var founds: [ImageErrors.Found] = []
  private(set) var truths: [ImageErrors.Truth] = []
  /// The start of each image's detections, and the end of the last one's; the same for the ground truth.
  private(set) var foundStarts = [0]
  private(set) var truthStarts = [0]

  /// An empty tally.
  package init(classCount: Int, _ settings: DetectionSettings = DetectionSettings()) {
    self.classCount = classCount
    self.settings = settings
  }

  /// The number of images *n*.
  package var count: Int { foundStarts.count - 1 }

  /// Image `index`, in `0..<count`.
  package subscript(index: Int) -> ImageErrors {
    ImageErrors(
      founds: Array(founds[foundStarts[index]..<foundStarts[index + 1]]),
      truths: Array(truths[truthStarts[index]..<truthStarts[index + 1]]))
  }

  /// Adds one image.
  ///
  /// - Throws: ``MetricError/ordinalOutOfRange(sample:ordinal:classes:)`` where a class is none of the
  ///   tally's.
  package mutating func add(_ image: ImageErrors) throws(MetricError) {
    let range = 0..<Int32(clamping: classCount)
    let classes = image.founds.lazy.map(\.class) + image.truths.lazy.map(\.class)
    if let stranger = classes.first(where: { !range.contains($0) }) {
      throw .ordinalOutOfRange(sample: count, ordinal: Int(stranger), classes: classCount)
    }
    founds += image.founds
    truths += image.truths
    foundStarts.append(founds.count)
    truthStarts.append(truths.count)
  }

  /// Adds all images of another tally, behind those that are here.
  ///
  /// - Throws: ``MetricError/classMismatch(_:_:)``.
  package mutating func merge(_ other: ErrorTally) throws(MetricError) {
    guard other.classCount == classCount else {
      throw .classMismatch(classCount, other.classCount)
    }
    foundStarts += other.foundStarts.dropFirst().map { $0 + founds.count }
    truthStarts += other.truthStarts.dropFirst().map { $0 + truths.count }
    founds += other.founds
    truths += other.truths
  }

  /// The tally of some of the images, given by their indices in `0..<count`.
  package func selecting(_ indices: [Int]) -> ErrorTally {
    var part = ErrorTally(classCount: classCount, settings)
    for index in indices {
      part.founds += founds[foundStarts[index]..<foundStarts[index + 1]]
      part.truths += truths[truthStarts[index]..<truthStarts[index + 1]]
      part.foundStarts.append(part.founds.count)
      part.truthStarts.append(part.truths.count)
    }
    return part
  }
}
