import AssayCore
import Testing

import AssayMetrics

@Suite struct ErrorTallyTests {
  @Test("Merging tallies is adding their images, and selecting takes them apart again")
  func merging() throws {
    let set = RandomDetections(seed: 7)
    let whole = try set.tally()
    let middle = set.images.count / 2
    var merged = whole.selecting(Array(0..<middle))
    try merged.merge(whole.selecting(Array(middle..<whole.count)))
    #expect(merged == whole)
    #expect(merged.count == set.images.count)
    for index in 0..<whole.count {
      let image = set.images[index]
      #expect(
        try whole[index] == ImageErrors(truth: image.truth, found: image.found, set.settings))
    }
  }

  @Test("Judging in bulk gives what judging one by one does, whatever the workers")
  func evaluating() throws {
    let set = RandomDetections(seed: 11)
    let images = set.images
    for workers in [1, 3] {
      let tally = try ErrorTally.evaluating(
        classCount: set.classCount, images: 100 * images.count, set.settings, workers: workers
      ) { (images[$0 % images.count].truth, images[$0 % images.count].found) }
      let repeated = (0..<100 * images.count).map { $0 % images.count }
      #expect(try tally == set.tally().selecting(repeated))
    }
  }

  @Test("A class that the tally has not is refused, with the image")
  func strangers() throws {
    var tally = ErrorTally(classCount: 2)
    try tally.add(
      ImageErrors(truth: [.of([0, 0, 1, 1], class: 1)], found: [], tally.settings))
    for found in [true, false] {
      let image = try ImageErrors(
        truth: found ? [] : [.of([0, 0, 1, 1], class: 2)],
        found: found ? [.of([0, 0, 1, 1], class: 2, score: 1)] : [], tally.settings)
      #expect(throws: MetricError.ordinalOutOfRange(sample: 1, ordinal: 2, classes: 2)) {
        try tally.add(image)
      }
    }
    #expect(throws: MetricError.classMismatch(2, 3)) {
      try tally.merge(ErrorTally(classCount: 3))
    }
  }

  @Test("The costliest mistakes come by falling score, missed objects by falling area")
  func costliest() throws {
    var tally = ErrorTally(classCount: 2)
    for image in 0..<3 {
      try tally.add(
        ImageErrors(
          truth: [.of([0, 0, 10 + image, 10], class: image % 2)],
          found: [
            .of([50, 0, 5, 5], score: 0.5), .of([60, 0, 5, 5], class: 1, score: Double(image) / 4),
          ], tally.settings))
    }
    let wrong = tally.costliest(.background, limit: 4)
    // The 0.5 of all three images, and the 0.5 of the second detection of the last.
    #expect(wrong.map(\.score) == [0.5, 0.5, 0.5, 0.5])
    #expect(wrong.map(\.image) == [0, 1, 2, 2])
    #expect(wrong.map(\.found) == [0, 0, 0, 1])
    #expect(tally.costliest(.background, limit: 2, class: 1).map(\.image) == [2, 1])
    let missed = tally.costliest(.missed, limit: 2)
    #expect(missed.map(\.image) == [2, 1])
    #expect(missed.map(\.area) == [120, 110])
    #expect(missed.map(\.truth) == [0, 0])
    #expect(tally.costliest(.missed, limit: 0).isEmpty)
    #expect(tally.costliest(.class, limit: 5).isEmpty)
  }
}
