/// A rectangular grid of pixels: row-major, channels interleaved, origin at the top left.
///
/// Element (x, y, c) is at `(y * width + x) * channels + c`. Width, height and channels are at
/// least 0, 0 and 1, and their product is `elements.count`. Public and inlinable because per-pixel
/// access through a `package` generic is several times slower.
public struct Raster<Element: BitwiseCopyable & Sendable>: Sendable {
  /// The number of columns.
  public let width: Int
  /// The number of rows.
  public let height: Int
  /// The number of interleaved values per pixel: 1 for gray, 3 for RGB.
  public let channels: Int
  /// All values, `width * height * channels` of them.
  public var elements: [Element]

  /// Uses `elements`; `nil` if their number is not `width * height * channels` or a size is
  /// negative.
  @inlinable
  public init?(width: Int, height: Int, channels: Int = 1, elements: [Element]) {
    guard width >= 0, height >= 0, channels >= 1 else { return nil }
    let (area, tooLarge) = width.multipliedReportingOverflow(by: height)
    let (count, overflow) = area.multipliedReportingOverflow(by: channels)
    guard !tooLarge, !overflow, count == elements.count else { return nil }
    self.width = width
    self.height = height
    self.channels = channels
    self.elements = elements
  }

  /// A raster filled with one value.
  ///
  /// - Precondition: the sizes are not negative and their product fits an `Int`; check external
  ///   sizes with ``ImageSize/checked(width:height:)`` first.
  @inlinable
  public init(repeating value: Element, width: Int, height: Int, channels: Int = 1) {
    precondition(width >= 0 && height >= 0 && channels >= 1)
    self.width = width
    self.height = height
    self.channels = channels
    self.elements = Array(repeating: value, count: width * height * channels)
  }

  /// The value at column `x`, row `y`, channel `c`.
  @inlinable
  public subscript(x: Int, y: Int, c: Int = 0) -> Element {
    get { elements[(y * width + x) * channels + c] }
    set { elements[(y * width + x) * channels + c] = newValue }
  }
}

extension Raster: Equatable where Element: Equatable {}
