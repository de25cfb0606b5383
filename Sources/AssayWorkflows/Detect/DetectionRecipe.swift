import AssayCore
package import AssayMetrics
package import AssayStore

/// What an imported run says of its detections, read from its settings: what every later judgement of it
/// goes by.
package struct DetectionRecipe: Sendable, Hashable {
  /// Whether every detection has a region.
  package var hasRegions = false
  /// Whether the size of a region is that of its box: so the reference takes it for files whose first result
  /// has a box.
  package var takesBoxArea = true

  /// What overlaps unless told: regions where the results have them and no boxes, as where files are judged
  /// without a catalog.
  package var overlap: OverlapKind { hasRegions && !takesBoxArea ? .mask : .box }

  package init(hasRegions: Bool = false, takesBoxArea: Bool = true) {
    self.hasRegions = hasRegions
    self.takesBoxArea = takesBoxArea
  }

  package init(_ run: RunRecord) {
    let settings = (try? JSONValue(parsing: run.settings)) ?? .object([])
    if case .bool(let value)? = settings["regions"] { hasRegions = value }
    if case .bool(let value)? = settings["box_area"] { takesBoxArea = value }
  }

  /// For the settings of a run.
  var members: [JSONValue.Member] {
    [.init("regions", .bool(hasRegions)), .init("box_area", .bool(takesBoxArea))]
  }
}
