/// The detections of one image matched to its truth as COCO's evaluation does it, class by class, at every IoU
/// threshold and in every area range: all that scores need of an image.
package struct ImageMatches: Sendable, Equatable {
  /// One image.
  let columns: MatchColumns

  init(_ columns: MatchColumns) { self.columns = columns }

  /// Matches the detections of one image.
  ///
  /// - Parameters:
  ///   - truth: the image's objects as in the file, which decides equal overlaps; classes that are not
  ///     judged left out.
  ///   - found: its detections in any order; equal scores rank in the given order.
  /// - Throws: ``MetricError``.
  /// - Complexity: O(*truth* · *found*) within each class.
  package init(
    truth: [TruthObject], found: [FoundObject], _ settings: DetectionSettings
  ) throws(MetricError) {
    self = try DetectionMatcher(settings).matches(truth: truth, found: found)
  }

  /// The numbers of objects and detections that were given.
  package var truthCount: Int { columns.images.first.map { Int($0.truths) } ?? 0 }
  package var foundCount: Int { columns.images.first.map { Int($0.founds) } ?? 0 }

  /// The detections that count, class by class in ascending order, of each the highest score first. Those
  /// beyond the most detections of a class are not among them.
  package var results: [RankedResult] { columns.results }

  /// The number of objects of a class that must be found, in an area range; 0 of a class that is not there.
  package func countable(class category: Int, area: Int = 0) -> Int {
    guard let place = columns.parts.firstIndex(where: { $0.class == Int32(clamping: category) })
    else { return 0 }
    return Int(columns.countable[place * columns.areaCount + area])
  }
}
