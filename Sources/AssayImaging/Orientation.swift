package import AssayCore

/// The rotation and flip that stored pixels need for viewing: EXIF's tag 0x0112.
///
/// The names state the side of the displayed image to which the stored top row belongs. Source:
/// CIPA DC-008 (Exif 2.32), 4.6.4.A.
package enum Orientation: Int, CaseIterable, Sendable {
  case up = 1
  case upMirrored = 2
  case down = 3
  case downMirrored = 4
  case leftMirrored = 5
  case right = 6
  case rightMirrored = 7
  case left = 8

  /// True if width and height are swapped.
  package var swapsSides: Bool { rawValue >= 5 }

  /// The image in its displayed orientation.
  ///
  /// - Complexity: O(1) for ``up``, else O(*pixels*).
  package func apply(to stored: Raster<UInt8>) -> Raster<UInt8> { turned(stored, filling: 0) }

  /// The label map in its displayed orientation; see ``apply(to:)-(Raster<UInt8>)``.
  package func apply(to stored: Raster<UInt16>) -> Raster<UInt16> { turned(stored, filling: 0) }

  /// The map of probabilities or classes in its displayed orientation; see
  /// ``apply(to:)-(Raster<UInt8>)``.
  package func apply(to stored: Raster<Float>) -> Raster<Float> { turned(stored, filling: 0) }
  package func apply(to stored: Raster<Int32>) -> Raster<Int32> { turned(stored, filling: 0) }

  private func turned<Element>(
    _ stored: Raster<Element>, filling empty: Element
  ) -> Raster<Element> {
    guard self != .up, !stored.elements.isEmpty else { return stored }
    let (width, height) = (stored.width, stored.height)
    let step = stored.channels
    // The stored position of the oriented image's first pixel, and the distances to its right and lower
    // neighbors.
    let (across, down) = (step, width * step)
    let (endX, endY) = ((width - 1) * across, (height - 1) * down)
    let (start, right, below) =
      switch self {
      case .up: (0, across, down)
      case .upMirrored: (endX, -across, down)
      case .down: (endX + endY, -across, -down)
      case .downMirrored: (endY, across, -down)
      case .leftMirrored: (0, down, across)
      case .right: (endY, -down, across)
      case .rightMirrored: (endX + endY, -down, -across)
      case .left: (endX, down, -across)
      }
    var turned = Raster<Element>(
      repeating: empty, width: swapsSides ? height : width, height: swapsSides ? width : height,
      channels: step)
    let columns = turned.width
    let rows = turned.height
    stored.elements.withUnsafeBufferPointer { source in
      turned.elements.withUnsafeMutableBufferPointer { target in
        var place = 0
        for row in 0..<rows {
          var from = start + row * below
          for _ in 0..<columns {
            for channel in 0..<step { target[place + channel] = source[from + channel] }
            place += step
            from += right
          }
        }
      }
    }
    return turned
  }
}
