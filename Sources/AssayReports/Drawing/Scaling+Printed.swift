package import AssayCore
package import AssayImaging

extension Scaling {
  /// Returns the common gray scale of several mean or standard deviation images, exactly from
  /// their minimum to their maximum, as files, sheets and pages draw and label it; 0…255 if
  /// no value is finite.
  package static func printed(_ rasters: [Raster<Double>]) -> Scaling {
    common(rasters) ?? Scaling(low: 0, high: 255)
  }
}
