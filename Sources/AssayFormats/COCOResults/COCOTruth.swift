package import AssayCore

/// The ground truth of a COCO file for an evaluation, with its annotations in columns: entry *n* of
/// each column is the file's annotation *n*.
package struct COCOTruth: Sendable {
  /// An image.
  package struct Image: Sendable, Hashable {
    package var id: SourceID
    /// `nil` if the file states none.
    package var size: ImageSize?
    /// Its `file_name`, or the image's pointer, `/images/3`, if it has none.
    package var name: String
  }

  /// A class.
  package struct Category: Sendable, Hashable {
    package var id: SourceID
    /// A unique name: with the id if another class has the same name.
    package var name: String
    /// Its additional fields as one canonical JSON object; `nil` if there are none.
    package var attributes: String?
  }

  /// The states of an annotation that its columns do not show.
  package struct Flags: OptionSet, Sendable {
    package var rawValue: UInt16
    package init(rawValue: UInt16) { self.rawValue = rawValue }
    package static let crowd = Flags(rawValue: 1)
    /// There is no usable box; the box's column contains zeros.
    package static let noBox = Flags(rawValue: 2)
    /// The box has a number that is NaN or infinite.
    package static let notFiniteBox = Flags(rawValue: 4)
    /// There is no usable area; the area's column contains the written value if that was a number.
    package static let noArea = Flags(rawValue: 8)
    /// There is a region.
    package static let region = Flags(rawValue: 16)
    /// The id is 0, which the reference treats as no match.
    package static let zeroID = Flags(rawValue: 32)
    /// Its image or class was found only as the id's other type, which the reference does not find.
    package static let mistyped = Flags(rawValue: 64)
    /// There are keypoints, which may be unusable.
    package static let keypoints = Flags(rawValue: 128)
  }

  /// In file order, each id once.
  package internal(set) var images: [Image] = []
  package internal(set) var categories: [Category] = []
  /// The oddities of the file.
  package internal(set) var findings = OddityCounts()
  /// True if a field of an image, category or annotation has another type than COCO's.
  package internal(set) var isOdd = false
  /// True if regions were read.
  package internal(set) var hasRegions = false

  /// Indices into ``images`` and ``categories``; −1 for unusable annotations. For annotations that
  /// were read without their categories, ``categoryNumbers`` are −1, too.
  package internal(set) var imageNumbers: [Int32] = []
  package internal(set) var categoryNumbers: [Int32] = []
  package internal(set) var areas: [Double] = []
  package internal(set) var boxes: [Box] = []
  package internal(set) var flags: [Flags] = []
  /// By index, for an annotation whose id others have, too: the index of the last one with that id.
  package internal(set) var lastOfID: [Int: Int] = [:]
  /// x, y in pixels and the visibility of each keypoint, all finite; no numbers if there are none or
  /// they are unusable. Empty if no annotation has any.
  package internal(set) var keypoints: [[Double]] = []
  /// The stated number of labeled keypoints; NaN if none is stated. Empty if no annotation has
  /// keypoints or such a number.
  package internal(set) var labeledCounts: [Double] = []
  var regions = COCORegions()

  init() {}

  /// True if an annotation has keypoints.
  package var hasKeypoints: Bool { !keypoints.isEmpty }

  /// Gives each category a unique name.
  mutating func nameCategoriesApart() {
    let names = COCOClassNames(categories.map { .init(id: $0.id, name: $0.name) }) {
      Set(categoryNumbers.filter { $0 >= 0 }.map { categories[Int($0)].id })
    }.names
    for (place, name) in names.enumerated() { categories[place].name = name }
  }

  /// The number of annotations in the file.
  package var count: Int { areas.count }

  /// The region of an annotation; `nil` if it has none, or if no regions were read.
  package func region(at place: Int) -> COCORegion? { regions[place] }

  /// The pixels of an annotation: its region, else its box; `nil` if it is omitted.
  ///
  /// - Parameters:
  ///   - size: the image's size.
  ///   - findings: receives oddities of the region.
  package func pixels(
    at place: Int, in size: ImageSize, _ findings: inout OddityCounts
  ) -> Mask? {
    guard let region = regions[place] else {
      guard !flags[place].contains(.noBox) else {
        findings.note(.truthWithoutShape, at: place)
        return nil
      }
      findings.note(.truthWithoutRegion, at: place, "/segmentation")
      return Mask(box: boxes[place], size: size)
    }
    return try? region.mask(in: size, at: place, countedAs: .groundTruth, &findings)
  }

  /// True if an annotation has a region that can be drawn at this size without a finding.
  package func isPlain(at place: Int, in size: ImageSize?) -> Bool {
    regions.isPlain(place, in: size)
  }
}
