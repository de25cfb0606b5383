import AssayCore

/// The overlaps of an image's detections with all ground-truth objects, regardless of class, one
/// detection after another, because all pairs together may not fit into memory.
struct PairOverlaps {
  private enum Objects {
    case boxes(found: [Box], truth: [(box: Box, isCrowd: Bool)])
    case regions(
      found: [ObjectOverlap.Region?], truth: [(region: ObjectOverlap.Region?, isCrowd: Bool)])
    case keypoints(found: [[Double]?], truth: [TruthObject])
  }

  private let objects: Objects

  init(truth: [TruthObject], found: [FoundObject], _ kind: OverlapKind) {
    objects =
      switch kind {
      case .box:
        .boxes(found: found.map(\.box), truth: truth.map { ($0.box, $0.isCrowd) })
      case .mask:
        .regions(
          found: found.map { $0.mask.map(ObjectOverlap.Region.init) },
          truth: truth.map { ($0.mask.map(ObjectOverlap.Region.init), $0.isCrowd) })
      case .keypoints: .keypoints(found: found.map(\.keypoints), truth: truth)
      }
  }

  /// The overlap of a detection with an object, in 0...1: intersection over union; for a crowd,
  /// over the detection's area. 0 if either has no region and regions are compared. For
  /// keypoints their similarity; 0 if either has none, or another number of them.
  subscript(index: Int, place: Int) -> Double {
    switch objects {
    case .boxes(let found, let truth):
      ObjectOverlap.boxes(found[index], truth[place].box, isCrowd: truth[place].isCrowd)
    case .regions(let found, let truth):
      Self.overlap(found[index], truth[place])
    case .keypoints(let found, let truth): Self.similarity(found[index], truth[place])
    }
  }

  /// The overlaps of a detection with all objects.
  ///
  /// - Parameter row: receives the values in place of its contents.
  func fill(_ row: inout [Double], of index: Int) {
    row.removeAll(keepingCapacity: true)
    switch objects {
    case .boxes(let found, let truth):
      let box = found[index]
      for object in truth {
        row.append(ObjectOverlap.boxes(box, object.box, isCrowd: object.isCrowd))
      }
    case .regions(let found, let truth):
      let region = found[index]
      for object in truth { row.append(Self.overlap(region, object)) }
    case .keypoints(let found, let truth):
      for object in truth { row.append(Self.similarity(found[index], object)) }
    }
  }

  private static func similarity(_ found: [Double]?, _ truth: TruthObject) -> Double {
    guard let found, let keypoints = truth.keypoints else { return 0 }
    var similarity = KeypointSimilarity()
    return min(1, similarity.of(found, keypoints, box: truth.box, area: truth.area))
  }

  private static func overlap(
    _ found: ObjectOverlap.Region?, _ truth: (region: ObjectOverlap.Region?, isCrowd: Bool)
  ) -> Double {
    guard let found, let other = truth.region else { return 0 }
    // Regions of different sizes have a negative overlap.
    return max(0, ObjectOverlap.regions(found, other, isCrowd: truth.isCrowd))
  }
}
