package import AssayCore

/// An object that is cut out of an image inside of a box: GrabCut with a box, strokes and an earlier mask.
///
/// Outside of the box is background, except pixels of the earlier mask and of strokes. A large region is decided on a
/// smaller copy, and then the pixels near the border once more in the image itself.
package struct ImageCutout: Sendable {
  /// A stroke of a person: a line of discs.
  package struct Stroke: Hashable, Sendable {
    package var isObject: Bool
    package var radius: Double
    package var points: [SIMD2<Double>]

    package init(isObject: Bool, radius: Double, points: [SIMD2<Double>]) {
      self.isObject = isObject
      self.radius = radius
      self.points = points
    }
  }

  /// The mask of the object.
  package struct Outcome: Hashable, Sendable {
    package var mask: Mask
    /// The factor by which the copy was smaller; 1 if the image itself was used.
    package var factor: Int

    package init(mask: Mask, factor: Int) {
      self.mask = mask
      self.factor = factor
    }
  }

  /// The maximum number of pixels that are decided at once. A larger region is reduced.
  package static let workLimit = 150_000
  /// The maximum number of pixels of the region: the box with the background around it.
  package static let regionLimit = 24 << 20
  /// The maximum number of pixels near the border that are decided again.
  static let bandLimit = 1_200_000
  /// The maximum number of pixels that are compared with strokes.
  private static let strokeLimit = 100_000_000
  /// Parts below this share of the mask are left out, unless a stroke or the earlier mask has pixels of them.
  private static let smallestShare = 0.005

  package var box: Box
  package var strokes: [Stroke]
  /// The earlier mask, of the image's size; inside the box it is a first guess.
  package var start: Mask?

  package init(box: Box, strokes: [Stroke] = [], start: Mask? = nil) {
    self.box = box
    self.strokes = strokes
    self.start = start
  }

  /// Cuts out the object.
  ///
  /// - Parameters:
  ///   - image: one channel or three.
  ///   - isCanceled: asked between the steps.
  /// - Precondition: `start` has the image's size.
  package func run(
    in image: Raster<UInt8>, isCanceled: () -> Bool = { false }
  ) throws(ImageCutoutError) -> Outcome {
    let inner = try inner(in: image.size)
    let region = inner.enlarged(by: max(inner.width, inner.height) / 4 + 10, in: image.size)
    guard region.area <= Self.regionLimit else {
      throw .tooLarge(pixels: region.area, limit: Self.regionLimit)
    }
    let first = start.map {
      $0.cropped(x: region.left, y: region.top, width: region.width, height: region.height)
        .raster(inside: 1).elements
    }
    var seeds = [CutoutSeed](repeating: .background, count: region.area)
    for y in 0..<region.height {
      for x in 0..<region.width {
        let place = y * region.width + x
        if inner.contains(region.left + x, region.top + y) {
          seeds[place] = .undecided
        } else if let first, first[place] != 0 {
          seeds[place] = .object
        }
      }
    }
    try paint(into: &seeds, of: region, isCanceled: isCanceled)
    guard seeds.contains(.background) else { throw .noBackground }
    if isCanceled() { throw .canceled }
    let factor = max(
      1, Int((Double(region.area) / Double(Self.workLimit)).squareRoot().rounded(.up)))
    // Without an earlier mask in the box, all of the box is a guess.
    let guess = first.flatMap { values in
      seeds.indices.contains { seeds[$0] == .undecided && values[$0] != 0 } ? values : nil
    }
    var grid = CutoutGrid(image, region, seeds: seeds, guess: guess, factor: factor)
    let colors = try grid.solve(isCanceled: isCanceled)
    var isObject = grid.isObject
    if factor > 1 {
      isObject = try grid.refined(image, region, seeds: seeds, colors, isCanceled: isCanceled)
    }
    let columns = region.left..<region.left + region.width
    let rows = region.top..<region.top + region.height
    func mask(_ isSet: (Int) -> Bool) -> Mask {
      Mask(size: image.size, columns: columns, rows: rows) { x, y in
        isSet((y - region.top) * region.width + x - region.left)
      }
    }
    var found = mask { isObject[$0] }
    if let start {
      found = found.union(start.subtracting(Mask(box: region.box, size: image.size)))
    }
    let known = mask { seeds[$0] == .object }
    return Outcome(mask: Self.withoutSpecks(found, keeping: known), factor: factor)
  }

  private static func withoutSpecks(_ mask: Mask, keeping known: Mask) -> Mask {
    let parts = mask.components()
    guard parts.count > 1 else { return mask }
    let least = smallestShare * Double(mask.area)
    let kept = parts.filter { Double($0.area) >= least || $0.intersectionArea(with: known) > 0 }
    return Mask.union(of: kept, size: mask.size)
  }

  /// The pixels of the box and of strokes of the object.
  private func inner(in size: ImageSize) throws(ImageCutoutError) -> CutoutRegion {
    var (left, top) = (box.x, box.y)
    var (right, bottom) = (box.x + box.width, box.y + box.height)
    for stroke in strokes where stroke.isObject {
      for point in stroke.points {
        (left, top) = (min(left, point.x - stroke.radius), min(top, point.y - stroke.radius))
        (right, bottom) = (
          max(right, point.x + stroke.radius), max(bottom, point.y + stroke.radius)
        )
      }
    }
    func held(_ value: Double, _ limit: Int) -> Int {
      Int(min(max(value, 0), Double(limit)))
    }
    let (x0, y0) = (
      held(left.rounded(.down), size.width), held(top.rounded(.down), size.height)
    )
    let (x1, y1) = (
      held(right.rounded(.up), size.width), held(bottom.rounded(.up), size.height)
    )
    guard x1 - x0 >= 3, y1 - y0 >= 3 else { throw .tooSmall }
    return CutoutRegion(left: x0, top: y0, width: x1 - x0, height: y1 - y0)
  }

  private func paint(
    into seeds: inout [CutoutSeed], of region: CutoutRegion, isCanceled: () -> Bool
  ) throws(ImageCutoutError) {
    var work = 0
    for stroke in strokes {
      let seed: CutoutSeed = stroke.isObject ? .object : .background
      let radius = max(stroke.radius, 0.5)
      let shift = SIMD2(Double(region.left), Double(region.top))
      for (index, end) in stroke.points.enumerated() {
        let (a, b) = (stroke.points[max(index - 1, 0)] - shift, end - shift)
        let low = (pointwiseMin(a, b) - radius).rounded(.down)
        let high = (pointwiseMax(a, b) + radius).rounded(.up)
        let columns =
          Int(max(low.x, 0))..<max(Int(max(low.x, 0)), Int(min(high.x, Double(region.width))))
        let rows =
          Int(max(low.y, 0))..<max(Int(max(low.y, 0)), Int(min(high.y, Double(region.height))))
        work += columns.count * rows.count
        guard work <= Self.strokeLimit else { throw .strokesTooLong }
        let line = b - a
        let square = (line * line).sum()
        for y in rows {
          if isCanceled() { throw .canceled }
          for x in columns {
            let point = SIMD2(Double(x) + 0.5, Double(y) + 0.5) - a
            let share = square > 0 ? min(max((point * line).sum() / square, 0), 1) : 0
            let away = point - share * line
            if (away * away).sum() <= radius * radius { seeds[y * region.width + x] = seed }
          }
        }
      }
    }
  }
}

/// The reason why nothing is cut out.
package enum ImageCutoutError: Error, Hashable {
  case tooSmall
  case noBackground
  case tooLarge(pixels: Int, limit: Int)
  case strokesTooLong
  /// Too many pixels near the border.
  case tooRagged(pixels: Int, limit: Int)
  case canceled
}

extension ImageCutoutError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .tooSmall: "the box must be at least 3 by 3 pixels inside the image"
    case .noBackground:
      "no background is left: draw a smaller box, or mark background with Alt"
    case .tooLarge(let pixels, let limit):
      "the box and its surroundings have \(pixels) pixels, more than \(limit); draw a smaller box"
    case .strokesTooLong:
      "the strokes are too long for their width; use a smaller brush, or start again"
    case .tooRagged(let pixels, let limit):
      "\(pixels) pixels are near the border of the object, more than \(limit); draw a smaller box"
    case .canceled: "canceled"
    }
  }
}

/// The knowledge about a pixel before it is decided.
enum CutoutSeed: UInt8 {
  case undecided
  case object
  case background
}

/// A rectangle of whole pixels.
struct CutoutRegion: Hashable {
  var left: Int
  var top: Int
  var width: Int
  var height: Int

  var area: Int { width * height }
  var box: Box {
    Box(x: Double(left), y: Double(top), width: Double(width), height: Double(height))
  }

  func contains(_ x: Int, _ y: Int) -> Bool {
    x >= left && x < left + width && y >= top && y < top + height
  }

  func enlarged(by margin: Int, in size: ImageSize) -> CutoutRegion {
    let (x, y) = (max(0, left - margin), max(0, top - margin))
    return CutoutRegion(
      left: x, top: y, width: min(size.width, left + width + margin) - x,
      height: min(size.height, top + height + margin) - y)
  }
}
