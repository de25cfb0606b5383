package import AssayCore

/// The results of a COCO file, in columns: entry *n* of each is the file's result *n*.
///
/// Images and categories are numbered in the order in which the file first names them; what they are in a
/// dataset is for the caller to find (``COCOIDTable`` finds ids whatever their type).
package struct COCOResults: Sendable {
  /// The states of a result that its columns do not show.
  package struct Flags: OptionSet, Sendable {
    package var rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }
    /// There is no box that can be used; the box's column holds zeros.
    package static let noBox = Flags(rawValue: 1)
    /// The box has a number that is NaN or infinite.
    package static let notFiniteBox = Flags(rawValue: 2)
    /// The score is NaN or infinite, and the score's column holds what has its rank in the reference.
    package static let notFinite = Flags(rawValue: 4)
    /// There is a region.
    package static let region = Flags(rawValue: 8)
    /// It has no image, category or score, or is no object: it cannot be used.
    package static let unusable = Flags(rawValue: 16)
  }

  /// The fields of a file's first result, which decide how pycocotools reads the whole file.
  package struct Shape: Hashable, Sendable {
    package var hasBox = false
    package var hasRegion = false
  }

  /// The number of results in the file, including those that cannot be used.
  package internal(set) var count = 0
  /// The images that results are of, in order of appearance.
  package internal(set) var images: [SourceID] = []
  /// The categories that results are of, in order of appearance.
  package internal(set) var categories: [SourceID] = []
  /// The fields of the first result.
  package internal(set) var first = Shape()
  /// True if they are a list `annotations` of an object, which pycocotools refuses.
  package internal(set) var isWrapped = false
  /// True if a field of a result has another type than COCO's (a bbox: is no list of four numbers), or is present
  /// and empty.
  package internal(set) var isOdd = false
  /// True if regions were read.
  package internal(set) var hasRegions = false
  /// What is odd about results by themselves.
  package internal(set) var findings = OddityCounts()

  /// Indices into ``images`` and ``categories``; −1 of results that cannot be used.
  package internal(set) var imageNumbers: [Int32] = []
  package internal(set) var categoryNumbers: [Int32] = []
  /// Finite.
  package internal(set) var scores: [Double] = []
  package internal(set) var boxes: [Box] = []
  package internal(set) var flags: [Flags] = []
  var regions = COCORegions()

  /// The places of each image's results, one image after the other, and where each one's begin; made where
  /// they are asked for by image.
  var order: [Int32] = []
  var starts: [Int] = []

  init() {}

  /// The places of an image's usable results, in the file's order; an index into ``images``.
  package func places(of image: Int) -> some Collection<Int> {
    order[starts[image]..<starts[image + 1]].lazy.map { Int($0) }
  }

  /// Groups places by image.
  mutating func group() {
    starts = [Int](repeating: 0, count: images.count + 1)
    for number in imageNumbers where number >= 0 { starts[Int(number) + 1] += 1 }
    for image in images.indices { starts[image + 1] += starts[image] }
    var next = starts
    order = [Int32](repeating: 0, count: starts[images.count])
    for (place, number) in imageNumbers.enumerated() where number >= 0 {
      order[next[Int(number)]] = Int32(place)
      next[Int(number)] += 1
    }
  }
}
