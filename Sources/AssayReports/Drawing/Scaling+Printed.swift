package import AssayCore
package import AssayImaging

extension Scaling {
  /// The one gray scale of several mean or deviation images, exactly from their least to their greatest
  /// value: what files, sheets and pages draw with and print beside; 0…255 where no value is finite.
  package static func printed(_ rasters: [Raster<Double>]) -> Scaling {
    common(rasters) ?? Scaling(low: 0, high: 255)
  }
}
