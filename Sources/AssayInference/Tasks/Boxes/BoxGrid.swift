import AssayCore
import Foundation

/// The edges of a box in pixels of the model's input; they can be outside of it.
package struct BoxEdges: Hashable, Sendable {
  package var left: Double
  package var top: Double
  package var right: Double
  package var bottom: Double

  /// True if width and height are positive.
  var isBox: Bool { right > left && bottom > top }

  /// True if all edges are finite and of plausible size.
  var isSound: Bool {
    [left, top, right, bottom].allSatisfy { abs($0) <= Self.limit }
  }

  /// A bound far above any coordinate of an image.
  private static let limit = 1e9

  var area: Double { (right - left) * (bottom - top) }

  /// Intersection over union; both must be boxes.
  func overlap(with other: BoxEdges) -> Double {
    let width = min(right, other.right) - max(left, other.left)
    let height = min(bottom, other.bottom) - max(top, other.top)
    guard width > 0, height > 0 else { return 0 }
    let shared = width * height
    return shared / (area + other.area - shared)
  }
}

/// The cells that YOLOX's boxes are relative to: one grid per stride, row by row, in the order of
/// the strides.
///
/// Source: Z. Ge, S. Liu, F. Wang, Z. Li, J. Sun, "YOLOX: Exceeding YOLO Series in 2021" (2021), and its
/// `demo_postprocess`.
struct BoxGrid: Sendable {
  private struct Cell {
    var x: Double
    var y: Double
    var stride: Double
  }

  private let cells: [Cell]

  /// - Parameter size: the size of the model's input, a multiple of every stride.
  init(strides: [Int], of size: ImageSize) {
    cells = strides.flatMap { stride in
      (0..<size.height / stride).flatMap { y in
        (0..<size.width / stride).map { x in
          Cell(x: Double(x), y: Double(y), stride: Double(stride))
        }
      }
    }
  }

  /// The number of cells.
  static func cellCount(strides: [Int], of size: ImageSize) -> Int {
    strides.reduce(0) { $0 + (size.width / $1) * (size.height / $1) }
  }

  /// The box of a row: its center is (value + cell) · stride, its size exp(value) · stride.
  func edges(_ row: Int, _ values: (Double, Double, Double, Double)) -> BoxEdges {
    let cell = cells[row]
    return BoxEdges(
      center: ((values.0 + cell.x) * cell.stride, (values.1 + cell.y) * cell.stride),
      size: (exp(values.2) * cell.stride, exp(values.3) * cell.stride))
  }
}

extension BoxEdges {
  init(center: (x: Double, y: Double), size: (width: Double, height: Double)) {
    self.init(
      left: center.x - size.width / 2, top: center.y - size.height / 2,
      right: center.x + size.width / 2, bottom: center.y + size.height / 2)
  }

  /// Four numbers in an order, each multiplied by the scale of its axis.
  init(
    _ order: BoxOrder, _ values: (Double, Double, Double, Double), scale: (x: Double, y: Double)
  ) {
    let (a, b) = (values.0 * scale.x, values.1 * scale.y)
    let (c, d) = (values.2 * scale.x, values.3 * scale.y)
    switch order {
    case .xyxy: self.init(left: a, top: b, right: c, bottom: d)
    case .yxyx:
      self.init(
        left: values.1 * scale.x, top: values.0 * scale.y, right: values.3 * scale.x,
        bottom: values.2 * scale.y)
    case .xywh: self.init(left: a, top: b, right: a + c, bottom: b + d)
    case .cxcywh: self.init(center: (a, b), size: (c, d))
    }
  }
}
