import AssayCore

/// The errors of one image: every detection and every ground-truth object with its result, from
/// which all counts and ΔAP values are computed without matching again.
///
/// Detections find objects as in COCO's evaluation, at the working IoU, in the first area range and
/// with the maximum number of detections per class of the settings. Those that find none get the
/// first error that fits:
/// - localization: they overlap an object of their class by 0.1 to the working IoU, both ends included;
/// - classification: an object of another class by the working IoU or more;
/// - duplicate: an object of their class by as much, which a better detection found;
/// - background: no object by more than 0.1;
/// - both: the rest, whose overlap with an object of another class is too small.
///
/// An object that was not found is missed unless a detection with a classification or localization error is
/// about it.
/// Source: tidecv 1.0.1, `quantify.py`, except for the differences stated in ``ErrorScores``.
package struct ImageErrors: Sendable, Equatable {
  /// The overlap below which a detection is unrelated to an object.
  package static let backgroundOverlap = 0.1

  /// A detection as stored.
  struct Found: Sendable, Equatable {
    var `class`: Int32
    var mark: Mark
    /// True if it is the best of the detections with a classification or localization error about an object
    /// that no detection finds: the one that becomes right if its error is fixed.
    var isFixable = false
    /// The index of the object concerned, or −1.
    var truth: Int32 = -1
    var overlap: Float = 0
    /// The index of the object paired with it in the confusion matrix at the working score, or −1:
    /// the one it finds, else one of another class that no detection finds.
    var confusedTruth: Int32 = -1
    /// A bit for each area range that contains its area.
    var sizes: UInt32
    var score: Double
  }

  /// The result of a detection; the packed form uses this order.
  enum Mark: UInt8, Sendable, CaseIterable {
    case right, `class`, place, both, duplicate, background, ignored
  }

  /// A ground-truth object as stored.
  struct Truth: Sendable, Equatable {
    var `class`: Int32
    var outcome: TruthObjectVerdict.Outcome
    /// As in ``TruthObjectVerdict``, or −1.
    var found: Int32 = -1
    var sizes: UInt32
    var area: Float
  }

  /// The detections in the given order.
  var founds: [Found]
  var truths: [Truth]

  init(founds: [Found], truths: [Truth]) {
    self.founds = founds
    self.truths = truths
  }

  /// Evaluates the detections of one image that have already been matched.
  ///
  /// - Parameters:
  ///   - truth: the image's objects, without classes that are not evaluated.
  ///   - found: its detections in any order; equal scores rank in the given order.
  ///   - matches: the matches of both with these settings.
  /// - Complexity: O(*truth* · *found*).
  package init(
    truth: [TruthObject], found: [FoundObject], matches: ImageMatches,
    _ settings: DetectionSettings
  ) {
    self = ErrorMatching(truth: truth, found: found, matches, settings).errors
  }

  /// Matches and evaluates the detections of one image.
  ///
  /// - Throws: ``MetricError``.
  package init(
    truth: [TruthObject], found: [FoundObject], _ settings: DetectionSettings
  ) throws(MetricError) {
    let matcher = try DetectionMatcher(settings.forErrors)
    self = try Self.evaluating(truth: truth, found: found, settings, matcher)
  }

  /// - Parameter matcher: a matcher for ``DetectionSettings/forErrors``.
  static func evaluating(
    truth: [TruthObject], found: [FoundObject], _ settings: DetectionSettings,
    _ matcher: DetectionMatcher
  ) throws(MetricError) -> ImageErrors {
    var working = settings
    working.iouThresholds = matcher.settings.iouThresholds
    return ImageErrors(
      truth: truth, found: found, matches: try matcher.matches(truth: truth, found: found),
      working)
  }

  /// The result of each detection, in the given order.
  package var foundVerdicts: [FoundObjectVerdict] { founds.map(\.verdict) }

  /// The score of each detection.
  package var foundScores: [Double] { founds.map(\.score) }

  /// The result of each ground-truth object, in the given order.
  package var truthVerdicts: [TruthObjectVerdict] { truths.map(\.verdict) }
}

extension ImageErrors.Found {
  var verdict: FoundObjectVerdict {
    FoundObjectVerdict(
      outcome: mark.outcome, error: mark.error, truth: truth < 0 ? nil : Int(truth),
      overlap: truth < 0 ? nil : Double(overlap))
  }
}

extension ImageErrors.Truth {
  var verdict: TruthObjectVerdict {
    TruthObjectVerdict(outcome: outcome, found: found < 0 ? nil : Int(found))
  }
}

extension ImageErrors.Mark {
  var outcome: FoundObjectVerdict.Outcome {
    switch self {
    case .right: .right
    case .ignored: .ignored
    default: .wrong
    }
  }

  var error: DetectionErrorKind? {
    switch self {
    case .right, .ignored: nil
    case .class: .class
    case .place: .place
    case .both: .both
    case .duplicate: .duplicate
    case .background: .background
    }
  }
}

extension DetectionSettings {
  /// The settings for the matching that error analysis needs.
  var forErrors: DetectionSettings {
    var settings = self
    settings.iouThresholds = [workingIoU]
    settings.areaRanges = Array(areaRanges.prefix(1))
    return settings
  }
}

/// The lossless encoding of an image's results as bytes.
///
/// One byte for the format version, one for the width of the scores, the number of objects and of
/// detections. For each object: class, whether it is ignored and its sizes, area. For each
/// detection: class, mark, the object concerned, the overlap if there is one, the object it is
/// paired with, sizes, score. Integers have seven bits per byte, least significant first; others
/// are little-endian floats. The results of the objects are derived from the detections.
extension ImageErrors {
  private static let form: UInt8 = 1
  private static let wide: UInt8 = 8
  private static let narrow: UInt8 = 4
  private static let fixable: UInt8 = 8

  /// The bytes that the catalog stores.
  package var packed: [UInt8] {
    let isNarrow = founds.allSatisfy {
      Double(Float($0.score)).bitPattern == $0.score.bitPattern
    }
    var bytes: [UInt8] = [Self.form, isNarrow ? Self.narrow : Self.wide]
    bytes.reserveCapacity(16 + founds.count * 18 + truths.count * 8)
    bytes.append(number: UInt64(truths.count))
    bytes.append(number: UInt64(founds.count))
    for truth in truths {
      bytes.append(number: UInt64(clamping: truth.class))
      bytes.append(number: UInt64(truth.sizes) << 1 | (truth.outcome == .ignored ? 1 : 0))
      bytes.append(bits: truth.area.bitPattern)
    }
    for found in founds {
      bytes.append(number: UInt64(clamping: found.class))
      bytes.append(found.mark.rawValue | (found.isFixable ? Self.fixable : 0))
      bytes.append(number: UInt64(clamping: found.truth + 1))
      if found.truth >= 0 { bytes.append(bits: found.overlap.bitPattern) }
      bytes.append(number: UInt64(clamping: found.confusedTruth + 1))
      bytes.append(number: UInt64(found.sizes))
      if isNarrow {
        bytes.append(bits: Float(found.score).bitPattern)
      } else {
        bytes.append(bits: found.score.bitPattern)
      }
    }
    return bytes
  }

  /// Decodes ``packed``; the bytes can be arbitrary.
  ///
  /// - Parameter classCount: the upper bound of the classes, exclusive.
  /// - Throws: ``MetricError/unreadable(_:)`` if they are not valid or consistent results.
  package init(packed bytes: [UInt8], classCount: Int) throws(MetricError) {
    var reader = PackedReader(bytes)
    guard let image = Self.read(&reader, classCount: classCount) else {
      throw .unreadable("the verdicts of an image")
    }
    self = image
  }

  private static func read(_ reader: inout PackedReader, classCount: Int) -> ImageErrors? {
    guard reader.byte() == form, let width = reader.byte(), width == wide || width == narrow,
      // An object takes at least six bytes, a detection at least nine.
      let truthCount = reader.count(least: 6), let foundCount = reader.count(least: 9)
    else { return nil }
    var image = ImageErrors(founds: [], truths: [])
    image.truths.reserveCapacity(truthCount)
    image.founds.reserveCapacity(foundCount)
    for _ in 0..<truthCount {
      guard let category = reader.number(below: classCount), let sizes = reader.number(),
        sizes >> 1 <= UInt64(UInt32.max), let area = reader.float()
      else { return nil }
      image.truths.append(
        Truth(
          class: Int32(category), outcome: sizes & 1 == 1 ? .ignored : .missed,
          sizes: UInt32(sizes >> 1), area: area))
    }
    var isFree = image.truths.map { $0.outcome != .ignored }
    for _ in 0..<foundCount {
      guard let found = readFound(&reader, width: width, classCount: classCount, truthCount),
        image.accept(found)
      else { return nil }
      if found.confusedTruth >= 0 {
        guard isFree[Int(found.confusedTruth)], found.mark != .ignored else { return nil }
        isFree[Int(found.confusedTruth)] = false
      }
    }
    return reader.isAtEnd ? image : nil
  }

  private static func readFound(
    _ reader: inout PackedReader, width: UInt8, classCount: Int, _ truthCount: Int
  ) -> Found? {
    guard let category = reader.number(below: classCount), let code = reader.byte(),
      let mark = Mark(rawValue: code & ~fixable), let truth = reader.number(below: truthCount + 1)
    else { return nil }
    var overlap: Float = 0
    if truth > 0 {
      guard let stated = reader.float(), stated >= 0, stated <= 1 else { return nil }
      overlap = stated
    }
    guard let paired = reader.number(below: truthCount + 1), let sizes = reader.number(),
      sizes <= UInt64(UInt32.max),
      let score = width == narrow ? reader.float().map(Double.init) : reader.double(),
      score.isFinite
    else { return nil }
    return Found(
      class: Int32(category), mark: mark, isFixable: code & fixable != 0, truth: Int32(truth) - 1,
      overlap: overlap, confusedTruth: Int32(paired) - 1, sizes: UInt32(sizes), score: score)
  }

  /// Adds a detection, and its effect on the object concerned; `false` if they are inconsistent.
  private mutating func accept(_ found: Found) -> Bool {
    let index = Int32(founds.count)
    founds.append(found)
    let mayBeFixable = found.mark == .class || found.mark == .place
    guard !found.isFixable || mayBeFixable else { return false }
    guard found.truth >= 0 else { return found.mark == .background || found.mark == .ignored }
    let place = Int(found.truth)
    let isSameClass = truths[place].class == found.class
    let isIgnored = truths[place].outcome == .ignored
    switch found.mark {
    case .background: return false
    case .ignored: return isIgnored
    case .right:
      guard isSameClass, truths[place].outcome == .missed else { return false }
      truths[place].outcome = .found
      truths[place].found = index
    case .place, .class:
      guard isSameClass == (found.mark == .place), !isIgnored else { return false }
      guard found.isFixable else { return true }
      guard truths[place].outcome == .missed else { return false }
      truths[place].outcome = .mistaken
      truths[place].found = index
    case .duplicate: return isSameClass && !isIgnored
    case .both: return !isSameClass && !isIgnored
    }
    return true
  }
}
