/// An image's verdicts as bytes, without loss.
///
/// A byte for the form, one for the width of the scores, the number of objects and of detections. Then of
/// each object: class, whether it is ignored and its sizes, area. Of each detection: class, mark, the object
/// it is about, its overlap where there is one, the object it is paired with, sizes, score. Whole numbers
/// have seven bits a byte, least first; others are floats, least byte first. What became of the objects
/// follows from the detections.
extension ImageErrors {
  private static let form: UInt8 = 1
  private static let wide: UInt8 = 8
  private static let narrow: UInt8 = 4
  private static let fixable: UInt8 = 8

  /// The bytes that the catalog keeps.
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

  /// Reads ``packed`` back; the bytes may be anything.
  ///
  /// - Parameter classCount: classes are below it.
  /// - Throws: ``MetricError/unreadable(_:)`` where they are no verdicts, or impossible ones.
  package init(packed bytes: [UInt8], classCount: Int) throws(MetricError) {
    var reader = PackedReader(bytes)
    guard let image = Self.read(&reader, classCount: classCount) else {
      throw .unreadable("the verdicts of an image")
    }
    self = image
  }

  private static func read(_ reader: inout PackedReader, classCount: Int) -> ImageErrors? {
    guard reader.byte() == form, let width = reader.byte(), width == wide || width == narrow,
      // No object takes less than six bytes, and no detection than nine.
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

  /// Adds a detection, and what it says about the object it is about; `false` where that cannot be.
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
