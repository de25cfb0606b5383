import AssayCore
import Testing

import AssayStore

/// A region as written in tests.
struct RegionDraft {
  var category: String
  var box: (x: Double, y: Double, width: Double, height: Double)?
  var polygon: [Double]?
  var mask: Mask?
  var line: [Double]?
  var points: [Double]?
  var isCrowd = false
  var area: Double?
  var sourceID: SourceID?
  var attributes: String?

  init(
    _ category: String, box: (Double, Double, Double, Double)? = nil, polygon: [Double]? = nil,
    mask: Mask? = nil, line: [Double]? = nil, points: [Double]? = nil, isCrowd: Bool = false,
    area: Double? = nil, sourceID: SourceID? = nil,
    attributes: String? = nil
  ) {
    self.category = category
    self.box = box
    self.polygon = polygon
    self.mask = mask
    self.line = line
    self.points = points
    self.isCrowd = isCrowd
    self.area = area
    self.sourceID = sourceID
    self.attributes = attributes
  }

  var shape: ShapeKind {
    if polygon != nil { return .polygon }
    if mask != nil { return .mask }
    return line != nil ? .polyline : points != nil ? .points : .box
  }

  var packed: [UInt8]? {
    let geometry =
      polygon.map { Geometry.polygons([$0]) } ?? mask.map(Geometry.mask)
      ?? line.map { Geometry.polylines([$0]) } ?? points.map(Geometry.points)
    return geometry?.packed
  }
}

/// A sample with its regions as written in tests.
struct RegionSample {
  var key: String
  var split: String?
  var size: ImageSize?
  var regions: [RegionDraft]
  var label: String?
  var sourceID: SourceID?
}

extension Catalog {
  /// Imports samples in one batch and their regions in batches of `chunk`, in the given `order`;
  /// the classes are added in order of occurrence.
  @discardableResult
  func importRegions(
    _ samples: [RegionSample], as name: String = "coco", replace: Bool = false, chunk: Int = 7,
    order: (inout [(sample: Int, region: RegionDraft)]) -> Void = { _ in }
  ) throws -> ImportSummary {
    let draft = ImportDraft(
      name: name, format: .coco, root: "/data/\(name)", isSingleFile: false, replace: replace)
    var regions = samples.enumerated().flatMap { index, sample in
      sample.regions.map { (sample: index, region: $0) }
    }
    order(&regions)
    var classes: [String] = []
    for name in samples.compactMap(\.label) + regions.map(\.region.category)
    where !classes.contains(name) { classes.append(name) }
    return try importDataset(draft) { writer in
      var head = ImportedBatch()
      head.newCategories = classes.map { Category(name: $0) }
      head.samples = samples.map { sample in
        ImportedSample(
          key: sample.key, location: sample.key, split: sample.split, size: sample.size,
          category: sample.label.flatMap { classes.firstIndex(of: $0) }, sourceID: sample.sourceID)
      }
      try writer.write(head)
      for start in stride(from: 0, to: regions.count, by: chunk) {
        var batch = ImportedBatch()
        for place in start..<min(regions.count, start + chunk) {
          batch.add(regions[place], ordinal: place + 1, classes)
        }
        try writer.write(batch)
      }
      var outcome = ImportOutcome()
      outcome.read = samples.count
      outcome.accepted = samples.count
      outcome.ordinals = Array(classes.indices)
      return (outcome, nil)
    }
  }
}

extension ImportedBatch {
  /// Adds a region; ordinal 0 is reserved for a label.
  fileprivate mutating func add(
    _ item: (sample: Int, region: RegionDraft), ordinal: Int, _ classes: [String]
  ) {
    let region = item.region
    let start = geometry.count
    if let packed = region.packed { geometry += packed }
    annotations.append(
      ImportedAnnotation(
        sample: item.sample, category: classes.firstIndex(of: region.category) ?? -1,
        ordinal: ordinal, shape: region.shape, isCrowd: region.isCrowd, area: region.area,
        box: region.box.map { Box(x: $0.x, y: $0.y, width: $0.width, height: $0.height) },
        sourceID: region.sourceID,
        geometry: region.packed == nil ? nil : start..<geometry.count,
        attributes: region.attributes))
  }
}

/// Five images of 10 × 10 and one of unknown size.
///
/// For `person`: "1" has two boxes of 40 that share 10 pixels: 70; "2" a triangle with a crowd; "3"
/// only a crowd that covers the whole image; "4" none; "5" a box in an image of unknown size.
let sixImages: [RegionSample] = {
  let size = ImageSize(width: 10, height: 10)
  return [
    RegionSample(
      key: "0", split: "train", size: size, regions: [RegionDraft("person", box: (0, 0, 5, 4))],
      sourceID: .integer(17)),
    RegionSample(
      key: "1", split: "train", size: size,
      regions: [
        RegionDraft("person", box: (0, 0, 10, 4), area: 40, sourceID: .integer(1 << 40)),
        RegionDraft("traffic light", box: (8, 8, 2, 2), area: 9216),
        RegionDraft("person", box: (0, 3, 10, 4), area: 1023.5),
      ]),
    RegionSample(
      key: "2", split: "val", size: size,
      regions: [
        RegionDraft("person", polygon: [0, 0, 0, 10, 10, 10], area: 9215.9, sourceID: .text("p")),
        RegionDraft(
          "person", mask: Mask(box: Box(x: 0, y: 0, width: 10, height: 1), size: size),
          isCrowd: true),
      ]),
    RegionSample(
      key: "3", split: "val", size: size,
      regions: [RegionDraft("person", mask: Mask(fullOf: size), isCrowd: true)]),
    RegionSample(key: "4", size: size, regions: []),
    RegionSample(
      key: "5", size: nil,
      regions: [RegionDraft("person", box: (0, 0, 1, 1), area: 1024, attributes: "{\"k\":1}")]),
  ]
}()
