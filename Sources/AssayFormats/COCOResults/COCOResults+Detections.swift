package import AssayCore

extension COCOResults {
  /// The results of one image, in the file's order.
  package struct ImageDetections: Sendable {
    /// The class is an index into ``COCOResults/categories``; a detection of regions has its run lengths and
    /// its area, and where the file states no box the one around its region.
    package var detections: [Detection] = []
    /// The place of each in the file's list.
    package var places: [Int] = []
    /// What was left out or put right, and where.
    package var findings = OddityCounts()
    /// How many were left out for their region although they have a box that can be used.
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

  /// The pixels of a result's region; `nil` where it is left out, which is said.
  package func mask(
    of region: COCORegion, at place: Int, in size: ImageSize?,
    _ findings: inout OddityCounts
  ) -> Mask? {
    do throws(COCORegion.Failure) {
      let made = try region.mask(in: size)
      if let oddity = made.oddity {
        findings.note(
          made.isStrange ? .strangeRegion : .oddRegion, at: place, "/segmentation", oddity)
      }
      return made.mask
    } catch {
      switch error {
      case .size(let stated):
        findings.note(
          .maskSize, at: place, "/segmentation/size",
          "\(stated)" + (size.map { " for an image of \($0)" } ?? ""))
      case .unknownSize:
        findings.note(
          .badRegion, at: place, "/segmentation", "polygons of an image whose size is not known")
      case .damaged(let reason):
        findings.note(.badRegion, at: place, "/segmentation", reason)
      }
      return nil
    }
  }

  /// The region of a result; `nil` where it has none, or where none was read.
  package func region(at place: Int) -> COCORegion? { regions[place] }

  /// Whether a result has a region that makes a mask of an image of a size without a word.
  package func isPlain(at place: Int, in size: ImageSize?) -> Bool {
    regions.isPlain(place, in: size)
  }
}
