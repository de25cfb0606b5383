import AssayCore
import AssayFormats
import AssayMetrics

/// The ground truth and the results in the form that the metrics use: images and classes are in the
/// order of their ids, and unusable items are left out.
///
/// `COCOOddity` documents the handling of each oddity; the compatible form does what pycocotools
/// does instead, if that is possible.
struct FileDetectionJoin: Sendable {
  let inputs: FileDetectionInputs
  let isCompatible: Bool
  /// The images, in the order of their ids.
  let images: [COCOTruth.Image]
  let classes: [COCOTruth.Category]
  var truth = TruthColumns()
  var found = FoundColumns()
  /// The annotation index for each entry of the ground truth's columns; empty if they are
  /// identical.
  var truthPlaces: [Int32] = []
  /// The keypoints of each annotation; empty if they are not compared.
  var truthKeypoints: [ObjectKeypoints?] = []
  /// The σ of the classes' keypoints; `nil` if they are not compared.
  let keypointClasses: KeypointClasses?
  /// All oddities of both files.
  var findings = OddityCounts()

  /// - Throws: ``FileDetectionError``.
  init(
    _ inputs: FileDetectionInputs, isCompatible: Bool, sigmas: StatedSigmas? = nil
  ) throws {
    self.inputs = inputs
    self.isCompatible = isCompatible
    let (imageOrder, imageRanks) = Self.ranks(inputs.truth.images.map(\.id))
    let (classOrder, classRanks) = Self.ranks(inputs.truth.categories.map(\.id))
    images = imageOrder.map { inputs.truth.images[$0] }
    let classes = classOrder.map { inputs.truth.categories[$0] }
    self.classes = classes
    keypointClasses =
      inputs.overlap == .keypoints
      ? KeypointClasses(
        names: classes.map(\.name), attributes: classes.map(\.attributes), stated: sigmas) : nil
    findings.merge(inputs.truth.findings)
    findings.merge(inputs.results.findings)
    try joinTruth(imageRanks, classRanks)
    try joinResults(imageRanks, classRanks)
  }

  var isMask: Bool { inputs.overlap == .mask }

  /// The indices of ids in ascending order, and the rank of each id.
  private static func ranks(_ ids: [SourceID]) -> (order: [Int], ranks: [Int32]) {
    let order = ids.indices.sorted { ids[$0].precedes(ids[$1]) }
    var ranks = [Int32](repeating: 0, count: ids.count)
    for (rank, place) in order.enumerated() { ranks[place] = Int32(rank) }
    return (order, ranks)
  }

  /// The numbers of evaluated annotations and results.
  var usableTruths: Int { Self.count(truth.images, truth.classes) }
  var usableResults: Int { Self.count(found.images, found.classes) }

  private static func count(_ images: [Int32], _ classes: [Int32]) -> Int {
    images.indices.count { images[$0] >= 0 && classes[$0] >= 0 }
  }

  /// Matches all results to the ground truth.
  ///
  /// - Parameter keepsPairs: whether a `MatchTable` is to be made of the tally.
  /// - Throws: `MetricError`.
  func tally(
    _ settings: DetectionSettings, keepsPairs: Bool = false, workers: Int
  ) throws -> DetectionTally {
    try DetectionTally.matching(
      classCount: classes.count, images: images.count, truth: truth, found: found,
      masks: isMask ? masks : nil, keypoints: keypointClasses == nil ? nil : keypoints, settings,
      keepsPairs: keepsPairs, workers: workers)
  }

  private var keypoints: KeypointColumns {
    KeypointColumns(
      truth: { [truthKeypoints] in truthKeypoints[$0] },
      found: { [keypoints = inputs.results.keypoints] in keypoints[$0] })
  }

  /// The regions; rasterized only if regions are compared.
  private var masks: MaskColumns {
    MaskColumns(
      truth: { [self] place in
        let annotation = truthPlaces.isEmpty ? place : Int(truthPlaces[place])
        return mask(
          inputs.truth.region(at: annotation), box: truth.boxes[place],
          in: images[Int(truth.images[place])].size)
      },
      found: { [self] place in
        mask(
          inputs.results.region(at: place), box: found.boxes[place],
          in: images[Int(found.images[place])].size)
      })
  }

  /// A region, or a box as a region; empty for an RLE of another size, which overlaps nothing.
  private func mask(_ region: COCORegion?, box: Box, in size: ImageSize?) -> Mask? {
    guard let region else { return size.map { Mask(box: box, size: $0) } }
    do throws(COCORegion.Failure) {
      return try region.mask(in: size).mask
    } catch {
      return size.map { Mask(emptyOf: $0) }
    }
  }
}
