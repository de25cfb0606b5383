import AssayCore
import AssayFormats
import AssayStore

/// The mapping of COCO results to the samples and classes of a dataset, by their ids.
struct ResultsJoin: Sendable {
  /// The results of one sample.
  struct SampleResults: Sendable {
    var sample: Int64
    var key: String
    var size: ImageSize?
    var detections: [Detection] = []
    var findings = OddityCounts()
    /// The value of ``COCOResults/ImageDetections/boxesLeftOut``.
    var boxesLeftOut = 0
  }

  /// The image numbers in the results for each sample of the view; several if its id has several
  /// spellings.
  private let images: [[Int]]
  /// The class for each category of the results; `nil` if the dataset does not have it.
  private let classes: [Int?]
  /// The numbers of images and categories in the results that the view and the dataset do not have,
  /// in the file's order.
  let unknownImages: [Int]
  let unknownCategories: [Int]
  /// The numbers of images and categories whose ids are strings instead of numbers, or numbers
  /// instead of strings.
  let mistypedImages: [Int]
  let mistypedCategories: Set<Int>
  /// The category ids of the results and of the dataset.
  let categories: [SourceID]
  let known: [SourceID]

  /// Matches images by the samples' ids in the source, or by their keys if there are no ids;
  /// matches categories by the classes' ids, or by their names if there are no ids.
  ///
  /// - Throws: ``PredictionsError/noSharedImage(_:view:known:)``,
  ///   ``PredictionsError/noSharedCategory(_:known:)`` if none of them is known.
  init(
    _ results: COCOResults, _ samples: [SampleRecord], _ taxonomy: Taxonomy, view: String
  ) throws(PredictionsError) {
    let sampleIDs = samples.map { $0.sourceID ?? .text($0.key) }
    let samplePlaces = Self.places(of: sampleIDs)
    let sampleTable = COCOIDTable(sampleIDs)
    var images = samples.map { _ in [Int]() }
    var (unknown, mistyped): ([Int], [Int]) = ([], [])
    for (number, id) in results.images.enumerated() {
      guard let find = sampleTable.find(id), let place = samplePlaces[sampleTable.ids[find.number]]
      else {
        unknown.append(number)
        continue
      }
      images[place].append(number)
      if find.isConverted { mistyped.append(number) }
    }
    self.images = images
    unknownImages = unknown
    mistypedImages = mistyped
    guard unknownImages.isEmpty || unknownImages.count < results.images.count else {
      throw .noSharedImage(
        unknownImages.prefix(3).map { results.images[$0] }, view: view,
        known: samples.prefix(3).map { $0.sourceID ?? .text($0.key) })
    }
    known = taxonomy.categories.map { $0.sourceID ?? .text($0.name) }
    let table = COCOIDTable(known)
    let places = Self.places(of: known)
    categories = results.categories
    let finds = results.categories.map { table.find($0) }
    let classes = finds.map { find in find.flatMap { places[table.ids[$0.number]] } }
    self.classes = classes
    mistypedCategories = Set(finds.indices.filter { finds[$0]?.isConverted ?? false })
    unknownCategories = classes.indices.filter { classes[$0] == nil }
    guard unknownCategories.isEmpty || unknownCategories.count < results.categories.count else {
      throw .noSharedCategory(
        unknownCategories.prefix(5).map { results.categories[$0] }, known: Array(known.prefix(5)))
    }
  }

  /// The first index of each id; with duplicate ids, later numbers would otherwise be shifted.
  private static func places(of ids: [SourceID]) -> [SourceID: Int] {
    Dictionary(zip(ids, ids.indices), uniquingKeysWith: { first, _ in first })
  }

  /// Returns whether the dataset has a category of the results, by its number.
  func isKnown(category: Int) -> Bool { classes[category] != nil }

  /// The results of a sample, with the dataset's classes.
  ///
  /// - Parameter index: the sample's index in the view.
  func detections(
    of sample: SampleRecord, at index: Int, in results: COCOResults
  ) -> SampleResults {
    var found = SampleResults(sample: sample.id, key: sample.key, size: sample.size)
    var placed: [(place: Int, detection: Detection)] = []
    for image in images[index] {
      let read = results.detections(of: image, size: sample.size)
      found.findings.merge(read.findings)
      found.boxesLeftOut += read.boxesLeftOut
      for (place, detection) in zip(read.places, read.detections) {
        guard let number = classes[detection.class] else { continue }
        var detection = detection
        detection.class = number
        placed.append((place, detection))
      }
    }
    if images[index].count > 1 { placed.sort { $0.place < $1.place } }
    found.detections = placed.map(\.detection)
    return found
  }
}
