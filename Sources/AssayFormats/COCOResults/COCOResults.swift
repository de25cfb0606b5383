package import AssayCore

/// The results of a COCO file, in columns: entry *n* of each column is the file's result *n*.
///
/// Images and categories are numbered in the order in which the file first names them; the caller
/// maps them to a dataset (``COCOIDTable`` finds ids of either type).
package struct COCOResults: Sendable {
  /// The states of a result that its columns do not show.
  package struct Flags: OptionSet, Sendable {
    package var rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }
    /// There is no usable box; the box's column contains zeros.
    package static let noBox = Flags(rawValue: 1)
    /// The box has a number that is NaN or infinite.
    package static let notFiniteBox = Flags(rawValue: 2)
    /// The score is NaN or infinite; the score's column contains a value with its rank in the
    /// reference.
    package static let notFinite = Flags(rawValue: 4)
    /// There is a region.
    package static let region = Flags(rawValue: 8)
    /// It has no image, category or score, or is not an object: it cannot be used.
    package static let unusable = Flags(rawValue: 16)
    /// There are keypoints, which may be unusable.
    package static let keypoints = Flags(rawValue: 32)
  }

  /// The fields of a file's first result, which determine how pycocotools reads the whole file.
  package struct Shape: Hashable, Sendable {
    package var hasBox = false
    package var hasRegion = false
    package var hasKeypoints = false
  }

  /// The number of results in the file, including those that cannot be used.
  package internal(set) var count = 0
  /// The images of the results, in order of appearance.
  package internal(set) var images: [SourceID] = []
  /// The categories of the results, in order of appearance.
  package internal(set) var categories: [SourceID] = []
  /// The fields of the first result.
  package internal(set) var first = Shape()
  /// True if they are a list `annotations` of an object, which pycocotools rejects.
  package internal(set) var isWrapped = false
  /// True if a field of a result has another type than COCO's (a bbox: is not a list of four
  /// numbers), or is present but empty.
  package internal(set) var isOdd = false
  /// True if regions were read.
  package internal(set) var hasRegions = false
  /// The oddities of individual results.
  package internal(set) var findings = OddityCounts()

  /// Indices into ``images`` and ``categories``; −1 for unusable results.
  package internal(set) var imageNumbers: [Int32] = []
  package internal(set) var categoryNumbers: [Int32] = []
  /// Finite.
  package internal(set) var scores: [Double] = []
  package internal(set) var boxes: [Box] = []
  package internal(set) var flags: [Flags] = []
  /// Three finite numbers per keypoint: x, y in pixels and a third that the evaluation ignores; no
  /// numbers if there are none or they are unusable. Empty if no result has any.
  package internal(set) var keypoints: [[Double]] = []
  var regions = COCORegions()

  /// The indices of each image's results, one image after the other, and the start of each image's;
  /// built when results are requested by image.
  var order: [Int32] = []
  var starts: [Int] = []

  init() {}

  /// The indices of an image's usable results, in file order; `image` is an index into ``images``.
  package func places(of image: Int) -> some Collection<Int> {
    order[starts[image]..<starts[image + 1]].lazy.map { Int($0) }
  }

  /// Groups indices by image.
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
  /// The results of one image, in file order.
  package struct ImageDetections: Sendable {
    /// The class is an index into ``COCOResults/categories``; a detection with a region has its run
    /// lengths and its area, and the bounding box of its region if the file states no box.
    package var detections: [Detection] = []
    /// The index of each in the file's list.
    package var places: [Int] = []
    /// The results that were omitted or corrected, with their locations.
    package var findings = OddityCounts()
    /// The number of results that were omitted because of their region although they have a usable
    /// box.
    package var boxesLeftOut = 0
  }

  /// The results of one image as detections.
  ///
  /// Omits results whose score is NaN or infinite, because they have no rank, results whose region
  /// does not fit the image (run lengths with another size, or damaged), and results with neither a
  /// box nor a region.
  ///
  /// - Parameters:
  ///   - image: an index into ``images``.
  ///   - size: the image's size; `nil` if it is unknown, in which case run lengths define it and
  ///     polygons cannot be read.
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
        guard let extent = extent(at: place) else {
          found.findings.note(
            flags.contains(.notFiniteBox) ? .notFiniteBox : .resultWithoutShape, at: place)
          continue
        }
        detection.box = extent
      }
      if flags.contains(.keypoints) {
        detection.keypoints = keypoints[place]
        if detection.keypoints.isEmpty {
          found.findings.note(.badKeypoints, at: place, "/keypoints", "its box is kept")
        }
      }
      // pycocotools replaces every box if the first result has keypoints alone.
      if first.hasKeypoints, !first.hasBox, !first.hasRegion, let extent = extent(at: place) {
        detection.box = extent
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
      // Files with regions usually have no boxes.
      findings.note(.resultWithoutBox, at: place, "/bbox")
    }
  }

  /// The pixels of a result's region; `nil` if it is omitted, which is added to `findings`.
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

  /// The pixels of a result: its region, else its box; `nil` if it is omitted.
  ///
  /// - Parameters:
  ///   - size: the image's size.
  ///   - findings: receives oddities of the region.
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

  /// The smallest box around the keypoints of a result; `nil` if it has none.
  ///
  /// Source: `loadRes` of pycocotools' coco.py.
  package func extent(at place: Int) -> Box? {
    flags[place].contains(.keypoints) ? Box(aroundKeypoints: keypoints[place]) : nil
  }

  /// The region of a result; `nil` if it has none, or if no regions were read.
  package func region(at place: Int) -> COCORegion? { regions[place] }

  /// True if a result has a region that can be drawn at this size without a finding.
  package func isPlain(at place: Int, in size: ImageSize?) -> Bool {
    regions.isPlain(place, in: size)
  }
}
