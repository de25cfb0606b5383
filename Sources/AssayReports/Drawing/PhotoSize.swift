import AssayCore
import AssayImaging

/// The size at which an image with masks is drawn.
enum PhotoSize {
  /// Returns the displayed size: large images are reduced to `longest`; small ones are enlarged by
  /// the largest integer factor that stays within it.
  static func shown(width: Int, height: Int, longest: Int) -> ImageSize {
    let size = ImageSize(width: max(width, 1), height: max(height, 1))
    let side = max(size.width, size.height)
    guard side < longest else {
      return Resize.fitting(size, into: ImageSize(width: longest, height: longest))
    }
    let factor = max(1, longest / side)
    return ImageSize(width: size.width * factor, height: size.height * factor)
  }

  /// Returns the image at a size from ``shown(width:height:longest:)``;
  /// enlarged pixels stay squares.
  static func resized(_ raster: Raster<UInt8>, to size: ImageSize) -> Raster<UInt8> {
    guard raster.width > 0, raster.height > 0 else {
      return Raster(repeating: 255, width: size.width, height: size.height)
    }
    guard size.width < raster.width || size.height < raster.height else {
      return Resize.enlarge(raster, by: size.width / raster.width)
    }
    return Resize.area(raster, to: size)
  }
}
