package import AssayCore

/// The regions of all entries of a file: masks if they were written as run lengths, outlines if
/// they were written as polygons.
struct COCORegions: Sendable {
  /// The regions of the parts of the file, and the number of the first entry of each.
  private var parts: [COCORegionStore] = []
  private var starts: [Int] = []
  private var count = 0

  /// True if no entry has a region.
  private(set) var isEmpty = true

  /// Adds the next part of the file, with the given number of entries.
  mutating func append(_ part: COCORegionStore, entries: Int) {
    parts.append(part)
    starts.append(count)
    count += entries
    if !part.isEmpty { isEmpty = false }
  }

  /// The region of an entry; `nil` if it has none.
  subscript(place: Int) -> COCORegion? {
    guard !isEmpty, place < count else { return nil }
    let part = part(of: place)
    return parts[part].region(of: place - starts[part])
  }

  /// True if an entry has a region that can be drawn at this size without a finding.
  func isPlain(_ place: Int, in size: ImageSize?) -> Bool {
    guard !isEmpty, place < count else { return false }
    let part = part(of: place)
    return parts[part].isPlain(place - starts[part], in: size)
  }

  private func part(of place: Int) -> Int {
    var (low, high) = (0, starts.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if starts[middle] <= place { low = middle } else { high = middle }
    }
    return low
  }
}

/// A region as written in a file.
package enum COCORegion: Sendable {
  /// Valid run lengths; with whether they were written as a string, the only form that the
  /// reference accepts if a file's first result has no box.
  case mask(Mask, isCompressed: Bool)
  /// Polygons, some of which may need a correction.
  case polygons([[Double]], isBad: [Bool], isFlat: Bool)
  /// An unusable region, with the reason, one clause.
  case damaged(String)

  /// The pixels of a region, and the correction, if any.
  package struct Made: Sendable {
    package var mask: Mask
    /// One clause; `nil` if there was nothing odd.
    package var oddity: String?
    /// True if pycocotools does not accept it: not a list of lists, boxes among polygons, or
    /// numbers that are not finite.
    package var isStrange = false
  }

  /// The reason why a region has no pixels in an image.
  package enum Failure: Error, Hashable {
    /// Run lengths with another size.
    case size(ImageSize)
    /// Polygons in an image of unknown size.
    case unknownSize
    /// Anything else, one clause.
    case damaged(String)
  }

  /// The pixels of the region.
  ///
  /// - Parameter size: the image's size; `nil` if it is unknown, in which case run lengths define
  ///   it.
  package func mask(in size: ImageSize?) throws(Failure) -> Made {
    switch self {
    case .mask(let mask, _):
      guard size == nil || mask.size == size else { throw .size(mask.size) }
      return Made(mask: mask)
    case .polygons(let polygons, let isBad, let isFlat):
      guard let size else { throw .unknownSize }
      if COCOPolygons.areRows(polygons) { throw .damaged(COCOPolygons.rowsText(polygons)) }
      guard size.width <= Self.widthLimit else {
        throw .damaged("its image is \(size), too wide for polygons")
      }
      if isBad.isEmpty, !isFlat { return Made(mask: Mask(polygons: polygons, size: size)) }
      let kept = COCOPolygons(polygons, isBad: isBad)
      guard !kept.kept.isEmpty else { throw .damaged("none of its polygons has three points") }
      let flat = isFlat ? "the polygon is not in a list of polygons" : nil
      let first = kept.oddities.first
      return Made(
        mask: Mask(polygons: kept.kept, size: size), oddity: first?.text ?? flat,
        isStrange: isFlat || isBad.contains(true) || polygons[0].count < 5)
    case .damaged(let reason): throw .damaged(reason)
    }
  }

  /// The oddities under which the regions of a list are counted.
  package struct Oddities: Sendable {
    var strange: COCOOddity
    var odd: COCOOddity
    var size: COCOOddity
    var damaged: COCOOddity

    /// Those of ground truth annotations.
    package static let groundTruth = Self(
      strange: .strangeTruthRegion, odd: .oddTruthRegion, size: .truthMaskSize,
      damaged: .badTruthRegion)
    /// Those of results.
    package static let results = Self(
      strange: .strangeRegion, odd: .oddRegion, size: .maskSize, damaged: .badRegion)
  }

  /// Returns the pixels of the region and counts what is odd about it.
  ///
  /// - Parameters:
  ///   - size: the image's; `nil` if it is unknown.
  ///   - place: the region's entry in its list.
  ///   - oddities: those of the list.
  ///   - findings: gets an oddity and every failure except ``Failure/unknownSize``.
  /// - Throws: the failure, if the region has no pixels in the image.
  package func mask(
    in size: ImageSize?, at place: Int, countedAs oddities: Oddities,
    _ findings: inout OddityCounts
  ) throws(Failure) -> Mask {
    do throws(Failure) {
      let made = try mask(in: size)
      if let oddity = made.oddity {
        findings.note(
          made.isStrange ? oddities.strange : oddities.odd, at: place, "/segmentation", oddity)
      }
      return made.mask
    } catch {
      switch error {
      case .size(let stated):
        findings.note(
          oddities.size, at: place, "/segmentation/size",
          "\(stated)" + (size.map { " for an image of \($0)" } ?? ""))
      case .unknownSize: break
      case .damaged(let reason):
        findings.note(oddities.damaged, at: place, "/segmentation", reason)
      }
      throw error
    }
  }

  /// The maximum width of an image in which polygons are drawn.
  static let widthLimit = 1 << 17
}
