import AssayCore
import AssayImaging
import Synchronization

/// One worker's sums of images of one size, with gray and color separate, because it is unknown
/// which of them a dataset contains until all of it has been read.
final class WorkerSums: Sendable {
  struct Sums: Sendable {
    fileprivate var gray: MomentsAccumulator
    fileprivate var color: MomentsAccumulator
    fileprivate var hasColor = false

    /// Adds pixels of an image with the size of the sums.
    mutating func add(_ pixels: UnsafeRawBufferPointer, channels: Int, to category: Int) {
      if channels == 1 {
        gray.add(pixels, to: category)
      } else {
        color.add(pixels, to: category)
        hasColor = true
      }
    }

    /// Adds an image; returns the reason if it was not added.
    mutating func add(_ raster: Raster<UInt8>, to category: Int, resizing: Bool) -> String? {
      var raster = raster
      if raster.width != gray.size.width || raster.height != gray.size.height {
        guard resizing else {
          return "its size is now \(raster.width)×\(raster.height), it was \(gray.size)"
        }
        raster = Resize.area(raster, to: gray.size)
      }
      raster.elements.withUnsafeBytes { add($0, channels: raster.channels, to: category) }
      return nil
    }
  }

  private let sums: Mutex<Sums>

  init(size: ImageSize, classes: Int) {
    sums = Mutex(
      Sums(
        gray: MomentsAccumulator(size: size, channels: 1, classes: classes),
        color: MomentsAccumulator(size: size, channels: 3, classes: classes)))
  }

  func locked<Value>(_ body: (inout Sums) throws -> Value) rethrows -> Value {
    try sums.withLock { sums throws -> Value in try body(&sums) }
  }

  /// The total of all sums: gray if there is no color, otherwise with gray images converted to
  /// color; `nil` without workers.
  static func merged(_ workers: [WorkerSums]) -> MomentsAccumulator? {
    var parts = workers.map { $0.locked { $0 } }[...]
    guard var total = parts.popFirst() else { return nil }
    for part in parts {
      total.gray.merge(part.gray)
      total.color.merge(part.color)
      total.hasColor = total.hasColor || part.hasColor
    }
    guard total.hasColor else { return total.gray }
    total.color.merge(total.gray.colored())
    return total.color
  }
}
