/// The detections of one image matched to its ground truth as in COCO's evaluation, class by class,
/// at every IoU threshold and in every area range: all data of an image that scores need.
package struct ImageMatches: Sendable, Equatable {
  /// The columns of one image.
  let columns: MatchColumns

  init(_ columns: MatchColumns) { self.columns = columns }

  /// Matches the detections of one image.
  ///
  /// - Parameters:
  ///   - truth: the image's objects in the order of the file, which decides equal overlaps; without
  ///     classes that are not evaluated.
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

  /// The detections that count, class by class in ascending order, with the highest score first
  /// within a class. Detections beyond the maximum number per class are not included.
  package var results: [RankedResult] { columns.results }

  /// The number of objects of a class that must be found, in an area range; 0 for a class that does
  /// not occur.
  package func countable(class category: Int, area: Int = 0) -> Int {
    guard let place = columns.parts.firstIndex(where: { $0.class == Int32(clamping: category) })
    else { return 0 }
    return Int(columns.countable[place * columns.areaCount + area])
  }
}

/// The lossless encoding of an image's matches as bytes.
///
/// One byte for the format version, one for the width of the scores, then the numbers of area
/// ranges, thresholds, objects, detections and classes. For each class: its difference from the
/// previous one, the number of objects that must be found in each area range, the number of its
/// detections. For each detection: score, position as given, the area ranges it is in, and whether
/// it matches an object; if so, the object at the working IoU, and for each area range the
/// thresholds at which it is matched, and those at which it is ignored. Integers have seven bits
/// per byte, least significant first; scores are little-endian floats.
extension ImageMatches {
  private static let form: UInt8 = 1
  private static let wide: UInt8 = 8
  private static let narrow: UInt8 = 4

  /// The bytes that the catalog stores.
  package var packed: [UInt8] {
    let isNarrow = columns.scores.allSatisfy { Double(Float($0)).bitPattern == $0.bitPattern }
    let areas = columns.areaCount
    var bytes: [UInt8] = [Self.form, isNarrow ? Self.narrow : Self.wide]
    bytes.reserveCapacity(16 + columns.scores.count * 11 + columns.hits.count * 2)
    for number in [
      areas, columns.everyThreshold.nonzeroBitCount, truthCount, foundCount, columns.parts.count,
    ] {
      bytes.append(number: UInt64(number))
    }
    var (last, result, hit) = (Int32(0), 0, 0)
    for (place, part) in columns.parts.enumerated() {
      bytes.append(number: UInt64(part.class - last))
      last = part.class
      for area in 0..<areas {
        bytes.append(number: UInt64(columns.countable[place * areas + area]))
      }
      bytes.append(number: UInt64(part.results))
      for _ in 0..<part.results {
        if isNarrow {
          bytes.append(bits: Float(columns.scores[result]).bitPattern)
        } else {
          bytes.append(bits: columns.scores[result].bitPattern)
        }
        let mark = columns.marks[result]
        let isHit = mark & MatchColumns.isHit != 0
        bytes.append(number: UInt64(columns.founds[result]))
        bytes.append(number: UInt64(mark & ~MatchColumns.isHit) << 1 | (isHit ? 1 : 0))
        result += 1
        guard isHit else { continue }
        let truth = columns.hitTruths[hit]
        bytes.append(number: truth == MatchColumns.none ? 0 : UInt64(truth) + 1)
        for word in columns.hits[hit * 2 * areas..<(hit + 1) * 2 * areas] {
          bytes.append(number: word)
        }
        hit += 1
      }
    }
    return bytes
  }

  /// Decodes ``packed``; the bytes can be arbitrary.
  ///
  /// - Throws: ``MetricError/unreadable(_:)`` if they are not matches made with these settings, or
  ///   are inconsistent; ``MetricError/detectionSettings(_:)``.
  package init(packed bytes: [UInt8], _ settings: DetectionSettings) throws(MetricError) {
    self = try DetectionMatcher(settings).matches(packed: bytes)
  }

  fileprivate static func read(
    _ reader: inout PackedReader, _ matcher: DetectionMatcher
  ) -> MatchColumns? {
    let areas = matcher.areaCount
    guard reader.byte() == form, let width = reader.byte(), width == wide || width == narrow,
      reader.number() == UInt64(areas),
      reader.number() == UInt64(matcher.thresholds.count),
      let truths = reader.number(below: .max), let founds = reader.number(below: .max),
      let parts = reader.count(least: 2 + areas)
    else { return nil }
    var columns = matcher.emptyColumns
    var category = 0
    for part in 0..<parts {
      guard let step = reader.number(below: DetectionTally.classLimit), part == 0 || step > 0
      else { return nil }
      category += step
      guard category < DetectionTally.classLimit else { return nil }
      for _ in 0..<areas {
        guard let countable = reader.number(below: truths + 1) else { return nil }
        columns.countable.append(UInt32(countable))
      }
      guard let results = reader.count(least: Int(width) + 2), results <= matcher.most else {
        return nil
      }
      let hits = columns.hitTruths.count
      let (first, firstWord) = (columns.scores.count, columns.hits.count)
      for _ in 0..<results {
        guard let score = width == wide ? reader.double() : reader.float().map(Double.init),
          columns.scores.count == first || columns.scores[columns.scores.count - 1] >= score,
          let found = reader.number(below: founds), let mark = reader.number(below: 2 << areas)
        else { return nil }
        columns.scores.append(score)
        columns.founds.append(UInt32(found))
        columns.marks.append(UInt32(mark >> 1) | (mark & 1 == 1 ? MatchColumns.isHit : 0))
        if mark & 1 == 1 {
          guard let truth = reader.number(below: truths + 1) else { return nil }
          columns.hitTruths.append(truth == 0 ? MatchColumns.none : UInt32(truth - 1))
          for _ in 0..<2 * areas {
            guard let word = reader.number(), word & ~columns.everyThreshold == 0 else {
              return nil
            }
            columns.hits.append(word)
          }
        }
      }
      let countables = columns.countable.suffix(areas)
      guard holds(columns.hits[firstWord...], countables) else { return nil }
      columns.parts.append(
        MatchColumns.Part(
          class: Int32(category), results: UInt32(results),
          hits: UInt32(columns.hitTruths.count - hits)))
    }
    guard reader.isAtEnd else { return nil }
    columns.images = [
      MatchColumns.Image(
        parts: columns.parts.count, results: columns.scores.count, hits: columns.hitTruths.count,
        truths: UInt32(truths), founds: UInt32(founds))
    ]
    return columns
  }

  /// Returns whether the detections of a class find no more objects than there are, in each area
  /// range at each threshold.
  private static func holds(_ hits: ArraySlice<UInt64>, _ countable: ArraySlice<UInt32>) -> Bool {
    let areas = countable.count
    let rows = stride(from: hits.startIndex, to: hits.endIndex, by: 2 * areas)
    // There are at least as many objects as detections that find one, which is nearly always true.
    if countable.allSatisfy({ Int($0) >= rows.underestimatedCount }) { return true }
    for (area, limit) in countable.enumerated() {
      var found = SIMD64<UInt32>(repeating: 0)
      for row in rows {
        var right = hits[row + area] & ~hits[row + areas + area]
        while right != 0 {
          let threshold = right.trailingZeroBitCount
          found[threshold] += 1
          guard found[threshold] <= limit else { return false }
          right &= right &- 1
        }
      }
    }
    return true
  }
}

extension DetectionMatcher {
  /// Decodes ``ImageMatches/packed``; faster than the initializer for many images.
  ///
  /// - Throws: ``MetricError/unreadable(_:)``.
  package func matches(packed bytes: [UInt8]) throws(MetricError) -> ImageMatches {
    var reader = PackedReader(bytes)
    guard let columns = ImageMatches.read(&reader, self) else {
      throw .unreadable("the matches of an image")
    }
    return ImageMatches(columns)
  }
}
