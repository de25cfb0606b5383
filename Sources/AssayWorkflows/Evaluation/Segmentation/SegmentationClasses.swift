package import AssayCore
package import AssayMetrics

/// The mapping of the classes of a dataset and of a segmentation model to labels: by name, never by index.
///
/// The evaluated classes are those of the model that the dataset has, too. All other classes, the model's background
/// and unannotated pixels are label 0, which is counted but not evaluated.
package struct SegmentationClasses: Sendable, Hashable {
  /// `background`, then the judged classes in the model's order.
  package let labels: SegmentationLabels
  /// For each class of the taxonomy its label; 0 where it is not judged.
  package let truthLabels: [Int]
  /// The ordinals in the taxonomy of classes whose regions are left out.
  package let voids: Set<Int>
  /// For each class of the run its label; 0 where it is not judged.
  package let runLabels: [Int]
  /// The names that only one side has; of the truth those whose regions are left out are not among them.
  package let onlyTruth: [String]
  package let onlyModel: [String]
  /// The names of the classes whose regions are left out.
  package let left: [String]

  /// The name of the class that is none.
  package static let background = "background"

  /// - Parameters:
  ///   - truth: the dataset's classes.
  ///   - model: the names of the run's classes.
  ///   - background: which of them is none, besides one of that name.
  ///   - ignored: classes of the dataset to leave out, besides its void ones.
  /// - Throws: ``EvaluationError/nothingInCommon(truth:scores:)``, ``EvaluationError/duplicateClass(_:)``,
  ///   ``EvaluationError/unknownIgnored(_:known:)``, ``EvaluationError/allIgnored(_:)``,
  ///   `MetricError` of too many classes.
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
    let judged = shared.filter { ordinals[$0].map { !voids.contains($0) } ?? false }
    guard !judged.isEmpty else { throw EvaluationError.allIgnored(shared) }
    labels = try SegmentationLabels(names: [Self.background] + judged, hasBackground: true)
    // One value of a byte stands for what is left out.
    guard labels.count < SegmentationLabels.limit else {
      throw MetricError.labelCount(labels.count)
    }
    var places: [String: Int] = [:]
    for (place, name) in judged.enumerated() { places[name] = place + 1 }
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

  /// The names of the judged classes, in the model's order.
  package var judged: [String] { Array(labels.names.dropFirst()) }

  /// The ordinals in the taxonomy whose regions matter: of judged classes, and those left out.
  var needed: Set<Int> {
    voids.union(truthLabels.indices.filter { truthLabels[$0] > 0 })
  }
}
