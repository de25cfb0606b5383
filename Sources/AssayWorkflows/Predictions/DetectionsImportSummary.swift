package import AssayCore
package import AssayFormats
package import AssayStore

/// The result of importing a COCO results file, with a health check.
package struct DetectionsImportSummary: Sendable {
  package var run: RunRecord
  /// False if the same file was already imported under that name.
  package var isNew: Bool
  package var health: FileDetectionHealth
  /// The results that were left out or adjusted by a rule.
  package var findings: [OddityCount]
  /// Ids of images that the view does not have, and of categories that the dataset does not have.
  package var unknownImages: [SourceID]
  package var unknownCategories: [SourceID]
  /// True if the detections have regions, which can also be evaluated.
  package var hasRegions: Bool
  /// True if the detections have keypoints.
  package var hasKeypoints = false
  /// The number of results with a box that were left out because of their region; an evaluation of
  /// the files by boxes keeps them.
  package var boxesLeftOut = 0
  /// True if the dataset has ground truth for detection.
  package var hasGroundTruth: Bool
}

/// Collects statistics on results during their import.
struct ImportedHealth {
  private(set) var health = FileDetectionHealth()
  private(set) var findings: OddityCounts
  private(set) var boxesLeftOut = 0
  private var perImage: [Int] = []
  /// The largest coordinate.
  private var largest = 0.0
  private var boxes = 0

  init(_ results: COCOResults, _ join: ResultsJoin, samples: Int) {
    findings = results.findings
    health.images = samples
    health.results = results.count
    health.shift = ClassIDShift(results: join.categories, truth: join.known)
    for image in join.unknownImages { note(image, .resultOfUnknownImage, results) }
    for image in join.mistypedImages { note(image, .mistypedImage, results) }
    for place in results.categoryNumbers.indices where results.imageNumbers[place] >= 0 {
      let category = Int(results.categoryNumbers[place])
      guard category >= 0 else { continue }
      let isMistyped = join.mistypedCategories.contains(category)
      guard isMistyped || !join.isKnown(category: category) else { continue }
      findings.note(
        isMistyped ? .mistypedCategory : .resultOfUnknownCategory, at: place, "/category_id",
        "category_id \(results.categories[category])")
    }
  }

  private mutating func note(_ image: Int, _ oddity: COCOOddity, _ results: COCOResults) {
    for place in results.places(of: image) {
      findings.note(oddity, at: place, "/image_id", "image_id \(results.images[image])")
    }
  }

  /// Adds one sample.
  mutating func add(_ sample: ResultsJoin.SampleResults) {
    findings.merge(sample.findings)
    boxesLeftOut += sample.boxesLeftOut
    perImage.append(sample.detections.count)
    health.usable += sample.detections.count
    if sample.detections.count > health.limit {
      var perClass: [Int: Int] = [:]
      for detection in sample.detections { perClass[detection.class, default: 0] += 1 }
      health.beyondLimit += perClass.values.reduce(0) { $0 + max(0, $1 - health.limit) }
    }
    for detection in sample.detections {
      health.lowestScore = min(health.lowestScore ?? detection.confidence, detection.confidence)
      health.highestScore = max(health.highestScore ?? detection.confidence, detection.confidence)
      // A box computed from a region says nothing about the file's box format.
      if detection.counts == nil { look(at: detection.box, in: sample.size) }
    }
  }

  private mutating func look(at box: Box, in size: ImageSize?) {
    boxes += 1
    let (right, bottom) = (box.x + box.width, box.y + box.height)
    largest = max(largest, right, bottom)
    if box.width < 0 || box.height < 0 {
      health.negativeBoxes += 1
    } else if box.width == 0 || box.height == 0 {
      health.emptyBoxes += 1
    }
    guard let size else { return }
    health.sized += 1
    let (width, height) = (Double(size.width), Double(size.height))
    if box.x < -1 || box.y < -1 || right > width + 1 || bottom > height + 1 {
      health.beyondImage += 1
    }
    if box.x >= width || box.y >= height || right <= 0 || bottom <= 0 { health.outside += 1 }
    health.lookAtForm(of: box, width: width, height: height)
  }

  /// Completes the sums over all samples.
  ///
  /// - Parameter hasObjects: returns whether samples, given by index, have objects; called for
  ///   those without a result.
  mutating func finish(hasObjects: ([Int]) throws -> [Bool]) rethrows {
    let without = perImage.indices.filter { perImage[$0] == 0 }
    health.imagesWithout = without.count
    health.imagesWithoutButTruth = try hasObjects(without).count { $0 }
    perImage.sort()
    health.most = perImage.last ?? 0
    let middle = perImage.count / 2
    if !perImage.isEmpty {
      health.median =
        perImage.count % 2 == 1
        ? Double(perImage[middle]) : Double(perImage[middle - 1] + perImage[middle]) / 2
    }
    health.areFractions = boxes >= 10 && largest <= 1.5
  }
}
