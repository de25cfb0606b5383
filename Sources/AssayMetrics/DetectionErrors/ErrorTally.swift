package import AssayCore

/// An accumulator for the errors of many images, in the order in which they were added.
///
/// Add images in the order of their ids: it breaks ties between equal scores, as in the reference.
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
  /// - Throws: ``MetricError/ordinalOutOfRange(sample:ordinal:classes:)`` if a class is not one of
  ///   the tally's.
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

  /// Appends all images of another tally.
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

extension ErrorTally {
  /// The number of images that a worker evaluates at a time.
  private static let chunk = 32

  /// Matches and evaluates many images in one call.
  ///
  /// - Parameters:
  ///   - images: their number, in the order of their ids.
  ///   - objects: returns the ground truth and the detections of an image in `0..<images`; called
  ///     concurrently by several threads.
  /// - Throws: ``MetricError``; `CancellationError` if a worker was stopped.
  /// - Complexity: O(*truth* · *found*) per image.
  package static func evaluating(
    classCount: Int, images: Int, _ settings: DetectionSettings = DetectionSettings(),
    workers: Int = 1,
    _ objects: @escaping @Sendable (Int) -> (truth: [TruthObject], found: [FoundObject])
  ) throws -> ErrorTally {
    let matcher = try DetectionMatcher(settings.forErrors)
    let chunks = try IndexedWork.map((images + chunk - 1) / chunk, workers: workers) { index in
      Result {
        try (index * chunk..<min(images, (index + 1) * chunk)).map { image in
          let (truth, found) = objects(image)
          return try ImageErrors.evaluating(truth: truth, found: found, settings, matcher)
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

extension ErrorTally {
  /// The costliest errors of a type, worst first: detections by descending score, because the most
  /// confident errors rank above correct detections; missed objects by descending area, because
  /// they have no score and large ones are the most obvious. Ties are in the order of the images.
  ///
  /// - Parameters:
  ///   - limit: the maximum number of results.
  ///   - class: the class of the detection or of the missed object; `nil` for all.
  /// - Complexity: O(*detections* + *mistakes* · *limit*), far less if scores differ.
  package func costliest(
    _ kind: DetectionErrorKind, limit: Int, class category: Int? = nil
  ) -> [CostlyMistake] {
    var worst = Worst(limit: limit)
    for image in 0..<count {
      if kind == .missed {
        for place in truthStarts[image]..<truthStarts[image + 1]
        where truths[place].outcome == .missed {
          guard category == nil || category == Int(truths[place].class) else { continue }
          worst.offer(Double(truths[place].area), image, place)
        }
      } else {
        for place in foundStarts[image]..<foundStarts[image + 1]
        where founds[place].mark.error == kind {
          guard category == nil || category == Int(founds[place].class) else { continue }
          worst.offer(founds[place].score, image, place)
        }
      }
    }
    return worst.entries.map { entry in
      kind == .missed
        ? missed(entry.image, entry.place - truthStarts[entry.image])
        : mistake(kind, entry.image, entry.place - foundStarts[entry.image])
    }
  }

  /// The images with at least one error of a type, ascending.
  package func images(with kind: DetectionErrorKind) -> [Int] {
    (0..<count).filter { image in
      kind == .missed
        ? truths[truthStarts[image]..<truthStarts[image + 1]].contains { $0.outcome == .missed }
        : founds[foundStarts[image]..<foundStarts[image + 1]].contains { $0.mark.error == kind }
    }
  }

  private func missed(_ image: Int, _ index: Int) -> CostlyMistake {
    let truth = truths[truthStarts[image] + index]
    return CostlyMistake(
      kind: .missed, image: image, found: nil, truth: index, class: Int(truth.class),
      truthClass: Int(truth.class), score: nil, overlap: nil, area: Double(truth.area))
  }

  private func mistake(_ kind: DetectionErrorKind, _ image: Int, _ index: Int) -> CostlyMistake {
    let found = founds[foundStarts[image] + index]
    let about = found.truth < 0 ? nil : Int(found.truth)
    return CostlyMistake(
      kind: kind, image: image, found: index, truth: about, class: Int(found.class),
      truthClass: about.map { Int(truths[truthStarts[image] + $0].class) }, score: found.score,
      overlap: about.map { _ in Double(found.overlap) }, area: nil)
  }
}

/// The largest of many values, largest first, ties in the original order.
private struct Worst {
  struct Entry {
    var key: Double
    var image: Int
    var place: Int
  }

  let limit: Int
  private(set) var entries: [Entry] = []

  init(limit: Int) { self.limit = max(0, limit) }

  mutating func offer(_ key: Double, _ image: Int, _ place: Int) {
    if entries.count == limit {
      guard let last = entries.last, key > last.key else { return }
      entries.removeLast()
    }
    let index = entries.firstIndex { $0.key < key } ?? entries.count
    entries.insert(Entry(key: key, image: image, place: place), at: index)
  }
}

extension ConfusionMatrix {
  /// Counts which class was detected as which: rows ground truth, columns detections, the last of
  /// both the background.
  ///
  /// A detection that finds an object in COCO's matching counts on the diagonal, whose sum is
  /// therefore the number of true positives. Then each other detection, best score first, takes the
  /// object of another class that it is paired with, unless a better detection has taken it. The
  /// rest is background.
  package init(objects tally: ErrorTally, from score: Double) {
    self.init(classCount: tally.classCount + 1)
    for image in 0..<tally.count {
      tally.forEachPair(of: image, from: score) { add(truth: $0, predicted: $1) }
    }
  }
}

extension ErrorTally {
  /// Pairs the objects and the detections of an image, as the confusion matrix counts them.
  ///
  /// - Parameter body: called with the class of the object and that of the detection; ``classCount`` is the
  ///   background.
  package func forEachPair(
    of image: Int, from score: Double, _ body: (_ truth: Int, _ found: Int) -> Void
  ) {
    let background = classCount
    let truths = truths[truthStarts[image]..<truthStarts[image + 1]]
    let founds = founds[foundStarts[image]..<foundStarts[image + 1]]
      .filter { $0.score >= score && $0.mark != .ignored }
    var isTaken = truths.map { $0.outcome == .ignored }
    for found in founds where found.mark == .right {
      isTaken[Int(found.truth)] = true
      body(Int(found.class), Int(found.class))
    }
    // No two of them are paired with the same object.
    for found in founds where found.mark != .right {
      let place = Int(found.confusedTruth)
      let category = place < 0 ? found.class : truths[truths.startIndex + place].class
      // Evaluations stored by earlier versions can pair it with an object that is found.
      guard category != found.class, !isTaken[place] else {
        body(background, Int(found.class))
        continue
      }
      isTaken[place] = true
      body(Int(category), Int(found.class))
    }
    for (truth, isTaken) in zip(truths, isTaken) where !isTaken {
      body(Int(truth.class), background)
    }
  }

  /// The classes of the objects of an image that must be found, one for each object.
  package func objectClasses(of image: Int) -> [Int] {
    truths[truthStarts[image]..<truthStarts[image + 1]].filter { $0.outcome != .ignored }
      .map { Int($0.class) }
  }
}

extension Calibration {
  /// The rule in words for calibrated detections, to show next to the value.
  package static let objectRule =
    "15 bins of equal width (low, high] over the detections' scores above 0, all that count"

  /// The calibration of correct and wrong detections; `nil` if a score is outside 0...1. A score of
  /// exactly 0 is in no bin and is left out.
  init?(objects tally: ErrorTally) {
    var confidences: [Double] = []
    var isRight: [Bool] = []
    confidences.reserveCapacity(tally.founds.count)
    isRight.reserveCapacity(tally.founds.count)
    for found in tally.founds where found.mark != .ignored && found.score != 0 {
      guard found.score > 0, found.score <= 1 else { return nil }
      confidences.append(found.score)
      isRight.append(found.mark == .right)
    }
    self.init(confidences: confidences) { isRight[$0] }
  }
}
