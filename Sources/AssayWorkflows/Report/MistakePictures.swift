import AssayCore
import AssayMetrics
import AssayReports
import AssayStore

/// Selects the costliest mistakes of each type and loads their images, several at a time.
struct MistakePictures {
  let catalog: Catalog
  let evaluated: EvaluatedRun<ObjectDetection>
  let workers: Int
  let progress: any ProgressSink

  /// The mistakes by type, costliest first, and notes on images that could not be loaded.
  struct Loaded {
    var mistakes: [DetectionErrorKind: [DetectionMistake]] = [:]
    var notes: [String] = []
  }

  /// The number of mistakes that are searched for ones in different images.
  private static let candidates = 400
  /// The number of samples that one worker has in memory at a time.
  private static let step = 4

  /// - Throws: ``Interrupted``, `StoreError`. If an image cannot be read, its objects are drawn on
  ///   a blank background, and this is noted.
  func load() throws -> Loaded {
    let chosen = DetectionErrorKind.allCases.flatMap { Self.chosen($0, in: evaluated.errors) }
    let images = Set(chosen.map(\.image)).sorted()
    let drawing = MistakeDrawing(catalog: catalog, evaluated: evaluated)
    var made: [CostlyMistake: DetectionMistake] = [:]
    var failures: [SampleImageError] = []
    var (start, done) = (0, 0)
    try OrderedWorkers(workers: workers).run(
      next: { () -> [CostlyMistake]? in
        try Interruption.check("nothing was written")
        guard start < images.count else { return nil }
        let part = Set(images[start..<min(start + Self.step, images.count)])
        start += Self.step
        return chosen.filter { part.contains($0.image) }
      },
      transform: { _, part in try drawing.draw(part) },
      deliver: { drawn in
        made.merge(drawn.mistakes) { first, _ in first }
        failures += drawn.failures
        done = min(done + Self.step, images.count)
        progress.report(0.5 + 0.4 * Double(done) / Double(images.count), "reading images")
      })
    var loaded = Loaded()
    for mistake in chosen {
      if let picture = made[mistake] { loaded.mistakes[mistake.kind, default: []].append(picture) }
    }
    if let first = failures.first {
      let count = failures.count
      loaded.notes.append(
        "\(count == 1 ? "1 image" : "\(count) images") could not be read, so objects are drawn on a blank "
          + "background; the first: \(first)")
    }
    return loaded
  }

  /// The costliest mistakes of a type, preferably from different images.
  static func chosen(_ kind: DetectionErrorKind, in errors: ErrorTally) -> [CostlyMistake] {
    let all = errors.costliest(kind, limit: candidates)
    var seen: Set<Int> = []
    let ofOwn = all.filter { seen.insert($0.image).inserted }
    let others = all.filter { !ofOwn.contains($0) }
    return Array((ofOwn + others).prefix(PictureLimits.perFirstError))
  }
}
