import AssayCore
import AssayImaging
import AssayMetrics

/// Reads the two images of a pair and counts their pixels.
struct MaskFileCounter: Sendable {
  /// The counts of one pair.
  struct Counted: Sendable {
    var sample: SegmentedSample
    /// The values of ground-truth pixels that are neither a class nor ignored, and the number of
    /// these pixels.
    var beyond: Set<Int> = []
    var beyondPixels = 0
  }

  let labels: SegmentationLabels
  private let truth: DirectoryTree
  private let results: DirectoryTree
  private let isBinary: Bool
  private let voids: Set<UInt8>
  /// The minimum value of a set pixel of a binary mask.
  private let threshold: UInt8
  /// True if the ground truth may also contain shades of gray.
  private let thresholdsTruth: Bool
  private let cleanup: MaskCleanup
  private let hasBoundary: Bool

  /// The maximum size of an image file in bytes.
  private static let fileLimit = 1 << 30

  /// - Parameter classes: the classes of label maps; `nil` for binary masks.
  /// - Throws: ``FileSegmentationError``.
  init(
    truth: DirectoryTree, results: DirectoryTree, classes: LabelList?,
    _ settings: EvaluationSettings
  ) throws {
    self.truth = truth
    self.results = results
    isBinary = classes == nil
    labels = classes?.labels ?? SegmentationLabels(foreground: "mask")
    let masks = settings.masks
    let names = labels.names
    voids = Set(
      try masks.ignored.map { text in
        if let value = UInt8(text) { return value }
        guard let label = names.firstIndex(of: text) else {
          throw FileSegmentationError.badIgnored(text, classes: names)
        }
        return UInt8(label)
      })
    // The threshold also applies to probability maps: a pixel is set if its value is at least 255 ·
    // threshold.
    threshold = UInt8(max(0, min(255, (255 * (masks.threshold ?? 0.5)).rounded(.up))))
    thresholdsTruth = masks.threshold != nil
    cleanup = masks.cleanup
    hasBoundary = masks.hasBoundary
    if !isBinary {
      if masks.threshold != nil { throw FileSegmentationError.notForLabels(option: "threshold") }
      if !cleanup.isNone { throw FileSegmentationError.notForLabels(option: "open, --close, …") }
    }
  }

  /// - Throws: ``FileSegmentationError``, ``SourceError``.
  func count(_ pair: MaskFilePairs.Pair) throws -> Counted {
    let a = try picture(pair.truth, in: truth)
    let b = try picture(pair.result, in: results)
    guard a.width == b.width, a.height == b.height else {
      throw FileSegmentationError.sizes(
        file: pair.name, truth: ImageSize(width: a.width, height: a.height),
        result: ImageSize(width: b.width, height: b.height))
    }
    return try isBinary ? countBinary(pair, a, b) : countLabels(pair, a, b)
  }

  private func countLabels(
    _ pair: MaskFilePairs.Pair, _ truth: Raster<UInt8>, _ result: Raster<UInt8>
  ) throws -> Counted {
    do {
      return Counted(sample: try sample(pair, truth, result, voids))
    } catch MetricError.valueOutOfRange(side: .truth, value: _, labels: _) {
      var counts = [Int](repeating: 0, count: 256)
      for value in truth.elements { counts[Int(value)] += 1 }
      let beyond = Set(
        (labels.count..<256).filter { counts[$0] > 0 && !voids.contains(UInt8($0)) })
      return Counted(
        sample: try sample(pair, truth, result, voids.union(beyond.map { UInt8($0) })),
        beyond: beyond, beyondPixels: beyond.reduce(0) { $0 + counts[$1] })
    }
  }

  private func sample(
    _ pair: MaskFilePairs.Pair, _ truth: Raster<UInt8>, _ result: Raster<UInt8>,
    _ voids: Set<UInt8>
  ) throws -> SegmentedSample {
    do {
      return try SegmentedSample(
        truth: truth, predicted: result, labels: labels, voids: voids, boundary: hasBoundary)
    } catch MetricError.valueOutOfRange(side: .prediction, let value, let labels) {
      throw FileSegmentationError.valueBeyond(
        file: results.name + "/" + pair.result.path, value: value, classes: labels)
    }
  }

  private func countBinary(
    _ pair: MaskFilePairs.Pair, _ truth: Raster<UInt8>, _ result: Raster<UInt8>
  ) throws -> Counted {
    if !thresholdsTruth {
      for value in truth.elements where value != 0 && value != 255 && !voids.contains(value) {
        throw FileSegmentationError.notBinary(
          file: self.truth.name + "/" + pair.truth.path, value: Int(value))
      }
    }
    var result = result
    if !cleanup.isNone {
      result = cleanup.applied(to: Mask(result, from: threshold)).raster()
    }
    guard !voids.isEmpty else {
      return Counted(
        sample: try SegmentedSample(
          truth: truth, predicted: result, threshold: threshold, boundary: hasBoundary))
    }
    let set = (0...UInt8.max).map { $0 >= threshold ? UInt8(1) : 0 }
    let labeled = (0...UInt8.max).map { voids.contains($0) ? UInt8(2) : set[Int($0)] }
    return Counted(
      sample: try sample(pair, truth.mapped(by: labeled), result.mapped(by: set), [2]))
  }

  /// The image as one channel of values.
  private func picture(_ file: SourceFile, in tree: DirectoryTree) throws -> Raster<UInt8> {
    guard file.size <= Self.fileLimit else {
      throw SourceReadError.tooLarge(path: file.path, limit: Self.fileLimit)
    }
    let bytes = try [UInt8](unsafeUninitializedCapacity: file.size) { buffer, count in
      count = try tree.read(file.path, at: 0, into: UnsafeMutableRawBufferPointer(buffer))
    }
    let place = tree.name + "/" + file.path
    do {
      let header = try ImageCodec.header(of: bytes)
      if !isBinary, header.isLossy {
        throw FileSegmentationError.lossyLabels(file: place, format: header.kind.name)
      }
      // The upper 8 of 16 bits are sufficient only for shades of gray.
      guard header.bitDepth <= 8 || thresholdsTruth else {
        throw FileSegmentationError.deepMask(file: place, bits: header.bitDepth)
      }
      let raster = try ImageCodec.decode(bytes, as: isBinary ? .gray8 : .stored)
      guard raster.channels == 1 else {
        throw FileSegmentationError.colorLabels(file: place)
      }
      if isBinary, !thresholdsTruth, let value = raster.labelValue(isPalette: header.isPalette) {
        throw FileSegmentationError.notBinary(file: place, value: Int(value))
      }
      return raster
    } catch let error as ImageError {
      throw FileSegmentationError.unreadable(file: place, reason: "\(error)")
    }
  }
}

extension Raster<UInt8> {
  /// A value that indicates a label map instead of a binary mask: 1 in an image of zeros and ones,
  /// or any palette index except 0 and 255; `nil` if there is none.
  fileprivate func labelValue(isPalette: Bool) -> UInt8? {
    if isPalette { return elements.first { $0 != 0 && $0 != 255 } }
    return elements.contains { $0 > 1 } ? nil : elements.first { $0 == 1 }
  }

  /// Replaces each value by its entry in the table, which has 256 entries.
  fileprivate func mapped(by table: [UInt8]) -> Raster<UInt8> {
    var mapped = self
    for index in mapped.elements.indices {
      mapped.elements[index] = table[Int(mapped.elements[index])]
    }
    return mapped
  }
}

extension Mask {
  /// The pixels of a gray mask whose value is at least `least`.
  fileprivate init(_ raster: Raster<UInt8>, from least: UInt8) {
    self.init(raster.mapped(by: (0...UInt8.max).map { $0 >= least ? 1 : 0 }))
  }
}
