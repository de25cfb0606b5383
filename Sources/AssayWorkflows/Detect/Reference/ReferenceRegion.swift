import AssayCore
import AssayFormats

/// The result of pycocotools for a `segmentation`.
///
/// Source: `annToRLE` of coco.py, `frPyObjects` and `_frString` of _mask.pyx, pycocotools 2.0.11.
enum ReferenceRegion: Sendable {
  case mask(Mask)
  /// A region without a pixel.
  case empty
  /// pycocotools fails with this error.
  case stops(String)
  /// An oddity whose result is not reproduced, one clause.
  case unknown(String)

  private static let notInteger = "TypeError: an integer is required"

  /// - Parameters:
  ///   - segmentation: the value of the field; `nil` if it is missing.
  ///   - height: the image's height as written; `nil` if it is missing.
  ///   - width: the image's width likewise.
  init(_ segmentation: PythonValue?, height: PythonValue?, width: PythonValue?) {
    self = Self.region(segmentation, height, width)
  }

  private static func region(
    _ segmentation: PythonValue?, _ height: PythonValue?, _ width: PythonValue?
  ) -> ReferenceRegion {
    guard let height else { return .stops("KeyError: 'height'") }
    guard let width else { return .stops("KeyError: 'width'") }
    switch segmentation {
    case nil: return .stops("KeyError: 'segmentation'")
    case .list(let list)?: return Self.list(list, height, width)
    case .dictionary(let members)?:
      if case .list? = members["counts"] {
        return uncompressed(.dictionary(members), inImageOf: height, width)
      }
      return ReferenceRegion(runs: .dictionary(members))
    default: return .stops("TypeError: the segmentation is neither a list nor run lengths")
    }
  }

  /// Height or width as a C integer.
  private static func side(_ value: PythonValue?) -> (side: Int?, failure: ReferenceRegion) {
    guard let number = value?.number else { return (nil, .stops(notInteger)) }
    guard number.isFinite else {
      return (nil, .stops("\(number.isNaN ? "Value" : "Overflow")Error: not an integer"))
    }
    guard number > -1 else {
      return (nil, .stops("OverflowError: can't convert negative value to siz"))
    }
    guard number < 0x1p64 else {
      return (nil, .stops("OverflowError: a size that does not fit into 64 bits"))
    }
    guard number < 1e12 else { return (nil, .unknown("a size beyond 100 megapixels")) }
    return (Int(number), .empty)
  }

  private static func size(
    _ height: PythonValue?, _ width: PythonValue?
  ) -> (size: ImageSize?, failure: ReferenceRegion) {
    let (rows, columns) = (side(height), side(width))
    guard let high = rows.side else { return (nil, rows.failure) }
    guard let wide = columns.side else { return (nil, columns.failure) }
    if high == 0 || wide == 0 { return (nil, .empty) }
    let size = ImageSize.checked(width: wide, height: high)
    return (size, .unknown("a size beyond 100 megapixels"))
  }

  // MARK: Polygons

  private static func list(
    _ list: [PythonValue], _ height: PythonValue, _ width: PythonValue
  ) -> ReferenceRegion {
    guard let first = list.first else { return .stops("IndexError: list index out of range") }
    switch first {
    case .list(let numbers) where numbers.count > 4: break
    case .list(let numbers) where numbers.count == 4:
      return .stops("TypeError: Argument 'bb' has incorrect type")
    case .dictionary(let members) where members.count < 4 && members.keys.contains("counts"):
      return list.count == 1
        ? uncompressed(first, inImageOf: height, width)
        : .unknown("a segmentation of several run lengths")
    case .list, .text, .dictionary:
      return .stops("Exception: input type is not supported.")
    default: return .stops("TypeError: object has no len()")
    }
    var polygons: [[Double]] = []
    for element in list {
      guard case .list(let values) = element else {
        return .stops("a polygon that is not a list of numbers")
      }
      let numbers = values.compactMap(\.float)
      guard numbers.count == values.count else {
        return .stops("a polygon that is not a list of numbers")
      }
      // The coordinates are converted to a C integer, which is undefined for larger values.
      guard numbers.allSatisfy({ abs($0) < 16_777_216 }) else {
        return .unknown("a polygon with NaN or coordinates that no image has")
      }
      // Polygons with fewer than three points are not rasterized.
      if numbers.count >= 6 { polygons.append(Array(numbers.dropLast(numbers.count % 2))) }
    }
    let (size, failure) = Self.size(height, width)
    guard let size else { return failure }
    guard size.width <= 1 << 17 else { return .unknown("an image too wide for polygons") }
    return .mask(Mask(polygons: polygons, size: size))
  }

  // MARK: Run lengths

  /// A run-length encoding as written in the file.
  init(runs segmentation: PythonValue) {
    switch segmentation["counts"] {
    case nil: self = .stops("KeyError: 'counts'")
    case .list?: self = Self.uncompressed(segmentation)
    case .text(let text)?: self = Self.compressed(text, segmentation)
    default: self = .stops("TypeError: expected bytes")
    }
  }

  /// The height and width of an RLE.
  private static func size(
    of segmentation: PythonValue
  ) -> (size: ImageSize?, failure: ReferenceRegion) {
    switch segmentation["size"] {
    case nil: return (nil, .stops("KeyError: 'size'"))
    case .list(let sides)? where sides.count >= 2: return size(sides[0], sides[1])
    case .list?: return (nil, .stops("IndexError: list index out of range"))
    default: return (nil, .stops("TypeError: the size of run lengths is not a list"))
    }
  }

  /// A run-length encoding as `frPyObjects` reads it: it converts the image's size, which it does
  /// not use.
  private static func uncompressed(
    _ segmentation: PythonValue, inImageOf height: PythonValue, _ width: PythonValue
  ) -> ReferenceRegion {
    for side in [height, width] {
      if case (nil, .stops(let error)) = Self.side(side) { return .stops(error) }
    }
    return uncompressed(segmentation)
  }

  private static func uncompressed(_ segmentation: PythonValue) -> ReferenceRegion {
    guard case .list(let values)? = segmentation["counts"] else {
      return .stops("ValueError: counts that are not a list")
    }
    guard segmentation["size"] != nil else {
      return .stops("Exception: input type is not supported.")
    }
    var runs: [UInt32] = []
    for value in values {
      let number: Double? =
        if case .text = value { value.integer } else { value.number }
      guard let number, !(number <= -1 || number >= 4_294_967_296) || number.isNaN else {
        return .stops("counts that are not 32-bit integers")
      }
      guard number.isFinite else { return .unknown("run lengths with NaN") }
      runs.append(UInt32(max(0, number)))
    }
    let (size, failure) = Self.size(of: segmentation)
    guard let size else { return failure }
    guard let mask = try? Mask(size: size, runs: runs) else {
      return .unknown("run lengths with a wrong sum")
    }
    return .mask(mask)
  }

  private static func compressed(_ text: String, _ segmentation: PythonValue) -> ReferenceRegion {
    let (size, failure) = Self.size(of: segmentation)
    guard let size else { return failure }
    guard let mask = try? Mask(size: size, compressed: Array(text.utf8)) else {
      return .unknown("run lengths that are damaged")
    }
    return .mask(mask)
  }
}
