import AssayCore
import AssayFormats
import AssayMetrics

extension FileDetectionJoin {
  /// Converts the results to columns.
  mutating func joinResults(_ imageRanks: [Int32], _ classRanks: [Int32]) throws {
    let source = inputs.results
    found.scores = source.scores
    found.boxes = source.boxes
    found.images = places(
      source.images, in: COCOIDTable(inputs.truth.images.map(\.id)), imageRanks,
      of: source.imageNumbers, "image_id", .resultOfUnknownImage, .mistypedImage)
    found.classes = places(
      source.categories, in: COCOIDTable(inputs.truth.categories.map(\.id)), classRanks,
      of: source.categoryNumbers, "category_id", .resultOfUnknownCategory, .mistypedCategory)
    if isMask, source.count > 0, !isCompatible,
      !source.flags.contains(where: { $0.contains(.region) })
    {
      throw FileDetectionError.noRegions(
        file: inputs.resultName, hasBoxes: source.flags.contains { !$0.contains(.noBox) })
    }
    if keypointClasses != nil, source.count > 0, source.keypoints.isEmpty {
      throw FileDetectionError.noKeypoints(file: inputs.resultName)
    }
    let plain: COCOResults.Flags = [.region, .keypoints]
    for place in source.flags.indices {
      let flags = source.flags[place]
      // Results that have a box need no check.
      if inputs.overlap == .box, flags.isSubset(of: plain), source.first.hasBox { continue }
      guard found.images[place] >= 0, found.classes[place] >= 0 else { continue }
      if flags.contains(.notFinite), !isCompatible {
        found.images[place] = -1
      } else if let keypointClasses {
        takeKeypoints(place, flags, keypointClasses)
      } else if isMask {
        lookAtRegion(place, flags)
      } else if flags.contains(.noBox) {
        takeBox(place, flags)
      }
    }
    setAreas()
    if source.count > 0, !isCompatible,
      !zip(found.images, found.classes).contains(where: { $0 >= 0 && $1 >= 0 })
    {
      let reasons = findings.findings(isWrapped: source.isWrapped)
        .filter { $0.oddity.side == .results }
      throw FileDetectionError.nothingUsable(
        file: inputs.resultName, count: source.count, reasons: reasons.map(\.text),
        advice: reasons.max { $0.count < $1.count }.flatMap { advice(on: $0.oddity) })
    }
  }

  /// Returns advice if no result can be used, mostly because of this oddity; `nil` if there is
  /// none.
  private func advice(on oddity: COCOOddity) -> String? {
    switch oddity {
    case .resultOfUnknownImage:
      let ids = Self.some(images.map { "\($0.id)" })
      let found = inputs.results.images
      if let text = found.first, found.allSatisfy(Self.isText),
        !images.contains(where: { Self.isText($0.id) })
      {
        return "the image_id of the results is a text (\(Self.spelling(text))), but the ids of the "
          + "images in \(inputs.truthName) are numbers (\(ids)): write each image's id as image_id, "
          + "not its file name"
      }
      return "\(inputs.truthName) has the images \(ids): "
        + "give the ground truth of the split that was predicted"
    case .resultOfUnknownCategory:
      let shift = ClassIDShift(results: inputs.results.categories, truth: classes.map(\.id))
      let ids = Self.some(classes.map { "\($0.id) (\($0.name))" })
      return shift?.advice
        ?? "\(inputs.truthName) has the categories \(ids): results must use these ids"
    case .noScore:
      return "each result needs a 'score'; a ground-truth file has none"
    default:
      return nil
    }
  }

  /// The first three texts.
  private static func some(_ texts: [String]) -> String {
    texts.prefix(3).joined(separator: ", ") + (texts.count > 3 ? ", …" : "")
  }

  /// Returns for each result the rank of its id among those of the ground truth; −1 if the ground truth does not have
  /// it.
  private mutating func places(
    _ ids: [SourceID], in table: COCOIDTable, _ ranks: [Int32], of numbers: [Int32],
    _ member: String, _ unknown: COCOOddity, _ mistyped: COCOOddity
  ) -> [Int32] {
    var isOdd = false
    let finds = ids.map { id in
      let find = table.find(id)
      if find?.isConverted ?? true { isOdd = true }
      return find
    }
    // An id that matches only after type conversion is unknown to pycocotools.
    let places = finds.map { find -> Int32 in
      guard let find, !(isCompatible && find.isConverted) else { return -1 }
      return ranks[find.number]
    }
    if isOdd {
      for (place, number) in numbers.enumerated() where number >= 0 {
        let id = ids[Int(number)]
        if let find = finds[Int(number)] {
          if find.isConverted {
            findings.note(mistyped, at: place, "/\(member)", Self.spelling(id))
          }
        } else {
          findings.note(unknown, at: place, "/\(member)", Self.spelling(id))
        }
      }
    }
    return numbers.map { $0 < 0 ? -1 : places[Int($0)] }
  }

  private static func isText(_ id: SourceID) -> Bool {
    if case .text = id { true } else { false }
  }

  /// An id in JSON syntax: a text is quoted.
  private static func spelling(_ id: SourceID) -> String {
    if case .text(let text) = id { "\"\(text)\"" } else { "\(id)" }
  }

  /// Checks keypoints that are to be compared, and computes a box from them if there is none.
  private mutating func takeKeypoints(
    _ place: Int, _ flags: COCOResults.Flags, _ classes: KeypointClasses
  ) {
    let keypoints = inputs.results.keypoints[place]
    guard flags.contains(.keypoints) else {
      findings.note(.resultWithoutKeypoints, at: place)
      found.images[place] = -1
      return
    }
    guard classes.isUsable(keypoints, of: Int(found.classes[place])) else {
      findings.note(.badKeypoints, at: place, "/keypoints")
      found.images[place] = -1
      return
    }
    guard flags.contains(.noBox) else { return }
    if flags.contains(.notFiniteBox) {
      findings.note(.notFiniteBox, at: place, "/bbox")
    } else if inputs.results.first.hasBox {
      findings.note(.resultWithoutBox, at: place, "/bbox")
    }
    found.boxes[place] = Box(aroundKeypoints: keypoints) ?? found.boxes[place]
  }

  private func size(ofResult place: Int) -> ImageSize? { images[Int(found.images[place])].size }

  /// Checks a region that is to be compared.
  private mutating func lookAtRegion(_ place: Int, _ flags: COCOResults.Flags) {
    let size = size(ofResult: place)
    guard flags.contains(.region), let region = inputs.results.region(at: place) else {
      if flags.contains(.noBox) || size == nil {
        findings.note(.resultWithoutShape, at: place)
        found.images[place] = -1
      } else {
        findings.note(.boxAsRegion, at: place, "/segmentation")
      }
      return
    }
    noteForm(of: region, at: place)
    if inputs.results.isPlain(at: place, in: size) { return }
    let before = findings[.maskSize]
    let mask = inputs.results.mask(of: region, at: place, in: size, &findings)
    // pycocotools keeps RLEs of another size, which overlap nothing.
    if mask == nil, !isCompatible || findings[.maskSize] == before { found.images[place] = -1 }
  }

  /// Notes a region that is not a compressed string if the first result has no box: pycocotools
  /// then accepts only compressed strings.
  private mutating func noteForm(of region: COCORegion, at place: Int) {
    guard !inputs.results.first.hasBox else { return }
    switch region {
    case .mask(_, isCompressed: true), .damaged: break
    case .mask, .polygons: findings.note(.uncompressedRegion, at: place, "/segmentation")
    }
  }

  /// Computes a box from the region.
  private mutating func takeBox(_ place: Int, _ flags: COCOResults.Flags) {
    guard flags.contains(.region), let region = inputs.results.region(at: place) else {
      findings.note(
        flags.contains(.notFiniteBox) ? .notFiniteBox : .resultWithoutShape, at: place)
      found.images[place] = -1
      return
    }
    if flags.contains(.notFiniteBox) {
      findings.note(.notFiniteBox, at: place, "/bbox")
    } else if inputs.results.first.hasBox {
      findings.note(.resultWithoutBox, at: place, "/bbox")
    }
    noteForm(of: region, at: place)
    let size = size(ofResult: place)
    var mask = inputs.results.mask(of: region, at: place, in: size, &findings)
    // pycocotools computes the box from the RLE itself, regardless of the image's size.
    if mask == nil, isCompatible, case .mask(let other, _) = region { mask = other }
    guard let mask else {
      found.images[place] = -1
      return
    }
    found.boxes[place] = mask.boundingBox ?? Box(x: 0, y: 0, width: 0, height: 0)
  }

  /// Sets the areas used for size ranges if they differ from the areas of the compared shapes.
  ///
  /// pycocotools decides by the file's first result: if that has a box, all areas are those of
  /// boxes, otherwise those of regions.
  private mutating func setAreas() {
    let source = inputs.results
    guard source.count > 0 else { return }
    if keypointClasses != nil, !source.first.hasBox {
      // The first of box, region and keypoints that the first result has.
      found.areas = source.flags.indices.map { place in
        guard found.images[place] >= 0 else { return 0 }
        if source.first.hasRegion, source.flags[place].contains(.region) {
          return regionArea(place)
        }
        return (source.extent(at: place) ?? found.boxes[place]).area
      }
    } else if keypointClasses != nil {
      return
    } else if isMask == source.first.hasBox || (isMask && isCompatible && findings[.maskSize] > 0) {
      found.areas = source.flags.indices.map { place in
        guard found.images[place] >= 0 else { return 0 }
        if source.first.hasBox, !source.flags[place].contains(.noBox) {
          return source.boxes[place].area
        }
        return regionArea(place)
      }
    }
  }

  private func regionArea(_ place: Int) -> Double {
    switch inputs.results.region(at: place) {
    case .mask(let mask, _)?: Double(mask.area)
    case let region?:
      (try? region.mask(in: size(ofResult: place))).map { Double($0.mask.area) } ?? 0
    case nil: found.boxes[place].area
    }
  }
}
