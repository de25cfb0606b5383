import AssayCore
import AssayImaging

/// The masks of the subject in the frames of a film.
protocol FrameMasks: Sendable {
  /// The number of threads that can ask at the same time.
  var workers: Int { get }

  /// The name of a frame.
  func name(of index: Int) -> String

  /// The subject's mask in a frame.
  ///
  /// - Parameter worker: in `0..<workers`; no two threads ask with the same one.
  /// - Throws: `InferenceError`, `StoreError`.
  func frame(at index: Int, worker: Int) throws -> ActionFrame

  /// A frame with all that drawing it needs.
  ///
  /// - Throws: `InferenceError`, `StoreError`; ``ActionShotError/unusableFrame(_:reason:)``.
  func segmented(at index: Int, worker: Int) throws -> SegmentedFrame
}

/// A frame with its mask and the soft edge of its drawing.
struct SegmentedFrame: Sendable {
  /// Three channels.
  let raster: Raster<UInt8>
  let mask: Mask
  let matte: Raster<UInt8>

  /// The probabilities at which the soft edge begins and ends.
  private static let soft = (low: 0.25, high: 0.75)
  /// The width in pixels of the soft edge that is kept outside of a refined mask.
  private static let fringe = 4

  init(raster: Raster<UInt8>, mask: Mask, matte: Raster<UInt8>) {
    (self.raster, self.mask, self.matte) = (raster, mask, matte)
  }

  /// A frame whose soft edge is that of its probabilities.
  ///
  /// - Parameters:
  ///   - plain: the mask before it was refined.
  ///   - isRefined: true if `mask` may differ from it.
  init(
    raster: Raster<UInt8>, mask: Mask, field: ProbabilityField, plain: Mask, isRefined: Bool
  ) {
    var matte = field.matte(from: Self.soft.low, to: Self.soft.high)
    if isRefined {
      mask.subtracting(plain).paint(255, into: &matte)
      mask.dilated(by: Self.fringe).inverted.paint(0, into: &matte)
    }
    self.init(raster: raster, mask: mask, matte: matte)
  }
}
