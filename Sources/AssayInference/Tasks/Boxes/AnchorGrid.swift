import AssayCore
import Foundation

/// The anchors of a detector's raw grids, and the way from their values to boxes.
package struct AnchorRule: Hashable, Sendable {
  /// The formulas of a box's center and size. The raw value is the manifest's spelling.
  package enum Decode: String, CaseIterable, Sendable, Codable {
    /// The size is exp(value) · anchor (YOLOv3, YOLOv4).
    case yolov3
    /// The size is (2σ)² · anchor, the center 2σ − 0.5 from the cell (YOLOv5, YOLOv7, scaled YOLOv4).
    case yolov5
  }

  /// The width and height of an anchor, in pixels of the model's input.
  package struct Anchor: Hashable, Sendable {
    package var width: Double
    package var height: Double

    package init(width: Double, height: Double) {
      self.width = width
      self.height = height
    }
  }

  /// The strides of the grids, in the order of the outputs.
  package var strides: [Int]
  /// The anchors of each grid, as many in all.
  package var anchors: [[Anchor]]
  package var decode: Decode
  /// The factor of the center's sigmoid around the middle of the cell, for each grid: 1 in YOLOv3, about 1.1 in
  /// YOLOv4.
  package var centerScales: [Double]

  package init(
    strides: [Int], anchors: [[Anchor]], decode: Decode, centerScales: [Double]
  ) {
    self.strides = strides
    self.anchors = anchors
    self.decode = decode
    self.centerScales = centerScales
  }
}

/// The cells and anchors that the rows of raw grids belong to: grid by grid, anchor by anchor, each row by row.
///
/// Sources: J. Redmon, A. Farhadi, "YOLOv3: An Incremental Improvement" (2018); A. Bochkovskiy, C.-Y. Wang, H.-Y. M. Liao,
/// "YOLOv4" (2020), `scale_x_y` of Darknet; `Detect` of Ultralytics' YOLOv5 (models/yolo.py).
struct AnchorGrid: Sendable {
  private struct Cell {
    var x: Double
    var y: Double
    var stride: Double
    var anchor: AnchorRule.Anchor
    var centerScale: Double
  }

  private let cells: [Cell]
  private let decode: AnchorRule.Decode
  /// True if the model's values are logits.
  private let isRaw: Bool

  /// - Parameters:
  ///   - size: the size of the model's input, a multiple of every stride.
  ///   - isRaw: false if the model applies the sigmoids itself.
  init(_ rule: AnchorRule, of size: ImageSize, isRaw: Bool) {
    decode = rule.decode
    self.isRaw = isRaw
    cells = rule.strides.indices.flatMap { grid in
      let stride = rule.strides[grid]
      return rule.anchors[grid].flatMap { anchor in
        (0..<size.height / stride).flatMap { y in
          (0..<size.width / stride).map { x in
            Cell(
              x: Double(x), y: Double(y), stride: Double(stride), anchor: anchor,
              centerScale: rule.decode == .yolov5 ? 2 : rule.centerScales[grid])
          }
        }
      }
    }
  }

  /// The box of a row.
  func edges(_ row: Int, _ values: (Double, Double, Double, Double)) -> BoxEdges {
    let cell = cells[row]
    func center(_ value: Double, _ place: Double) -> Double {
      (sigmoid(value) * cell.centerScale - (cell.centerScale - 1) / 2 + place) * cell.stride
    }
    func length(_ value: Double, _ anchor: Double) -> Double {
      guard decode == .yolov5 else { return exp(value) * anchor }
      let double = 2 * sigmoid(value)
      return double * double * anchor
    }
    return BoxEdges(
      center: (center(values.0, cell.x), center(values.1, cell.y)),
      size: (length(values.2, cell.anchor.width), length(values.3, cell.anchor.height)))
  }

  /// Returns whether the values that the model applies a sigmoid to itself are from 0 to 1.
  func areInRange(_ values: (Double, Double, Double, Double)) -> Bool {
    guard !isRaw else { return true }
    let range = -Double(BoxScores.tolerance)...1 + Double(BoxScores.tolerance)
    let centers = range.contains(values.0) && range.contains(values.1)
    return decode == .yolov3
      ? centers : centers && range.contains(values.2) && range.contains(values.3)
  }

  private func sigmoid(_ value: Double) -> Double { isRaw ? 1 / (1 + exp(-value)) : value }
}
