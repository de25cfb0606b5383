package import AssayCore

/// The ground truth of a COCO file for an evaluation, its annotations in columns: entry *n* of each is the file's
/// annotation *n*.
package struct COCOTruth: Sendable {
  /// An image.
  package struct Image: Sendable, Hashable {
    package var id: SourceID
    /// `nil` where the file states none.
    package var size: ImageSize?
    /// Its `file_name`; the pointer of the image, `/images/3`, where it has none.
    package var name: String
  }

  /// A class.
  package struct Category: Sendable, Hashable {
    package var id: SourceID
    /// A unique name: with the id if another class has the same name.
    package var name: String
  }

  /// The states of an annotation that its columns do not show.
  package struct Flags: OptionSet, Sendable {
    package var rawValue: UInt16
    package init(rawValue: UInt16) { self.rawValue = rawValue }
    package static let crowd = Flags(rawValue: 1)
    /// There is no box that can be used; the box's column holds zeros.
    package static let noBox = Flags(rawValue: 2)
    /// The box has a number that is NaN or infinite.
    package static let notFiniteBox = Flags(rawValue: 4)
    /// There is no area that can be used; the area's column holds what was written if that was a number.
    package static let noArea = Flags(rawValue: 8)
    /// There is a region.
    package static let region = Flags(rawValue: 16)
    /// The id is 0, which the reference takes for no match.
    package static let zeroID = Flags(rawValue: 32)
    /// Its image or class was found only by the id's other type, where the reference finds none.
    package static let mistyped = Flags(rawValue: 64)
  }

  /// In the file's order, each id once.
  package internal(set) var images: [Image] = []
  package internal(set) var categories: [Category] = []
  /// The oddities of the file.
  package internal(set) var findings = OddityCounts()
  /// True if a field of an image, category or annotation has another type than COCO's.
  package internal(set) var isOdd = false
  /// True if regions were read.
  package internal(set) var hasRegions = false

  /// Indices into ``images`` and ``categories``; −1 of annotations that cannot be used. Of annotations that were
  /// read without their categories ``categoryNumbers`` are −1, too.
  package internal(set) var imageNumbers: [Int32] = []
  package internal(set) var categoryNumbers: [Int32] = []
  package internal(set) var areas: [Double] = []
  package internal(set) var boxes: [Box] = []
  package internal(set) var flags: [Flags] = []
  /// By place, for an annotation whose id others have, too: the place of the last one that has it.
  package internal(set) var lastOfID: [Int: Int] = [:]
  var regions = COCORegions()

  init() {}

  /// Gives each category a name of its own.
  mutating func nameCategoriesApart() {
    let names = COCOClassNames(categories.map { .init(id: $0.id, name: $0.name) }) {
      Set(categoryNumbers.filter { $0 >= 0 }.map { categories[Int($0)].id })
    }.names
    for (place, name) in names.enumerated() { categories[place].name = name }
  }

  /// The number of annotations in the file.
  package var count: Int { areas.count }

  /// The region of an annotation; `nil` where it has none, or where none was read.
  package func region(at place: Int) -> COCORegion? { regions[place] }

  /// The pixels of an annotation: its region, else its box; `nil` where it is left out.
  ///
  /// - Parameters:
  ///   - size: the image's.
  ///   - findings: gets what was odd about the region.
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
