package import AssayCore
package import AssayMetrics

/// The mapping of the classes of a dataset and of a segmentation model to labels: by name, never by index.
///
/// The evaluated classes are those that both the model and the dataset have. All other classes, the
/// model's background and unannotated pixels have label 0, which is counted but not evaluated.
package struct SegmentationClasses: Sendable, Hashable {
  /// `background`, then the evaluated classes in the model's order.
  package let labels: SegmentationLabels
  /// The label for each class of the taxonomy; 0 if it is not evaluated.
  package let truthLabels: [Int]
  /// The taxonomy ordinals of classes whose regions are ignored.
  package let voids: Set<Int>
  /// The label for each class of the run; 0 if it is not evaluated.
  package let runLabels: [Int]
  /// The names that only one side has; ignored classes of the ground truth are not included.
  package let onlyTruth: [String]
  package let onlyModel: [String]
  /// The names of the ignored classes.
  package let left: [String]

  /// The name of the background class.
  package static let background = "background"

  /// - Parameters:
  ///   - truth: the dataset's classes.
  ///   - model: the names of the run's classes.
  ///   - background: the index of the background class, in addition to one with that name.
  ///   - ignored: classes of the dataset to ignore, in addition to its void ones.
  /// - Throws: ``EvaluationError/nothingInCommon(truth:scores:)``,
  ///   ``EvaluationError/duplicateClass(_:)``, ``EvaluationError/unknownIgnored(_:known:)``,
  ///   ``EvaluationError/allIgnored(_:)``, `MetricError` for too many classes.
  package init(
    truth: Taxonomy, run model: [String], background: Int?, ignoring ignored: [String]
  ) throws {
    let none = Set(
      [Self.background]
        + (background.flatMap { model.indices.contains($0) ? [model[$0]] : nil } ?? []))
    var seen: Set<String> = []
    if let twice = model.first(where: { !seen.insert($0).inserted }) {
      throw EvaluationError.duplicateClass(twice)
    }
    let ordinals = truth.ordinals
    var voids = Set(truth.categories.indices.filter { truth.categories[$0].isVoid })
    let shared = model.filter { name in
      !none.contains(name) && ordinals[name].map { !voids.contains($0) } ?? false
    }
    guard !shared.isEmpty else {
      throw EvaluationError.nothingInCommon(
        truth: truth.categories.filter { !$0.isVoid }.map(\.name), scores: model)
    }
    for name in ignored {
      guard let ordinal = ordinals[name] else {
        throw EvaluationError.unknownIgnored(name, known: truth.names)
      }
      voids.insert(ordinal)
    }
    let evaluated = shared.filter { ordinals[$0].map { !voids.contains($0) } ?? false }
    guard !evaluated.isEmpty else { throw EvaluationError.allIgnored(shared) }
    labels = try SegmentationLabels(names: [Self.background] + evaluated, hasBackground: true)
    // One byte value is reserved for ignored pixels.
    guard labels.count < SegmentationLabels.limit else {
      throw MetricError.labelCount(labels.count)
    }
    var places: [String: Int] = [:]
    for (place, name) in evaluated.enumerated() { places[name] = place + 1 }
    truthLabels = truth.names.map { places[$0] ?? 0 }
    runLabels = model.map { places[$0] ?? 0 }
    self.voids = voids
    left = voids.sorted().map { truth.names[$0] }
    onlyModel = model.filter { !none.contains($0) && ordinals[$0] == nil }
    let known = Set(model)
    onlyTruth = truth.categories.indices.filter {
      !voids.contains($0) && !known.contains(truth.names[$0])
        && truth.names[$0] != Self.background
    }.map { truth.names[$0] }
  }

  /// The names of the evaluated classes, in the model's order.
  package var evaluated: [String] { Array(labels.names.dropFirst()) }

  /// The taxonomy ordinals of the evaluated and the ignored classes.
  var needed: Set<Int> {
    voids.union(truthLabels.indices.filter { truthLabels[$0] > 0 })
  }
}
