/// The size of an image in pixels, both sides at least 1.
package struct ImageSize: Hashable, Sendable, Codable {
  package let width: Int
  package let height: Int

  /// The maximum number of pixels of an external image: 100 megapixels.
  package static let pixelLimit = 100_000_000

  /// A size that is known to be valid.
  ///
  /// - Precondition: both sides are at least 1.
  package init(width: Int, height: Int) {
    precondition(width >= 1 && height >= 1)
    self.width = width
    self.height = height
  }

  /// A size from an external source: `nil` if a side is below 1 or the area is over ``pixelLimit``.
  package static func checked(width: Int, height: Int) -> ImageSize? {
    guard width >= 1, height >= 1 else { return nil }
    let (area, overflow) = width.multipliedReportingOverflow(by: height)
    guard !overflow, area <= pixelLimit else { return nil }
    return ImageSize(width: width, height: height)
  }

  /// Reads `64x48`, also with a capital X; `nil` if the text is no size, or one that
  /// ``checked(width:height:)`` rejects.
  package init?(text: String) {
    let sides = text.lowercased().split(separator: "x", omittingEmptySubsequences: false)
    guard sides.count == 2, let width = Int(sides[0]), let height = Int(sides[1]),
      let size = Self.checked(width: width, height: height)
    else { return nil }
    self = size
  }

  /// `64x48`.
  package var text: String { "\(width)x\(height)" }

  /// Width times height.
  package var area: Int { width * height }
}

extension ImageSize: CustomStringConvertible {
  package var description: String { "\(width)×\(height)" }
}
