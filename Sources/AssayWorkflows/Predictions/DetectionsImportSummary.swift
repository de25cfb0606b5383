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
  private(set) var findings: OddityCounts
  private(set) var boxesLeftOut = 0
  private var tally = ImportedDetectionTally()

  /// The number of results that are used so far.
  var usable: Int { tally.health.usable }

  init(_ results: COCOResults, _ join: ResultsJoin, samples: Int) {
    findings = results.findings
    tally.health.images = samples
    tally.health.results = results.count
    tally.health.shift = ClassIDShift(results: join.categories, truth: join.known)
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
    tally.add(sample.detections, in: sample.size)
  }

  /// The statistics of all samples.
  ///
  /// - Parameter hasObjects: returns whether samples, given by index, have objects; called for
  ///   those without a result.
  func finished(hasObjects: ([Int]) throws -> [Bool]) rethrows -> FileDetectionHealth {
    try tally.finished(hasObjects: hasObjects)
  }
}
