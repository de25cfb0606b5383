import AssayCore
import AssayImaging
import AssayInference
import Foundation

/// The part of an image around one object, and the way back from it to the image.
struct ObjectCrop {
  /// The part in the image's pixels.
  let region: WarpRegion
  /// The size of the crop in pixels.
  let size: ImageSize
  private let source: ImageSize
  private let sampling: CropRule.Sampling
  /// True if the part consists of whole pixels, which are averaged.
  private let isWhole: Bool

  /// The longest side of a crop without a size of its own, and of one that is sampled to be averaged, in pixels.
  private static let longest = 4_096.0

  /// - Parameters:
  ///   - object: its first two keypoints are the line of an aligned crop.
  ///   - source: the image's size.
  init(_ rule: CropRule, around object: PipelineObject, in source: ImageSize) {
    let box = object.box
    let left = box.x - rule.pad[0] * box.width
    let top = box.y - rule.pad[1] * box.height
    var (width, height) = (
      box.width * (1 + rule.pad[0] + rule.pad[2]), box.height * (1 + rule.pad[1] + rule.pad[3])
    )
    var center = (x: left + width / 2, y: top + height / 2)
    width *= rule.scale
    height *= rule.scale
    switch rule.shape {
    case .box: break
    case .shorter: (width, height) = (min(width, height), min(width, height))
    case .longer: (width, height) = (max(width, height), max(width, height))
    case .upper:
      let upper = min(height, max(width, 0.6 * height))
      center.y -= (height - upper) / 2
      height = upper
    }
    (width, height) = (max(width, 1), max(height, 1))
    var angle = 0.0
    if rule.aligns, let line = object.lineAngle, let midpoint = object.lineMidpoint {
      angle = line
      // About the center of the box itself the part is turned as the object is.
      let pivot =
        switch rule.pivot {
        case .box: box.center
        case .keypoints: midpoint
        }
      let (dx, dy) = (center.x - pivot.x, center.y - pivot.y)
      center.x = pivot.x + dx * cos(angle) - dy * sin(angle)
      center.y = pivot.y + dx * sin(angle) + dy * cos(angle)
    }
    // The shorter side of a crop follows the proportions of the part, before its edges are moved.
    let sized = rule.size.map { side in
      rule.stretches
        ? ImageSize(width: side, height: side)
        : ImageSize(
          width: max(1, Int((Double(side) * width / max(width, height)).rounded())),
          height: max(1, Int((Double(side) * height / max(width, height)).rounded())))
    }
    isWhole = rule.sampling == .area && angle == 0 && max(width, height) <= Self.longest
    if isWhole {
      (center.x, width) = Self.wholePixels(about: center.x, width)
      (center.y, height) = Self.wholePixels(about: center.y, height)
    }
    let shrink = min(1, Self.longest / max(width, height))
    size =
      sized
      ?? ImageSize(
        width: max(1, Int((width * shrink).rounded())),
        height: max(1, Int((height * shrink).rounded())))
    self.source = source
    sampling = rule.sampling
    region = WarpRegion(
      x: Float(center.x), y: Float(center.y), width: Float(width), height: Float(height),
      rotation: Float(angle))
  }

  /// The center and the length of a side whose ends are moved to the nearest edges of pixels, at least 1 apart.
  private static func wholePixels(
    about center: Double, _ length: Double
  ) -> (center: Double, length: Double) {
    let start = (center - length / 2).rounded(.toNearestOrEven)
    let end = max(start + 1, (center + length / 2).rounded(.toNearestOrEven))
    return ((start + end) / 2, end - start)
  }

  /// The crop; beyond the image's edges its nearest pixels are repeated.
  func raster(of image: Raster<UInt8>) -> Raster<UInt8> {
    switch sampling {
    case .centers, .corners: return raster(of: image, in: size)
    case .area where isWhole:
      let part = raster(
        of: image, in: ImageSize(width: Int(region.width), height: Int(region.height)))
      return ResizeFilter.area.apply(
        to: part, size: size, window: PixelRect(x: 0, y: 0, width: size.width, height: size.height))
    case .area:
      let factor = areaFactor
      guard factor > 1,
        let large = ImageSize.checked(width: size.width * factor, height: size.height * factor)
      else { return raster(of: image, in: size) }
      return Resize.area(raster(of: image, in: large), to: size)
    }
  }

  /// The least multiple of the crop's size that is not smaller than the part, and not too large.
  private var areaFactor: Int {
    let ratio = max(
      Double(region.width) / Double(size.width), Double(region.height) / Double(size.height))
    let most = Self.longest / Double(max(size.width, size.height))
    return Int(max(1, min(ratio.rounded(.up), most.rounded(.down))))
  }

  /// The part sampled at a size.
  private func raster(of image: Raster<UInt8>, in size: ImageSize) -> Raster<UInt8> {
    var sampled = region
    if sampling != .corners {
      // From the corners of pixels to their centers, in the crop and in the image.
      let (right, down) = (
        0.5 * Double(region.width) / Double(size.width),
        0.5 * Double(region.height) / Double(size.height)
      )
      let (cosine, sine) = (cos(Double(region.rotation)), sin(Double(region.rotation)))
      sampled.x += Float(right * cosine - down * sine - 0.5)
      sampled.y += Float(right * sine + down * cosine - 0.5)
    }
    return WarpResampler(from: source, region: sampled, to: size, border: .nearest).resample(image)
  }

  /// A point of the crop in the image's pixels.
  func imagePoint(x: Double, y: Double) -> (x: Double, y: Double) {
    region.point(x: x / Double(size.width), y: y / Double(size.height))
  }

  /// An object of the crop in the image: the upright box around its corners; `nil` if nothing of it is in the image.
  func object(_ found: PipelineObject) -> PipelineObject? {
    let box = upright(found.box)
    let left = max(box.x, 0)
    let top = max(box.y, 0)
    let right = min(box.x + box.width, Double(source.width))
    let bottom = min(box.y + box.height, Double(source.height))
    guard right > left, bottom > top else { return nil }
    var stored = found.detection
    stored.box = Box(x: left, y: top, width: right - left, height: bottom - top)
    // The region of a crop is not that of the image.
    (stored.counts, stored.area) = (nil, nil)
    stored.keypoints = points(found.keypoints)
    return PipelineObject(stored, box: box, keypoints: moved(found.keypoints))
  }

  /// The upright box in the image around a box of the crop.
  private func upright(_ box: Box) -> Box {
    let corners = [
      (box.x, box.y), (box.x + box.width, box.y), (box.x, box.y + box.height),
      (box.x + box.width, box.y + box.height),
    ].map { imagePoint(x: $0.0, y: $0.1) }
    let (left, top) = (corners.map(\.x).min() ?? 0, corners.map(\.y).min() ?? 0)
    return Box(
      x: left, y: top, width: (corners.map(\.x).max() ?? 0) - left,
      height: (corners.map(\.y).max() ?? 0) - top)
  }

  private func moved(_ keypoints: [Double]) -> [Double] {
    stride(from: 0, to: keypoints.count - 2, by: 3).flatMap { place in
      let point = imagePoint(x: keypoints[place], y: keypoints[place + 1])
      return [point.x, point.y, keypoints[place + 2]]
    }
  }

  /// Keypoints of the crop in the image, moved to its edge if they lie outside.
  func points(_ keypoints: [Double]) -> [Double] {
    var points = moved(keypoints)
    for place in stride(from: 0, to: points.count - 2, by: 3) {
      points[place] = min(max(points[place], 0), Double(source.width))
      points[place + 1] = min(max(points[place + 1], 0), Double(source.height))
    }
    return points
  }

  /// The pixels of the image that a mask of the crop covers.
  func mask(_ mask: Mask) -> Mask {
    let pixels = mask.raster(inside: 1, outside: 0)
    let corners = [(0.0, 0.0), (1.0, 0.0), (0.0, 1.0), (1.0, 1.0)].map {
      region.point(x: $0.0, y: $0.1)
    }
    let left = max(0, Int((corners.map(\.x).min() ?? 0).rounded(.down)))
    let right = min(source.width, Int((corners.map(\.x).max() ?? 0).rounded(.up)))
    let top = max(0, Int((corners.map(\.y).min() ?? 0).rounded(.down)))
    let bottom = min(source.height, Int((corners.map(\.y).max() ?? 0).rounded(.up)))
    var painted = Raster<UInt8>(repeating: 0, width: source.width, height: source.height)
    guard left < right, top < bottom else { return Mask(emptyOf: source) }
    let (cosine, sine) = (cos(Double(region.rotation)), sin(Double(region.rotation)))
    for y in top..<bottom {
      for x in left..<right {
        let (dx, dy) = (Double(x) + 0.5 - Double(region.x), Double(y) + 0.5 - Double(region.y))
        let across = (dx * cosine + dy * sine) / Double(region.width) + 0.5
        let along = (dy * cosine - dx * sine) / Double(region.height) + 0.5
        guard (0..<1).contains(across), (0..<1).contains(along) else { continue }
        let column = min(Int(across * Double(size.width)), size.width - 1)
        let row = min(Int(along * Double(size.height)), size.height - 1)
        if pixels[column, row] != 0 { painted[x, y] = 1 }
      }
    }
    return Mask(painted)
  }
}
