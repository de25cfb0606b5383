import AssayCore

/// The rule of the book "Machine Learning with Core ML", chapter 9, taken literally, for comparison.
///
/// It sees the center square of each frame at 448 × 448 pixels, and the mask's 8-bit values instead of a mask:
/// the box is scanned from values above 0, its right edge from values of 200 or more. Going back from the last
/// frame with a box, a frame is taken if its box is far enough from the one taken before. The opacity grows from the
/// oldest frame on and is 1 from the eleventh on; all are drawn over the last one.
///
/// Source: the book's repository, `CIImage.getContentBoundingBox`, and the second listing of its text.
struct BookRule {
  /// The side of the square that the rule works on, in pixels.
  static let side = 448
  /// The factor of the sum of two boxes' sides over ``divisor`` that their centers must be apart.
  private static let factor = 0.15
  private static let divisor = 2.0
  /// The minimum area of a box as a share of the square.
  private static let minArea = 0.005
  /// The number of frames after which the opacity is 1.
  private static let steps = 11.0

  /// A box with edges one pixel outside of the values; −1 where they touch the left or the top edge.
  struct ScannedBox: Equatable {
    var (minX, minY, maxX, maxY) = (0, 0, 0, 0)
    var width: Double { Double(maxX - minX) }
    var height: Double { Double(maxY - minY) }
    var center: (x: Double, y: Double) { (Double(minX + maxX) / 2, Double(minY + maxY) / 2) }
  }

  /// Scans a map of probabilities in 8 bits; `nil` if the box is empty, or as wide or as high as the map.
  static func box(of map: Raster<UInt8>) -> ScannedBox? {
    let (width, height) = (map.width, map.height)
    func row(_ y: Int, _ least: UInt8) -> Bool { (0..<width).contains { map[$0, y] >= least } }
    func column(_ x: Int, _ least: UInt8) -> Bool { (0..<height).contains { map[x, $0] >= least } }
    var box = ScannedBox(minX: 0, minY: 0, maxX: width, maxY: height)
    if let y = (0..<height).first(where: { row($0, 1) }) { box.minY = y - 1 }
    if let y = (0..<height).last(where: { row($0, 1) }) { box.maxY = y + 1 }
    if let x = (0..<width).first(where: { column($0, 1) }) { box.minX = x - 1 }
    if let x = (0..<width).last(where: { column($0, 200) }) { box.maxX = x + 1 }
    guard box.width > 0, box.height > 0, box.width != Double(width), box.height != Double(height)
    else { return nil }
    return box
  }

  /// Chooses among frames in the order of time.
  ///
  /// - Parameter boxes: the box of each frame; `nil` for frames without one.
  static func choose(_ names: [String], boxes: [ScannedBox?]) -> ActionShotRule.Choice {
    let present = boxes.compactMap(\.self)
    guard let first = present.first?.center, let last = present.last?.center else {
      return .init(axis: nil, verdicts: names.map { _ in .rejected(.noBox) })
    }
    let axis: TravelAxis =
      abs(first.x - last.x) >= abs(first.y - last.y) ? .horizontal : .vertical
    var verdicts: [FrameVerdict] = names.map { _ in .rejected(.noBox) }
    var before: (box: ScannedBox, name: String)?
    for index in names.indices.reversed() {
      guard let box = boxes[index] else { continue }
      let share = box.width * box.height / Double(side * side)
      guard share >= minArea else {
        verdicts[index] = .rejected(.tooSmall(share))
        continue
      }
      if let before {
        let distance =
          axis == .horizontal
          ? abs(box.center.x - before.box.center.x) : abs(box.center.y - before.box.center.y)
        let sides =
          axis == .horizontal ? box.width + before.box.width : box.height + before.box.height
        let least = factor * sides / divisor
        guard distance > least else {
          verdicts[index] = .rejected(.tooNear(distance, least: least, to: before.name))
          continue
        }
      }
      verdicts[index] = .chosen(opacity: 1)
      before = (box, names[index])
    }
    var count = 0.0
    for index in verdicts.indices where verdicts[index].opacity != nil {
      count += 1
      verdicts[index] = .chosen(opacity: min(1, count / steps))
    }
    return .init(axis: axis, verdicts: verdicts)
  }
}
