import AssayCore
import AssayFormats
import AssayMetrics

extension FileDetectionJoin {
  /// Converts the annotations to columns.
  mutating func joinTruth(_ imageRanks: [Int32], _ classRanks: [Int32]) throws {
    let source = inputs.truth
    truth.images = source.imageNumbers.map { $0 < 0 ? -1 : imageRanks[Int($0)] }
    truth.classes = source.categoryNumbers.map { $0 < 0 ? -1 : classRanks[Int($0)] }
    truth.boxes = source.boxes
    truth.areas = source.areas
    truth.isCrowd = source.flags.map { $0.contains(.crowd) }
    if keypointClasses != nil {
      truth.isIgnored = Array(repeating: false, count: source.count)
      truthKeypoints = Array(repeating: nil, count: source.count)
    }
    for place in source.flags.indices where truth.images[place] >= 0 {
      let flags = source.flags[place]
      if let keypointClasses { try takeKeypoints(place, flags, keypointClasses) }
      if isMask {
        try lookAtRegion(place, flags)
      } else if flags.contains(.noBox) {
        takeBox(place, flags)
      } else if source.boxes[place].width < 0 || source.boxes[place].height < 0 {
        findings.note(.negativeTruthBox, at: place, "/bbox")
      }
      if flags.contains(.noArea), truth.images[place] >= 0, !isCompatible || !isNumber(place) {
        truth.areas[place] = shapeArea(place, flags)
      }
    }
    guard isCompatible else { return }
    for (place, flags) in source.flags.enumerated() {
      if flags.contains(.mistyped) { truth.images[place] = -1 }
      if flags.contains(.zeroID) { truth.unmatched.insert(place) }
    }
    if !source.lastOfID.isEmpty { repeatLast(source.lastOfID) }
  }

  /// Returns whether an unusable area is a number: negative or non-finite.
  private func isNumber(_ place: Int) -> Bool {
    let area = inputs.truth.areas[place]
    return area < 0 || !area.isFinite
  }

  private func size(ofTruth place: Int) -> ImageSize? { images[Int(truth.images[place])].size }

  /// Checks a region that is to be compared.
  private mutating func lookAtRegion(_ place: Int, _ flags: COCOTruth.Flags) throws {
    let size = size(ofTruth: place)
    guard flags.contains(.region) else {
      if flags.contains(.noBox) || size == nil {
        findings.note(.truthWithoutShape, at: place)
        truth.images[place] = -1
      } else {
        findings.note(.truthWithoutRegion, at: place, "/segmentation")
      }
      return
    }
    if inputs.truth.isPlain(at: place, in: size) { return }
    guard let region = inputs.truth.region(at: place) else { return }
    do throws(COCORegion.Failure) {
      _ = try region.mask(in: size, at: place, countedAs: .groundTruth, &findings)
    } catch {
      switch error {
      // The reference counts it as an object that no result matches.
      case .size where isCompatible: return
      case .size, .damaged: truth.images[place] = -1
      case .unknownSize:
        throw FileDetectionError.noImageSize(
          file: inputs.truthName, pointer: "/annotations/\(place)/segmentation",
          image: "\(images[Int(truth.images[place])].id)")
      }
    }
  }

  /// Computes a box from the region.
  private mutating func takeBox(_ place: Int, _ flags: COCOTruth.Flags) {
    let mask = flags.contains(.region) ? mask(ofTruth: place) : nil
    let isNumber = flags.contains(.notFiniteBox)
    guard let mask else {
      if keypointClasses != nil {
        // A box is needed only without labeled keypoints.
        findings.note(isNumber ? .notFiniteTruthBox : .truthWithoutBox, at: place, "/bbox")
        truth.boxes[place] = extent(ofTruth: place) ?? Box(x: 0, y: 0, width: 0, height: 0)
        return
      }
      findings.note(isNumber ? .notFiniteTruthBox : .truthWithoutShape, at: place)
      truth.images[place] = -1
      return
    }
    findings.note(isNumber ? .notFiniteTruthBox : .truthWithoutBox, at: place, "/bbox")
    truth.boxes[place] = mask.boundingBox ?? Box(x: 0, y: 0, width: 0, height: 0)
  }

  /// Reads the keypoints of an annotation.
  private mutating func takeKeypoints(
    _ place: Int, _ flags: COCOTruth.Flags, _ classes: KeypointClasses
  ) throws {
    guard truth.classes[place] >= 0 else { return }
    let has = flags.contains(.keypoints)
    let stated = inputs.truth.labeledCounts.isEmpty ? .nan : inputs.truth.labeledCounts[place]
    if !has {
      findings.note(.truthWithoutKeypoints, at: place)
    } else if stated.isNaN {
      findings.note(.noKeypointCount, at: place)
    }
    do throws(KeypointProblem) {
      let own = try classes.truth(
        has ? inputs.truth.keypoints[place] : nil, labeled: stated.isNaN ? nil : stated,
        of: Int(truth.classes[place]))
      truthKeypoints[place] = own.keypoints
      truth.isIgnored[place] = own.isIgnored
      if own.isBad { findings.note(.badTruthKeypoints, at: place, "/keypoints") }
    } catch {
      throw FileDetectionError.keypoints(file: inputs.truthName, error)
    }
  }

  /// The smallest box around the labeled keypoints.
  private func extent(ofTruth place: Int) -> Box? {
    guard !inputs.truth.keypoints.isEmpty else { return nil }
    let values = inputs.truth.keypoints[place]
    return Box(
      aroundKeypoints: stride(from: 0, to: values.count, by: 3).filter { values[$0 + 2] > 0 }
        .flatMap { values[$0...$0 + 2] })
  }

  private func mask(ofTruth place: Int) -> Mask? {
    guard let region = inputs.truth.region(at: place) else { return nil }
    return try? region.mask(in: size(ofTruth: place)).mask
  }

  /// The number of pixels of the region, or the box's area if there is no region.
  private func shapeArea(_ place: Int, _ flags: COCOTruth.Flags) -> Double {
    if flags.contains(.region), let mask = mask(ofTruth: place) { return Double(mask.area) }
    return truth.boxes[place].area
  }

  /// Repeats the last annotation for each annotation with the same id, as pycocotools does.
  private mutating func repeatLast(_ lastOfID: [Int: Int]) {
    let known = truth.images.indices.filter {
      truth.images[$0] >= 0 && truth.classes[$0] >= 0
    }
    // Image by image, in pycocotools' order.
    let order = known.sorted { first, second in
      (truth.images[first], first) < (truth.images[second], second)
    }
    var columns = TruthColumns()
    truthPlaces = []
    for slot in order {
      let place = lastOfID[slot] ?? slot
      if truth.unmatched.contains(place) { columns.unmatched.insert(columns.images.count) }
      truthPlaces.append(Int32(place))
      columns.images.append(truth.images[place])
      columns.classes.append(truth.classes[place])
      columns.boxes.append(truth.boxes[place])
      columns.areas.append(truth.areas[place])
      columns.isCrowd.append(truth.isCrowd[place])
    }
    truth = columns
  }
}
