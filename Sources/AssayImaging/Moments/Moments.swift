package import AssayCore

/// Mean and standard deviation per pixel and channel over images of one size.
package struct Moments: Sendable {
  /// The number of images.
  package var count: Int
  /// The mean, in 0...255.
  package var mean: Raster<Double>
  /// The population standard deviation (division by n), in 0...127.5.
  package var deviation: Raster<Double>
  /// For each channel the mean over all pixels of all images, in 0...255.
  package var channelMeans: [Double]
  /// For each channel the population standard deviation of all pixels of all images, in 0...127.5.
  package var channelDeviations: [Double]
}
