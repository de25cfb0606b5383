import AssayCore
package import AssayMetrics
package import AssayStore

/// The properties of an imported run's detections, read from its settings. Every later evaluation
/// of the run uses them.
package struct DetectionRecipe: Sendable, Hashable {
  /// True if every detection has a region.
  package var hasRegions = false
  /// True if the area of a detection with a region is that of its box, as in pycocotools for files
  /// whose first result has a box.
  package var takesBoxArea = true

  /// True if the results have keypoints.
  package var hasKeypoints = false

  /// The default overlap without keypoints: regions if the results have regions and no boxes, otherwise boxes, as in
  /// an evaluation of files without a catalog.
  package var overlap: OverlapKind { hasRegions && !takesBoxArea ? .mask : .box }

  package init(
    hasRegions: Bool = false, takesBoxArea: Bool = true, hasKeypoints: Bool = false
  ) {
    self.hasRegions = hasRegions
    self.takesBoxArea = takesBoxArea
    self.hasKeypoints = hasKeypoints
  }

  /// Reads ``members`` back from the settings of a run. A missing member keeps its default; a run
  /// made by a model has none of them.
  ///
  /// - Throws: ``EvaluationError/runSettings(run:)`` for a text that is not a JSON object, and for
  ///   members of another type.
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
    hasKeypoints = try flag("keypoints", hasKeypoints)
  }

  /// The members for the settings of a run.
  var members: [JSONValue.Member] {
    [.init("regions", .bool(hasRegions)), .init("box_area", .bool(takesBoxArea))]
      + (hasKeypoints ? [.init("keypoints", .bool(true))] : [])
  }
}
