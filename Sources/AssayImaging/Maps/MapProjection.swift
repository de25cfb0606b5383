package import AssayCore

/// The mapping from the cells of a model's map to the image: the inverse of the preprocessing.
///
/// A cell represents the point at its center. Cells with centers outside a letterboxed image are
/// never used; image points beyond the outermost cells use those cells.
package struct MapProjection: Hashable, Sendable {
  /// The resize from the image to the model's input.
  package let plan: ResizePlan
  /// The number of cells of the map.
  package let map: ImageSize
  /// The cells that are used: those with centers in the image, at least one.
  package let cells: PixelRect

  /// - Parameters:
  ///   - plan: the resize from the image to the model's input.
  ///   - map: the size of the model's output, which may differ from its input's.
  package init(_ plan: ResizePlan, map: ImageSize) {
    self.plan = plan
    self.map = map
    let (place, target) = (plan.placement, plan.target)
    let columns = Self.centers(place.x, place.width, of: target.width, cells: map.width)
    let rows = Self.centers(place.y, place.height, of: target.height, cells: map.height)
    cells = PixelRect(
      x: columns.lowerBound, y: rows.lowerBound, width: columns.count, height: rows.count)
  }

  /// The size of the image, and so of its masks.
  package var size: ImageSize { plan.source }

  /// The pixels of the image that were not in the model's input, outside a center crop; `nil` if
  /// all were.
  package var void: Mask? {
    guard plan.crop != PixelRect(size) else { return nil }
    var runs = MaskBuilder(size)
    let (top, left) = (plan.crop.y, plan.crop.x)
    let (bottom, right) = (top + plan.crop.height, left + plan.crop.width)
    runs.add(0..<left * size.height)
    for x in left..<right {
      runs.add(x * size.height..<x * size.height + top)
      runs.add(x * size.height + bottom..<(x + 1) * size.height)
    }
    runs.add(right * size.height..<size.area)
    return runs.mask()
  }

  /// The taps of each used column of the image, with indices from the first used cell.
  var columns: [MapTap] {
    Self.taps(
      plan.crop.width, over: plan.placement.x, plan.placement.width, of: plan.target.width,
      cells: map.width, used: cells.x..<cells.x + cells.width)
  }

  /// The taps of each used row.
  var rows: [MapTap] {
    Self.taps(
      plan.crop.height, over: plan.placement.y, plan.placement.height, of: plan.target.height,
      cells: map.height, used: cells.y..<cells.y + cells.height)
  }

  /// The cells with `start ≤ center < start + length`, in the coordinates of a side of `side` pixels.
  private static func centers(
    _ start: Int, _ length: Int, of side: Int, cells: Int
  ) -> Range<Int> {
    // Cell i has its center at (2i + 1)·side / 2·cells.
    let first = ceiling(2 * start * cells - side, 2 * side)
    let end = ceiling(2 * (start + length) * cells - side, 2 * side)
    let (low, high) = (max(first, 0), min(end, cells))
    if low < high { return low..<high }
    let nearest = min((2 * start + length) * cells / (2 * side), cells - 1)
    return nearest..<nearest + 1
  }

  private static func ceiling(_ value: Int, _ divisor: Int) -> Int {
    value >= 0 ? (value + divisor - 1) / divisor : -(-value / divisor)
  }

  private static func taps(
    _ count: Int, over start: Int, _ length: Int, of side: Int, cells: Int, used: Range<Int>
  ) -> [MapTap] {
    let scale = Double(cells) / Double(side)
    return (0..<count).map { pixel in
      let target = (Double(pixel) + 0.5) * Double(length) / Double(count) + Double(start)
      let place = target * scale - 0.5
      let first = Int(place.rounded(.down))
      let clamped = { min(max($0, used.lowerBound), used.upperBound - 1) - used.lowerBound }
      return MapTap(
        first: clamped(first), second: clamped(first + 1), weight: Float(place - Double(first)))
    }
  }
}

/// The two cells that a pixel is between, and the weight of the second.
struct MapTap {
  let first: Int
  let second: Int
  let weight: Float

  /// The cell that contains the pixel's center; on the border between two, the second.
  var nearest: Int { weight < 0.5 ? first : second }
}
