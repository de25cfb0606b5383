/// An accumulator for the matches of many images, in the order in which they were added.
///
/// Add images in the order of their ids: it breaks ties between equal scores, as in the reference.
package struct DetectionTally: Sendable, Equatable {
  /// The number of classes *k*, in the order of the reference, which is that of their ids.
  package let classCount: Int
  let matcher: DetectionMatcher
  private(set) var columns: MatchColumns

  package var settings: DetectionSettings { matcher.settings }

  /// The maximum number of classes.
  package static let classLimit = 1 << 20

  /// An empty tally.
  ///
  /// - Throws: ``MetricError/classCount(_:)`` above ``classLimit``,
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

  /// The number of detections that count, and of objects that must be found in the first area
  /// range.
  package var resultCount: Int { columns.scores.count }
  package var truthCount: Int {
    stride(from: 0, to: columns.countable.count, by: columns.areaCount)
      .reduce(0) { $0 + Int(columns.countable[$1]) }
  }

  /// Image `index`, in `0..<count`.
  package subscript(index: Int) -> ImageMatches { ImageMatches(columns[index]) }

  /// Adds one image.
  ///
  /// - Throws: ``MetricError/ordinalOutOfRange(sample:ordinal:classes:)`` if a class is not one of
  ///   the tally's; ``MetricError/settingsMismatch`` if it was matched with other settings.
  package mutating func add(_ image: ImageMatches) throws(MetricError) {
    guard image.columns.hasForm(of: columns) else { throw .settingsMismatch }
    // The parts are in ascending order of classes.
    if let last = image.columns.parts.last, Int(last.class) >= classCount {
      throw .ordinalOutOfRange(sample: count, ordinal: Int(last.class), classes: classCount)
    }
    columns.append(image.columns, 0..<image.columns.images.count)
  }

  /// Appends all images of another tally.
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

/// Matching of many images in one call.
extension DetectionTally {
  /// The number of images that a thread matches per block.
  private static let block = 64

  /// Matches images on several threads.
  ///
  /// - Parameters:
  ///   - images: their number; in the order of their ids.
  ///   - objects: returns an image's ground truth and detections, by index; called concurrently by
  ///     several threads.
  /// - Throws: ``MetricError``.
  /// - Complexity: within each image and class O(*truth* · *detections*).
  package static func matching(
    classCount: Int, images: Int, _ settings: DetectionSettings = DetectionSettings(),
    workers: Int = 1,
    _ objects: @escaping @Sendable (Int) -> (truth: [TruthObject], found: [FoundObject])
  ) throws -> DetectionTally {
    let tally = try DetectionTally(classCount: classCount, settings)
    return try tally.matched(images: images, workers: workers) {
      image, matching throws(MetricError) in
      let (truth, found) = objects(image)
      try matching.match(
        truth: truth, found: found, image: image, classCount: classCount, settings.overlap)
    }
  }

  /// Matches images whose objects are in columns. The result is the same as that of the function
  /// above; positions of objects are those within their image.
  ///
  /// - Parameters:
  ///   - masks: the regions, if the settings use the overlap of regions.
  ///   - keypoints: the keypoints, if the settings use their similarity.
  ///   - keepsPairs: whether a ``MatchTable`` can be made of the tally.
  /// - Throws: ``MetricError``.
  package static func matching(
    classCount: Int, images: Int, truth: TruthColumns, found: FoundColumns,
    masks: MaskColumns? = nil, keypoints: KeypointColumns? = nil,
    _ settings: DetectionSettings = DetectionSettings(),
    keepsPairs: Bool = false, workers: Int = 1
  ) throws -> DetectionTally {
    let tally = try DetectionTally(classCount: classCount, settings)
    let classes = 0..<Int32(clamping: classCount)
    let truths = ImageGroups(truth.images, truth.classes, images: images, classes: classes)
    let founds = ImageGroups(found.images, found.classes, images: images, classes: classes)
    let givesAreas = found.areas.isEmpty
    return try tally.matched(images: images, keepsPairs: keepsPairs, workers: workers) {
      image, matching throws(MetricError) in
      let (truthRange, foundRange) = (truths.range(of: image), founds.range(of: image))
      var parts = ClassMatching.Parts.boxes
      if settings.overlap == .mask, let masks {
        parts = .regions(
          ClassMatching.Regions(
            truth: { masks.truth(truths[truthRange.lowerBound + Int($0)]) },
            found: { masks.found(founds[foundRange.lowerBound + Int($0)]) },
            giveAreas: givesAreas))
      } else if settings.overlap == .keypoints, let keypoints {
        parts = .keypoints(
          ClassMatching.Keypoints(
            truth: { keypoints.truth(truths[truthRange.lowerBound + Int($0)]) },
            found: { keypoints.found(founds[foundRange.lowerBound + Int($0)]) }))
      }
      matching.match(truths: truthRange.count, founds: foundRange.count, parts) { objects in
        for place in truthRange {
          let row = truths[place]
          objects.append(
            ImageObjects.Truth(
              class: truth.classes[row], place: UInt32(place - truthRange.lowerBound),
              isCrowd: truth.isCrowd[row],
              isIgnored: !truth.isIgnored.isEmpty && truth.isIgnored[row],
              countsAsUnmatched: !truth.unmatched.isEmpty && truth.unmatched.contains(row),
              area: truth.areas[row], box: truth.boxes[row]))
        }
        for place in foundRange {
          let row = founds[place]
          objects.append(
            ImageObjects.Found(
              class: found.classes[row], place: UInt32(place - foundRange.lowerBound),
              score: found.scores[row],
              area: givesAreas ? found.boxes[row].area : found.areas[row], box: found.boxes[row]))
        }
      }
    }
  }

  private func matched(
    images: Int, keepsPairs: Bool = false, workers: Int,
    _ match: @escaping @Sendable (Int, inout ImageMatching) throws(MetricError) -> Void
  ) throws -> DetectionTally {
    let blocks = (images + Self.block - 1) / Self.block
    let parts = try IndexedWork.map(blocks, workers: workers) {
      block -> Result<MatchColumns, MetricError> in
      var matching = ImageMatching(matcher, classCount: classCount, keepsPairs: keepsPairs)
      for image in block * Self.block..<min((block + 1) * Self.block, images) {
        do throws(MetricError) {
          try match(image, &matching)
        } catch {
          return .failure(error)
        }
      }
      return .success(matching.columns)
    }
    var columns = matcher.emptyColumns
    for part in parts {
      let part = try part.get()
      columns.append(part, 0..<part.images.count)
    }
    return DetectionTally(classCount: classCount, matcher, columns)
  }
}
