extension ErrorTally {
  /// Images that one worker judges at a time.
  private static let chunk = 32

  /// Matches and judges many images at once.
  ///
  /// - Parameters:
  ///   - images: how many, in the order of their ids.
  ///   - objects: gives the truth and the detections of an image in `0..<images`; called by several threads
  ///     at once.
  /// - Throws: ``MetricError``; `CancellationError` where a worker was stopped.
  /// - Complexity: O(*truth* · *found*) an image.
  package static func judging(
    classCount: Int, images: Int, _ settings: DetectionSettings = DetectionSettings(),
    workers: Int = 1,
    _ objects: @escaping @Sendable (Int) -> (truth: [TruthObject], found: [FoundObject])
  ) throws -> ErrorTally {
    let matcher = try DetectionMatcher(settings.forErrors)
    let chunks = try IndexedWork.map((images + chunk - 1) / chunk, workers: workers) { index in
      Result {
        try (index * chunk..<min(images, (index + 1) * chunk)).map { image in
          let (truth, found) = objects(image)
          return try ImageErrors.judging(truth: truth, found: found, settings, matcher)
        }
      }
    }
    var tally = ErrorTally(classCount: classCount, settings)
    for chunk in chunks {
      for image in try chunk.get() { try tally.add(image) }
    }
    return tally
  }
}
