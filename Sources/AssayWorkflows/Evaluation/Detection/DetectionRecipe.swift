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

  /// Reads back ``members`` from the settings of a run; what is not there keeps its default, as a run that a
  /// model made has none of them.
  ///
  /// - Throws: ``EvaluationError/runSettings(run:)`` for a text that is no JSON object, and for members of another
  ///   type.
  package init(_ run: RunRecord) throws(EvaluationError) {
    guard let settings = try? JSONValue(parsing: run.settings), case .object = settings else {
      throw .runSettings(run: run.name)
    }
    func flag(_ name: String, _ usual: Bool) throws(EvaluationError) -> Bool {
      switch settings[name] {
      case nil: usual
      case .bool(let value)?: value
      default: throw .runSettings(run: run.name)
      }
    }
    hasRegions = try flag("regions", hasRegions)
    takesBoxArea = try flag("box_area", takesBoxArea)
  }

  /// For the settings of a run.
  var members: [JSONValue.Member] {
    [.init("regions", .bool(hasRegions)), .init("box_area", .bool(takesBoxArea))]
  }
}
