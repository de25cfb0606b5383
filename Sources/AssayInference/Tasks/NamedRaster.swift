package import AssayCore

/// A sample's image with the key that identifies it in messages.
package struct NamedRaster: Sendable {
  package let name: String
  package let raster: Raster<UInt8>

  package init(_ name: String, _ raster: Raster<UInt8>) {
    self.name = name
    self.raster = raster
  }
}
