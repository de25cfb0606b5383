import AssayCore

/// Integer factors between an image's pixels and the page's.
enum Enlargement {
  /// Returns the number of page pixels per image pixel, so that `longest` of them make at least
  /// `target`; 1 for images that are already that large.
  static func multiple(longest: Int, target: Int) -> Int {
    max(1, (target + max(longest, 1) - 1) / max(longest, 1))
  }

  /// Returns the image itself, or, if it is longer than `longest` pixels, the mean over
  /// whole blocks of it.
  static func reduced(_ raster: Raster<UInt8>, longest: Int) -> Raster<UInt8> {
    let block = (max(raster.width, raster.height) + longest - 1) / max(longest, 1)
    guard block > 1 else { return raster }
    let width = max(1, raster.width / block)
    let height = max(1, raster.height / block)
    let channels = raster.channels
    var small = Raster<UInt8>(repeating: 0, width: width, height: height, channels: channels)
    for y in 0..<height {
      let rows = y * block..<min(raster.height, (y + 1) * block)
      for x in 0..<width {
        let columns = x * block..<min(raster.width, (x + 1) * block)
        let count = rows.count * columns.count
        for channel in 0..<channels {
          var sum = 0
          for row in rows {
            for column in columns { sum += Int(raster[column, row, channel]) }
          }
          small[x, y, channel] = UInt8((sum + count / 2) / max(count, 1))
        }
      }
    }
    return small
  }
}
