package import AssayCore

/// A sample's image with the key that identifies it in messages.
package struct NamedRaster: Sendable {
  package let name: String
  package let raster: Raster<UInt8>
  /// The absolute path of the image's file, for runners that read files; `nil` if it is in none of its own.
  let file: @Sendable () -> String?

  /// - Parameter file: finds the image's file; called only if a runner asks for files.
  package init(
    _ name: String, _ raster: Raster<UInt8>, file: @escaping @Sendable () -> String? = { nil }
  ) {
    self.name = name
    self.raster = raster
    self.file = file
  }
}
