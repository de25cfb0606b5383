package import AssayCore

/// The numbers of errors of each type, by class and by size.
package struct ErrorCounts: Sendable, Equatable {
  private let classCount: Int
  private let sizeCount: Int
  /// The counts by type, by size (all sizes first), by class.
  private var counts: [Int]

  /// Counts the errors of detections with at least a given score.
  ///
  /// - Parameter score: `nil` for all detections. With a score, objects that only detections with
  ///   lower scores find count as missed, too.
  /// - Complexity: O(*detections*).
  package init(_ tally: ErrorTally, from score: Double? = nil) {
    classCount = tally.classCount
    sizeCount = min(32, tally.settings.areaRanges.count)
    counts = Array(
      repeating: 0, count: DetectionErrorKind.allCases.count * (1 + sizeCount) * classCount)
    let least = score ?? -.infinity
    for image in 0..<tally.count {
      let truths = tally.truths[tally.truthStarts[image]..<tally.truthStarts[image + 1]]
      for found in tally.founds[tally.foundStarts[image]..<tally.foundStarts[image + 1]]
      where found.score >= least && found.mark.outcome == .wrong {
        let about = found.truth < 0 ? nil : Int(found.truth)
        let sizes = about.map { truths[truths.startIndex + $0].sizes } ?? found.sizes
        // The error types are numbered from 1 among the marks.
        add(Int(found.mark.rawValue) - 1, Int(found.class), sizes)
      }
      for place in tally.missed(of: image, from: least) {
        let truth = truths[truths.startIndex + place]
        add(DetectionErrorKind.allCases.count - 1, Int(truth.class), truth.sizes)
      }
    }
  }

  private mutating func add(_ kind: Int, _ category: Int, _ sizes: UInt32) {
    let start = kind * (1 + sizeCount) * classCount + category
    counts[start] += 1
    for size in 0..<sizeCount where sizes >> UInt32(size) & 1 == 1 {
      counts[start + (1 + size) * classCount] += 1
    }
  }

  /// The number of errors of a type.
  ///
  /// - Parameter size: an index into the settings' area ranges, `nil` for any size; the size is
  ///   that of the object concerned or, for background errors, of the detection.
  package func count(_ kind: DetectionErrorKind, size: Int? = nil) -> Int {
    perClass(kind, size: size).reduce(0, +)
  }

  /// The number of errors of a type per class: the class of the detection or of the missed object.
  package func perClass(_ kind: DetectionErrorKind, size: Int? = nil) -> [Int] {
    guard size.map({ (0..<sizeCount).contains($0) }) ?? true else {
      return Array(repeating: 0, count: classCount)
    }
    let kind = DetectionErrorKind.allCases.firstIndex(of: kind) ?? 0
    let start = (kind * (1 + sizeCount) + (size.map { $0 + 1 } ?? 0)) * classCount
    return Array(counts[start..<start + classCount])
  }
}

extension ErrorTally {
  /// The places of the objects of an image that no detection with at least a score finds, in another place or
  /// of another class either.
  func missed(of image: Int, from score: Double) -> [Int] {
    let truths = truths[truthStarts[image]..<truthStarts[image + 1]]
    var isNoticed = Array(repeating: false, count: truths.count)
    for found in founds[foundStarts[image]..<foundStarts[image + 1]]
    where found.score >= score && found.truth >= 0 {
      switch found.mark {
      case .right, .class, .place: isNoticed[Int(found.truth)] = true
      default: break
      }
    }
    return zip(truths, isNoticed).enumerated().filter {
      !$0.element.1 && $0.element.0.outcome != .ignored
    }.map(\.offset)
  }

  /// The classes of these objects, one for each.
  package func missedClasses(of image: Int, from score: Double) -> [Int] {
    missed(of: image, from: score).map { Int(truths[truthStarts[image] + $0].class) }
  }
}
