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
  /// The oddities of results by themselves.
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

extension COCOResults {
  /// The results of one image, in the file's order.
  package struct ImageDetections: Sendable {
    /// The class is an index into ``COCOResults/categories``; a detection of regions has its run lengths and
    /// its area, and where the file states no box the one around its region.
    package var detections: [Detection] = []
    /// The place of each in the file's list.
    package var places: [Int] = []
    /// The results that were left out or corrected, and where.
    package var findings = OddityCounts()
    /// The number of results that were left out for their region although they have a usable box.
    package var boxesLeftOut = 0
  }

  /// The results of one image as detections.
  ///
  /// Left out are results whose score is NaN or infinite, which have no rank, and those whose region is none of
  /// the image's: run lengths of another size, or damaged. A result that has neither a box nor a region, too.
  ///
  /// - Parameters:
  ///   - image: an index into ``images``.
  ///   - size: the image's size; `nil` where it is not known, and then run lengths say it and polygons cannot
  ///     be read.
  package func detections(of image: Int, size: ImageSize?) -> ImageDetections {
    var found = ImageDetections()
    for place in places(of: image) {
      let flags = flags[place]
      if flags.contains(.notFinite) { continue }
      var detection = Detection(
        class: Int(categoryNumbers[place]), confidence: scores[place], box: boxes[place])
      if let region = regions[place] {
        guard let mask = mask(of: region, at: place, in: size, &found.findings) else {
          if !flags.contains(.noBox) { found.boxesLeftOut += 1 }
          continue
        }
        detection.counts = mask.compressed
        detection.area = Double(mask.area)
        if flags.contains(.noBox) {
          note(flags, at: place, "taken from its region", &found.findings)
          detection.box = mask.boundingBox ?? Box(x: 0, y: 0, width: 0, height: 0)
        }
      } else if flags.contains(.noBox) {
        found.findings.note(
          flags.contains(.notFiniteBox) ? .notFiniteBox : .resultWithoutShape, at: place)
        continue
      }
      if detection.box.width < 0 || detection.box.height < 0 {
        found.findings.note(.negativeBox, at: place, "/bbox")
      }
      found.detections.append(detection)
      found.places.append(place)
    }
    return found
  }

  private func note(
    _ flags: Flags, at place: Int, _ text: String, _ findings: inout OddityCounts
  ) {
    if flags.contains(.notFiniteBox) {
      findings.note(.notFiniteBox, at: place, "/bbox")
    } else if first.hasBox {
      // Files of regions have no boxes as a rule.
      findings.note(.resultWithoutBox, at: place, "/bbox")
    }
  }

  /// The pixels of a result's region; `nil` if it is left out, which `findings` then reports.
  package func mask(
    of region: COCORegion, at place: Int, in size: ImageSize?,
    _ findings: inout OddityCounts
  ) -> Mask? {
    do throws(COCORegion.Failure) {
      return try region.mask(in: size, at: place, countedAs: .results, &findings)
    } catch {
      if error == .unknownSize {
        findings.note(
          .badRegion, at: place, "/segmentation", "polygons of an image whose size is not known")
      }
      return nil
    }
  }

  /// The pixels of a result: its region, else its box; `nil` where it is left out.
  ///
  /// - Parameters:
  ///   - size: the image's.
  ///   - findings: gets what was odd about the region.
  package func pixels(
    at place: Int, in size: ImageSize, _ findings: inout OddityCounts
  ) -> Mask? {
    if let region = regions[place] { return mask(of: region, at: place, in: size, &findings) }
    guard !flags[place].contains(.noBox) else {
      findings.note(.resultWithoutShape, at: place)
      return nil
    }
    findings.note(.boxAsRegion, at: place, "/segmentation")
    return Mask(box: boxes[place], size: size)
  }

  /// The region of a result; `nil` where it has none, or where none was read.
  package func region(at place: Int) -> COCORegion? { regions[place] }

  /// True if a result has a region that can be drawn at this size without a finding.
  package func isPlain(at place: Int, in size: ImageSize?) -> Bool {
    regions.isPlain(place, in: size)
  }
}
