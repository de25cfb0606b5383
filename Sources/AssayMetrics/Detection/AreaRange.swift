/// A range of object areas, both ends included.
package struct AreaRange: Hashable, Sendable, Codable {
  /// The name in tables: `all`, `small`, `medium`, `large`.
  package var name: String
  /// In pixels.
  package var low: Double
  package var high: Double

  package init(_ name: String, _ low: Double, _ high: Double) {
    self.name = name
    self.low = low
    self.high = high
  }

  package func contains(_ area: Double) -> Bool { area >= low && area <= high }

  /// COCO's four ranges: all, below 32² pixels, up to 96², above.
  package static let coco = [
    AreaRange("all", 0, 1e10), AreaRange("small", 0, 1024), AreaRange("medium", 1024, 9216),
    AreaRange("large", 9216, 1e10),
  ]

  /// COCO's ranges for keypoints, which are not labeled on small objects.
  package static let cocoKeypoints = coco.filter { $0.name != "small" }
}
