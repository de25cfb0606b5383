package import AssayCore
package import AssayImaging
import AssayInference

/// A run's maps of one image, resized to it, for masks at several thresholds.
package struct PredictedFields: Sendable {
  private enum Fields: Sendable {
    case binary(class: Int, ProbabilityField, threshold: Double)
    case labels(LabelField, [Int], background: Int?)
    case likeliest([Int], ClassFields, background: Int?, chosen: [(class: Int, mask: Mask)]?)
  }

  /// The placement of the maps.
  package let projection: MapProjection
  private let fields: Fields

  /// - Parameters:
  ///   - maps: one map if the recipe has a threshold, otherwise one per class, by ascending
  ///     ordinal.
  ///   - size: the image's size.
  ///   - masks: the stored masks of a recipe without a threshold; `nil` to choose the most likely
  ///     class from the maps.
  /// - Throws: ``RunMasksError/damaged(sample:reason:)`` if the maps do not match the recipe.
  package init(
    _ maps: [(class: Int, cells: Raster<UInt8>)], masks: [(class: Int, mask: Mask)]? = nil,
    of size: ImageSize, recipe: SegmentationRecipe, sample: @autoclosure () -> String
  ) throws(RunMasksError) {
    let plan = recipe.plan(for: size)
    guard let first = maps.first?.cells, first.width >= 1, first.height >= 1,
      maps.allSatisfy({
        $0.cells.width == first.width && $0.cells.height == first.height && $0.cells.channels == 1
      })
    else {
      throw .damaged(sample: sample(), reason: "its probability maps are missing or of two sizes")
    }
    let layers = maps.map { ProbabilityMap($0.cells, plan: plan) }
    projection = layers[0].projection
    if let threshold = recipe.threshold {
      guard maps.count == 1 else {
        throw .damaged(
          sample: sample(), reason: "it has \(maps.count) probability maps, expected 1")
      }
      fields = .binary(class: maps[0].class, layers[0].field(), threshold: threshold)
    } else {
      fields = .likeliest(
        maps.map(\.class), ClassFields(layers), background: recipe.background, chosen: masks)
    }
  }

  /// The fields of a model's answer: for several classes of its unrounded probabilities.
  ///
  /// - Parameter classes: the ordinals of the answer's classes, ascending.
  /// - Throws: ``RunMasksError/damaged(sample:reason:)`` if the answer does not match the recipe.
  init(
    _ answer: ClassMaps, of classes: [Int], _ size: ImageSize, recipe: SegmentationRecipe,
    sample: @autoclosure () -> String
  ) throws(RunMasksError) {
    if let labels = answer.labels {
      let field = LabelField(labels, plan: recipe.plan(for: size))
      self.init(field.projection, .labels(field, classes, background: recipe.background))
      return
    }
    guard recipe.threshold == nil, answer.probabilities.count == classes.count else {
      try self.init(
        zip(classes, answer.cells).map { (class: $0, cells: $1) }, of: size, recipe: recipe,
        sample: sample())
      return
    }
    let fields = ClassFields(answer.probabilities, plan: recipe.plan(for: size))
    self.init(
      fields.projection,
      .likeliest(classes, fields, background: recipe.background, chosen: nil))
  }

  private init(_ projection: MapProjection, _ fields: Fields) {
    self.projection = projection
    self.fields = fields
  }

  /// The masks of the image, of equal size and disjoint.
  ///
  /// - Parameter threshold: the minimum probability inside a mask, in 0...1; `nil` for the run's
  ///   own. It has no effect if each pixel gets its most likely class.
  package func masks(threshold: Double? = nil) -> PredictedMasks {
    let masks: [(class: Int, mask: Mask)] =
      switch fields {
      case .binary(let ordinal, let field, let own):
        [(ordinal, field.mask(at: threshold ?? own))]
      case .labels(let field, let classes, let background):
        zip(classes, field.masks(of: classes.count)).filter { $0.0 != background }.map {
          (class: $0, mask: $1)
        }
      case .likeliest(_, _, _, let chosen?): chosen
      case .likeliest(let classes, let fields, let background, nil):
        zip(classes, fields.masks()).filter { $0.0 != background }.map { (class: $0, mask: $1) }
      }
    return PredictedMasks(size: projection.size, masks: masks, void: projection.void)
  }

  /// The mean probability of a class over the pixels of a mask; `nil` if the model has seen none of
  /// them, or if there is no map for the class.
  package func mean(of ordinal: Int, inside mask: Mask) -> Double? {
    switch fields {
    case .binary(ordinal, let field, _): field.mean(inside: mask)
    case .binary, .labels: nil
    case .likeliest(let classes, let fields, _, _):
      classes.firstIndex(of: ordinal).flatMap { fields.mean(of: $0, inside: mask) }
    }
  }
}
