package import AssayCore
package import AssayImaging
import AssayReports

/// The statistics of a view: counts, balance, sizes, and if requested its mean images.
package struct DatasetStatistics: Sendable {
  /// The view as it was typed.
  package var view: String
  package var dataset: String
  package var samples: Int
  package var balance: ClassBalance
  /// The sizes that are known, the commonest first.
  package var sizes: [SizeCount]
  /// Mean and deviation images; `nil` where they were not asked for.
  package var pixels: PixelStatistics?
  /// The reason why there are no mean images although they were requested; `nil` if there are.
  package var noPixels: String?
  /// The region statistics of the view; `nil` if it has no regions.
  package var masks: MaskStatistics?
}

/// Mean and deviation of a view's images, per class and over all.
package struct PixelStatistics: Sendable {
  /// One class's images.
  package struct Row: Sendable {
    package var name: String
    /// `nil` where no image went in.
    package var moments: Moments?
  }

  /// An image that did not go in.
  package struct LeftOut: Hashable, Sendable {
    package var key: String
    package var reason: String

    package init(key: String, reason: String) {
      self.key = key
      self.reason = reason
    }
  }

  package var size: ImageSize
  /// 1 where all images are gray, else 3.
  package var channels: Int
  /// True if images were resized to ``size``.
  package var isResized: Bool
  /// A row a class, in taxonomy order.
  package var classes: [Row]
  /// All images, those without a label too.
  package var all: Moments
  /// Images without a label among them.
  package var unlabeled: Int
  /// Images that could not be read or have another size, in the samples' order.
  package var leftOut: [LeftOut]

  /// The one gray scale of all mean images, the total's too.
  package var meanScale: Scaling { scale(\.mean) }

  /// The one gray scale of all deviation images, the total's too.
  package var deviationScale: Scaling { scale(\.deviation) }

  private func scale(_ image: KeyPath<Moments, Raster<Double>>) -> Scaling {
    let rasters = (classes.compactMap(\.moments) + [all]).map { $0[keyPath: image] }
    return Scaling.printed(rasters)
  }
}
