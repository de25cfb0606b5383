import AssayFormats
import AssayMetrics

/// The arrays behind COCO's metrics and all matches, as NumPy arrays.
///
/// `Docs/Objects.md` documents the arrays.
package struct DetectionArrays: Sendable {
  private let precision: PrecisionArrays
  private let matches: MatchTable
  private let settings: DetectionSettings
  private let truthPlaces: [Int32]
  private let foundPlaces: [Int32]

  /// - Parameters:
  ///   - truthPlaces: the positions of the rows' annotations in the file; empty if they are equal.
  ///   - foundPlaces: the same of the results.
  init(
    _ precision: PrecisionArrays, _ matches: MatchTable, settings: DetectionSettings,
    truthPlaces: [Int32], foundPlaces: [Int32]
  ) {
    self.precision = precision
    self.matches = matches
    self.settings = settings
    self.truthPlaces = truthPlaces
    self.foundPlaces = foundPlaces
  }

  /// The bytes of the `.npz` file.
  ///
  /// - Throws: ``FileDetectionError/arraysTooLarge``.
  package func npz() throws(FileDetectionError) -> [UInt8] {
    let place = { (row: Int32, places: [Int32]) in places.isEmpty ? row : places[Int(row)] }
    let truths = matches.truths.map { place($0, truthPlaces) }
    let founds = matches.founds.map { place($0, foundPlaces) }
    let partners = matches.matches.map { $0 < 0 ? $0 : place($0, truthPlaces) }
    let limits = settings.maxDetections.sorted().map { Int32(clamping: $0) }
    let (areas, thresholds) = (matches.areas, matches.thresholds)
    let perMatch = [founds.count, areas, thresholds]
    let ranges = settings.areaRanges.flatMap { [$0.low, $0.high] }
    let shape = precision.shape
    var archive = NPZFile()
    for (name, bytes) in [
      ("iou_thresholds", NPYFile.bytes(of: settings.iouThresholds, shape: [thresholds])),
      ("recalls", NPYFile.bytes(of: PrecisionRecallCurve.recalls, shape: [shape[1]])),
      ("area_ranges", NPYFile.bytes(of: ranges, shape: [areas, 2])),
      ("max_dets", NPYFile.bytes(of: limits, shape: [limits.count])),
      ("precision", NPYFile.bytes(of: precision.precision, shape: shape)),
      ("scores", NPYFile.bytes(of: precision.scores, shape: shape)),
      ("recall", NPYFile.bytes(of: precision.recall, shape: [shape[0]] + shape[2...])),
      ("gt_index", NPYFile.bytes(of: truths, shape: [truths.count])),
      ("gt_image", NPYFile.bytes(of: matches.truthImages, shape: [truths.count])),
      ("gt_class", NPYFile.bytes(of: matches.truthClasses, shape: [truths.count])),
      ("gt_ignore", NPYFile.bytes(of: matches.isTruthIgnored, shape: [truths.count, areas])),
      ("dt_index", NPYFile.bytes(of: founds, shape: [founds.count])),
      ("dt_image", NPYFile.bytes(of: matches.foundImages, shape: [founds.count])),
      ("dt_class", NPYFile.bytes(of: matches.foundClasses, shape: [founds.count])),
      ("dt_score", NPYFile.bytes(of: matches.scores, shape: [founds.count])),
      ("dt_match", NPYFile.bytes(of: partners, shape: perMatch)),
      ("dt_ignore", NPYFile.bytes(of: matches.isIgnored, shape: perMatch)),
    ] {
      guard let bytes, archive.add(name, bytes) else { throw .arraysTooLarge }
    }
    return archive.end()
  }
}
