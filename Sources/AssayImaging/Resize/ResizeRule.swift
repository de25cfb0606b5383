package import AssayCore

/// The rule that resizes an image of any aspect ratio to a model's input size.
package enum ResizeRule: Hashable, Sendable {
  /// Width and height scaled independently; the aspect ratio can change.
  case stretch
  /// The largest centered rectangle with the target's aspect ratio; the rest is cropped.
  case centerCrop
  /// The whole image with its aspect ratio kept; the rest of the target is filled with one value
  /// (0...255, all channels). With a `multiple` the target is as small as the image allows: its sides
  /// are multiples of that number, as Ultralytics' `rect` and `auto` make them.
  case letterbox(
    fill: UInt8, anchor: LetterboxAnchor, rounding: LetterboxRounding = .down, multiple: Int? = nil)
  /// The shorter side scaled to `shorter`, the other with its aspect ratio, rounded down; then the
  /// target's size is cut out of the center, as torchvision's `Resize` and `CenterCrop` do.
  case shorterCrop(shorter: Int, rounding: CropRounding = .nearest)
  /// Both sides scaled to `side`; then the target's size is cut out of the center, as torchvision's
  /// `Resize((side, side))` and `CenterCrop` do.
  case stretchCrop(side: Int, rounding: CropRounding = .nearest)
  /// The whole image with its aspect ratio kept, and nothing around it, so that the target's size
  /// differs from image to image: the shorter side is scaled to `shorter`, or to less if the longer
  /// one would exceed `longer`; without `shorter`, the longer side is scaled to `longer`. Both sides
  /// are cut to multiples of `multiple`.
  ///
  /// Source: `get_size_with_aspect_ratio` of Hugging Face's transformers 5.23 (DETR, YOLOS); without
  /// `shorter`, `ResizeLongestSide` of Segment Anything.
  case edges(shorter: Int?, longer: Int, multiple: Int = 1)

  /// True if images of all sizes have the same target.
  package var hasFixedTarget: Bool {
    switch self {
    case .stretch, .centerCrop, .shorterCrop, .stretchCrop: true
    case .letterbox(_, _, _, let multiple): multiple == nil
    case .edges: false
    }
  }

  /// True if the image is scaled beyond the target, and only the center of it is used, however small the image is.
  package var cropsAfterwards: Bool {
    switch self {
    case .shorterCrop, .stretchCrop: true
    case .stretch, .centerCrop, .letterbox, .edges: false
    }
  }

  /// True if images are placed between whole pixels: a letterbox of ``LetterboxRounding/none``.
  package var isBetweenPixels: Bool {
    if case .letterbox(_, _, .none, _) = self { return true }
    return false
  }

  /// True if an image can be resized with this filter: only ``ResizeFilter/warp`` places an image between
  /// whole pixels, and besides that it only stretches.
  package func allows(_ filter: ResizeFilter) -> Bool {
    self == .stretch || isBetweenPixels == (filter == .warp)
  }
}

/// The rounding of a letterboxed side. The raw value is the manifest's spelling.
package enum LetterboxRounding: String, CaseIterable, Sendable, Codable {
  /// To the next smaller whole number.
  case down
  /// The same of a product in float64, as YOLOX computes it: 720 · (416 / 720) gives 415.
  case yolox
  /// To the nearest, halves to the even number, as Ultralytics does.
  case nearest
  /// Not to whole pixels: the image is exactly in the middle, as MediaPipe places it.
  case none
}

/// The rounding of the position of a crop whose borders differ by an odd number of pixels. The raw value is the
/// manifest's spelling.
package enum CropRounding: String, CaseIterable, Sendable, Codable {
  /// To the nearest whole number, halves to the even one, as torchvision's `CenterCrop` does.
  case nearest
  /// To the next smaller one, as `center_crop` of Hugging Face's transformers 5.23 does.
  case down
}

/// The position of a letterboxed image in its target.
package enum LetterboxAnchor: String, CaseIterable, Sendable, Codable {
  case topLeft = "top-left"
  case center
}

/// A resize rule applied to one pair of sizes: the mapping from source pixels to target pixels.
package struct ResizePlan: Hashable, Sendable {
  package let source: ImageSize
  package let target: ImageSize
  private let isBetweenPixels: Bool
  /// The value around the image.
  package let fill: UInt8
  /// The source pixels that are used.
  package let crop: PixelRect
  /// Their position in the target; it can reach beyond the target on every side, where it is cut
  /// off. Of a rule that places images between whole pixels, the whole target; see ``position``.
  package let placement: PixelRect
  /// The same as ``placement``, and exact if that is not in whole pixels.
  package let position: TargetPosition

  /// For odd remainders, the smaller half is before the image. A letterboxed side is rounded down
  /// to whole pixels, as in YOLOX, to at least 1.
  ///
  /// - Parameter limit: the target's size; the maximum if it differs from image to image.
  package init(_ rule: ResizeRule, from source: ImageSize, to limit: ImageSize) {
    self.source = source
    var target = limit
    // Compares source.width/source.height with target.width/target.height.
    let (wide, tall) = (source.width * target.height, source.height * target.width)
    switch rule {
    case .stretch:
      fill = 0
      crop = PixelRect(source)
      placement = PixelRect(target)
    case .centerCrop:
      fill = 0
      var (width, height) = (source.width, source.height)
      if wide > tall { width = max(1, (2 * tall + target.height) / (2 * target.height)) }
      if wide < tall { height = max(1, (2 * wide + target.width) / (2 * target.width)) }
      crop = PixelRect(
        x: (source.width - width) / 2, y: (source.height - height) / 2, width: width,
        height: height)
      placement = PixelRect(target)
    case .shorterCrop(let shorter, let rounding):
      fill = 0
      crop = PixelRect(source)
      let isUpright = source.width <= source.height
      let longer =
        isUpright
        ? shorter * source.height / source.width : shorter * source.width / source.height
      placement = Self.centered(
        isUpright ? (width: shorter, height: longer) : (width: longer, height: shorter), target,
        rounding)
    case .stretchCrop(let side, let rounding):
      fill = 0
      crop = PixelRect(source)
      placement = Self.centered((width: side, height: side), target, rounding)
    case .edges(let shorter, let longer, let multiple):
      fill = 0
      crop = PixelRect(source)
      target = Self.edges(source, shorter: shorter, longer: longer, multiple: multiple)
      placement = PixelRect(target)
    case .letterbox(let fill, let anchor, let rounding, let multiple):
      self.fill = fill
      crop = PixelRect(source)
      var (width, height) = (target.width, target.height)
      switch rounding {
      case .none: break
      case .down:
        if wide > tall { height = max(1, source.height * target.width / source.width) }
        if wide < tall { width = max(1, source.width * target.height / source.height) }
      case .nearest, .yolox:
        let ratio = min(
          Double(target.height) / Double(source.height),
          Double(target.width) / Double(source.width))
        let rule: FloatingPointRoundingRule = rounding == .nearest ? .toNearestOrEven : .down
        let side = { (length: Int, limit: Int) in
          min(limit, max(1, Int((Double(length) * ratio).rounded(rule))))
        }
        (width, height) = (side(source.width, target.width), side(source.height, target.height))
      }
      if let multiple {
        let side = { (length: Int, limit: Int) in
          min(limit, (length + multiple - 1) / multiple * multiple)
        }
        target = ImageSize(width: side(width, target.width), height: side(height, target.height))
      }
      let isCentred = anchor == .center
      placement = PixelRect(
        x: isCentred ? (target.width - width) / 2 : 0,
        y: isCentred ? (target.height - height) / 2 : 0, width: width, height: height)
    }
    self.target = target
    isBetweenPixels = rule.isBetweenPixels
    position =
      rule.isBetweenPixels
      ? TargetPosition(centered: source, in: target) : TargetPosition(placement)
  }

  /// The place of a resized image whose center is cut out.
  private static func centered(
    _ size: (width: Int, height: Int), _ target: ImageSize, _ rounding: CropRounding
  ) -> PixelRect {
    // Python's round() and //.
    let rule: FloatingPointRoundingRule = rounding == .nearest ? .toNearestOrEven : .down
    let before = { (side: Int, target: Int) in Int((Double(side - target) / 2).rounded(rule)) }
    return PixelRect(
      x: -before(size.width, target.width), y: -before(size.height, target.height),
      width: size.width, height: size.height)
  }

  /// The size of ``ResizeRule/edges(shorter:longer:multiple:)``, both sides at least `multiple`.
  private static func edges(
    _ source: ImageSize, shorter: Int?, longer: Int, multiple: Int
  ) -> ImageSize {
    let (width, height) = (Double(source.width), Double(source.height))
    func size(_ width: Double, _ height: Double) -> ImageSize {
      let side = { (length: Double) in
        let length = min(Int(length), longer)
        return max(multiple, length - length % multiple)
      }
      return ImageSize(width: side(width), height: side(height))
    }
    guard let shorter else {
      let scale = Double(longer) / max(width, height)
      return size(width * scale + 0.5, height * scale + 0.5)
    }
    let (least, most) = (min(width, height), max(width, height))
    var raw = Double(shorter)
    var side = Double(shorter)
    if most / least * raw > Double(longer) {
      raw = Double(longer) * least / most
      side = raw.rounded(.toNearestOrEven)
    }
    if least == side { return size(width, height) }
    return width < height
      ? size(side, raw * height / width) : size(raw * width / height, side)
  }

  /// A source point in the target's coordinates (origin at the corner of the top-left pixel).
  package func targetPoint(x: Double, y: Double) -> (x: Double, y: Double) {
    (
      (x - Double(crop.x)) * position.width / Double(crop.width) + position.x,
      (y - Double(crop.y)) * position.height / Double(crop.height) + position.y
    )
  }

  /// The source point for a target point: the inverse of ``targetPoint(x:y:)``.
  package func sourcePoint(x: Double, y: Double) -> (x: Double, y: Double) {
    (
      (x - position.x) * Double(crop.width) / position.width + Double(crop.x),
      (y - position.y) * Double(crop.height) / position.height + Double(crop.y)
    )
  }
}

/// The position of an image in a target, in pixels that need not be whole.
package struct TargetPosition: Hashable, Sendable {
  package let x: Double
  package let y: Double
  package let width: Double
  package let height: Double

  init(_ rect: PixelRect) {
    (x, y) = (Double(rect.x), Double(rect.y))
    (width, height) = (Double(rect.width), Double(rect.height))
  }

  /// The middle of the target, at the largest scale.
  init(centered source: ImageSize, in target: ImageSize) {
    let (width, height) = (Double(source.width), Double(source.height))
    let scale = min(Double(target.width) / width, Double(target.height) / height)
    (self.width, self.height) = (width * scale, height * scale)
    x = (Double(target.width) - width * scale) / 2
    y = (Double(target.height) - height * scale) / 2
  }
}

extension ResizePlan {
  /// The target raster, rounded to 8 bits.
  ///
  /// - Precondition: `raster` has the plan's source size, and the plan's rule allows the filter.
  package func apply(
    to raster: Raster<UInt8>, filter: ResizeFilter = .bilinear
  ) -> Raster<UInt8> {
    guard !isBetweenPixels else {
      return WarpResampler(from: source, to: target, keepsProportions: true, fill: fill)
        .resample(raster)
    }
    return placed(
      filter.apply(to: cropped(raster), size: placementSize, window: window), fill: fill)
  }

  /// The target raster in float32 (0...255), not rounded, as TensorFlow resizes.
  ///
  /// - Precondition: `raster` has the plan's source size.
  package func applyUnrounded(to raster: Raster<UInt8>) -> Raster<Float> {
    placed(
      TensorFlowResampler.resample(cropped(raster), to: placementSize, window: window),
      fill: Float(fill))
  }

  private var placementSize: ImageSize {
    ImageSize(width: placement.width, height: placement.height)
  }

  private func cropped(_ raster: Raster<UInt8>) -> Raster<UInt8> {
    precondition(raster.width == source.width && raster.height == source.height)
    return Crop.apply(raster, to: crop) ?? raster
  }

  /// The part of the resized image that is in the target, in the resized image's coordinates.
  private var window: PixelRect {
    let (left, top) = (max(0, -placement.x), max(0, -placement.y))
    return PixelRect(
      x: left, y: top, width: min(placement.width, target.width - placement.x) - left,
      height: min(placement.height, target.height - placement.y) - top)
  }

  /// The target with the picture of the ``window`` in its place.
  private func placed<Element>(_ picture: Raster<Element>, fill: Element) -> Raster<Element> {
    if picture.width == target.width, picture.height == target.height { return picture }
    var result = Raster(
      repeating: fill, width: target.width, height: target.height, channels: picture.channels)
    let (left, top) = (max(0, placement.x), max(0, placement.y))
    let length = picture.width * picture.channels
    for row in 0..<picture.height {
      let start = ((top + row) * target.width + left) * picture.channels
      result.elements.replaceSubrange(
        start..<start + length, with: picture.elements[row * length..<(row + 1) * length])
    }
    return result
  }
}
