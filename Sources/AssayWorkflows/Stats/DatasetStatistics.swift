package import AssayCore
package import AssayImaging
package import AssayStore
import AssayReports

/// The statistics of a view: counts, balance, sizes, and if requested its mean images.
package struct DatasetStatistics: Sendable {
  /// The view as typed.
  package var view: String
  package var dataset: String
  package var samples: Int
  package var balance: ClassBalance
  /// The known sizes, most frequent first.
  package var sizes: [SizeCount]
  /// Mean and standard deviation images; `nil` if they were not requested.
  package var pixels: PixelStatistics?
  /// The reason why there are no mean images although they were requested; `nil` if there is none.
  package var noPixels: String?
  /// The region statistics of the view; `nil` if it has no regions.
  package var masks: MaskStatistics?
  package var kinds = AnnotationKinds()
}

/// Mean and standard deviation of a view's images, per class and overall.
package struct PixelStatistics: Sendable {
  /// The images of one class.
  package struct Row: Sendable {
    package var name: String
    /// The moments; `nil` if there is no image.
    package var moments: Moments?
  }

  /// An image that was not included.
  package struct LeftOut: Hashable, Sendable {
    package var key: String
    package var reason: String

    package init(key: String, reason: String) {
      self.key = key
      self.reason = reason
    }
  }

  package var size: ImageSize
  /// 1 if all images are gray, otherwise 3.
  package var channels: Int
  /// True if images were resized to ``size``.
  package var isResized: Bool
  /// One row per class, in taxonomy order.
  package var classes: [Row]
  /// The moments of all images, including those without a label.
  package var all: Moments
  /// The number of included images without a label.
  package var unlabeled: Int
  /// Images that could not be read or have another size, in the order of the samples.
  package var leftOut: [LeftOut]

  /// - Parameters:
  ///   - sums: the sums of the images, with those without a label after the classes.
  ///   - keys: the key of a sample, by its place.
  /// - Returns: `nil` if there is no image.
  init?(_ sums: PixelSums, classes: [String], isResized: Bool, keys: (Int) -> String) {
    let total = sums.combined
    guard let all = total.moments(of: 0...classes.count) else { return nil }
    (size, channels) = (total.size, total.channels)
    self.isResized = isResized
    self.classes = classes.enumerated().map { index, name in
      Row(name: name, moments: total.moments(of: index))
    }
    self.all = all
    unlabeled = total.count(of: classes.count)
    leftOut = sums.leftOut.map { LeftOut(key: keys($0.position), reason: $0.reason) }
  }

  /// The common gray scale of all mean images, including the total's.
  package var meanScale: Scaling { scale(\.mean) }

  /// The common gray scale of all deviation images, including the total's.
  package var deviationScale: Scaling { scale(\.deviation) }

  private func scale(_ image: KeyPath<Moments, Raster<Double>>) -> Scaling {
    let rasters = (classes.compactMap(\.moments) + [all]).map { $0[keyPath: image] }
    return Scaling.printed(rasters)
  }
}
