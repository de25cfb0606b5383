import AssayCore

/// The images of a file whose stated size is compared with that of their file: all of them if there
/// are few, else a sample that only depends on their number.
struct COCOSizeSample: Sendable {
  /// The maximum number of images that are compared in an import; reading their headers takes less
  /// than a tenth of a second.
  static let limit = 1_000

  /// The indices in the list of images; `nil` for all.
  private let chosen: Set<Int>?

  /// - Parameters:
  ///   - count: the number of images in the file.
  ///   - limit: the maximum number that is compared.
  init(of count: Int, limit: Int = COCOSizeSample.limit) {
    guard count > limit, limit > 0 else {
      chosen = nil
      return
    }
    // One image of each of `limit` parts of equal length, so that no part of the list is left out.
    var random = SplitMix64(seed: 0x5A3E)
    var chosen: Set<Int> = []
    for part in 0..<limit {
      let (start, end) = (part * count / limit, (part + 1) * count / limit)
      chosen.insert(Int.random(in: start..<max(start + 1, end), using: &random))
    }
    self.chosen = chosen
  }

  func contains(_ place: Int) -> Bool { chosen?.contains(place) ?? true }
}

/// The number of images whose stated size was compared with that of their file.
struct COCOSizeComparison: Hashable, Sendable {
  var compared = 0
  var different = 0

  static func += (left: inout COCOSizeComparison, right: COCOSizeComparison) {
    left.compared += right.compared
    left.different += right.different
  }

  /// The result in words, one sentence without a period; `nil` if that is no news: all images have the
  /// stated sizes, or there are no files.
  ///
  /// - Parameter images: the number of images with a file.
  func note(of images: Int) -> String? {
    guard compared > 0, different > 0 || compared < images else { return nil }
    let result =
      different == 0
      ? "none differs" : different == 1 ? "1 differs" : "\(different) differ"
    let rest = compared < images ? "; --check-images compares all" : ""
    return "the stated size was compared with the image file for \(compared) of "
      + Counted.text(images, "image", "images") + ": \(result)\(rest)"
  }
}
