import AssayCore
import Foundation

/// The keypoints of a ground-truth object, for its similarity to detections.
package struct ObjectKeypoints: Hashable, Sendable {
  /// x, y in pixels and the visibility of each, which is above 0 if the point is labeled.
  package let values: [Double]
  package let sigmas: KeypointSigmas
  /// The number of labeled points.
  let labeled: Int

  /// - Parameter values: three finite numbers per keypoint; `nil` is returned for another count.
  package init?(_ values: [Double], _ sigmas: KeypointSigmas) {
    guard values.count == 3 * sigmas.count else { return nil }
    self.values = values
    self.sigmas = sigmas
    labeled = stride(from: 2, to: values.count, by: 3).count { values[$0] > 0 }
  }
}

/// Object keypoint similarity (OKS): the mean over the labeled keypoints of exp(−d² / (2·s²·(2σ)²)),
/// with the distance d of a predicted point from the labeled one, the object's area s², and the
/// point's σ.
///
/// For an object without a labeled point, d is the distance of each predicted point from the
/// object's box enlarged by its own size on every side.
/// Source: `computeOks` of pycocotools' cocoeval.py, with its order of operations; `np.exp` can
/// differ from the C library's in the last bit, with the processor.
struct KeypointSimilarity {
  private var terms: [Double] = []

  init() {}

  /// The similarity in 0...1.
  ///
  /// - Parameters:
  ///   - found: three numbers per keypoint: x, y and a third that is ignored.
  ///   - box: the object's box.
  ///   - area: the object's area.
  /// - Returns: 0 if the detection has another number of keypoints.
  mutating func of(
    _ found: [Double], _ truth: ObjectKeypoints, box: Box, area: Double
  ) -> Double {
    let count = truth.values.count
    guard found.count == count else { return 0 }
    let hasLabels = truth.labeled > 0
    let (left, right) = (box.x - box.width, box.x + box.width * 2)
    let (top, bottom) = (box.y - box.height, box.y + box.height * 2)
    let scale = area + Double.ulpOfOne
    terms.removeAll(keepingCapacity: true)
    found.withUnsafeBufferPointer { found in
      truth.values.withUnsafeBufferPointer { values in
        truth.sigmas.variances.withUnsafeBufferPointer { variances in
          for (point, place) in stride(from: 0, to: count, by: 3).enumerated() {
            let (across, down): (Double, Double)
            if hasLabels {
              guard values[place + 2] > 0 else { continue }
              across = found[place] - values[place]
              down = found[place + 1] - values[place + 1]
            } else {
              across = max(0, left - found[place]) + max(0, found[place] - right)
              down = max(0, top - found[place + 1]) + max(0, found[place + 1] - bottom)
            }
            terms.append(
              exp(-((across * across + down * down) / variances[point] / scale / 2)))
          }
        }
      }
    }
    return terms.withUnsafeBufferPointer { RowSum.of($0) } / Double(terms.count)
  }
}
