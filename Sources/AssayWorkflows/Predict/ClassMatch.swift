import AssayCore
import AssayInference
import AssayStore

/// The mapping between a model's classes and a view's categories, by name.
struct ClassMatch {
  /// The common classes, in the model's order.
  let shared: [String]
  /// Categories of the samples' labels without a class of the model, in taxonomy order. Empty for
  /// segmentation and detection models, which are evaluated on the common classes.
  let missing: [MissingCategory]
  /// The classes without a counterpart, of segmentation and detection models.
  let unmatched: UnmatchedClasses

  /// Matches a model's classes.
  ///
  /// - Parameters:
  ///   - hasGroundTruth: true if the dataset has ground truth for the model's task; otherwise no
  ///     common class is required.
  ///   - allowsNone: true if no common class is required, because the run is not to be evaluated.
  /// - Throws: ``PredictError/nothingInCommon(model:classes:dataset:categories:)``.
  init(
    _ model: ModelRecord, classes: [String], _ taxonomy: Taxonomy, _ selection: Selection,
    samples: [SampleRecord], hasGroundTruth: Bool, allowsNone: Bool = false
  ) throws(PredictError) {
    guard hasGroundTruth else {
      self.init()
      return
    }
    switch model.task {
    case .classification, .multiLabel:
      try self.init(
        classes: classes, model: model.name, taxonomy: taxonomy, dataset: selection.dataset.name,
        samples: samples, allowsNone: allowsNone)
    case .segmentation, .detection:
      let evaluated = taxonomy.categories.filter { !$0.isVoid }.map(\.name)
      try self.init(
        classes: classes.filter { $0 != ModelManifest.backgroundName }, model: model.name,
        categories: evaluated.filter { $0 != ModelManifest.backgroundName },
        dataset: selection.dataset.name, allowsNone: allowsNone)
    }
  }

  /// Matches the classes of a classifier, of a multi-label model or of a scores file.
  ///
  /// - Throws: ``PredictError/nothingInCommon(model:classes:dataset:categories:)``.
  init(
    classes: [String], model: String, taxonomy: Taxonomy, dataset: String,
    samples: [SampleRecord], allowsNone: Bool = false
  ) throws(PredictError) {
    let names = taxonomy.names
    let joined = try ClassMatch(
      classes: classes, model: model, categories: names, dataset: dataset, allowsNone: allowsNone)
    let known = Set(classes)
    var counts: [Int: Int] = [:]
    for sample in samples {
      for category in sample.category.map({ [$0] }) ?? sample.categories {
        counts[category, default: 0] += 1
      }
    }
    shared = joined.shared
    unmatched = UnmatchedClasses(model: [], dataset: [])
    missing = names.enumerated().compactMap { ordinal, name in
      guard let count = counts[ordinal], !known.contains(name) else { return nil }
      return MissingCategory(name: name, samples: count)
    }
  }

  /// The match as JSON.
  var json: JSONValue {
    func list(_ names: [String]) -> JSONValue { .array(names.map { .string($0) }) }
    return [
      "shared": list(shared),
      "missing": .array(missing.map { [.string($0.name), JSONValue($0.samples)] }),
      "unmatched_model": list(unmatched.model), "unmatched_dataset": list(unmatched.dataset),
    ]
  }

  /// Reads ``json`` back; what is no match is left out.
  init(_ json: JSONValue?) {
    func list(_ name: String) -> [String] { json?[name]?.elements?.compactMap(\.text) ?? [] }
    shared = list("shared")
    missing = (json?["missing"]?.elements ?? []).compactMap { pair in
      guard let words = pair.elements, words.count == 2, let name = words[0].text,
        let count = words[1].whole
      else { return nil }
      return MissingCategory(name: name, samples: count)
    }
    unmatched = UnmatchedClasses(model: list("unmatched_model"), dataset: list("unmatched_dataset"))
  }

  /// A match without common or missing classes.
  private init() {
    shared = []
    missing = []
    unmatched = UnmatchedClasses(model: [], dataset: [])
  }

  private init(
    classes: [String], model: String, categories: [String], dataset: String, allowsNone: Bool
  ) throws(PredictError) {
    let known = Set(categories)
    shared = classes.filter(known.contains)
    missing = []
    let own = Set(classes)
    unmatched = UnmatchedClasses(
      model: classes.filter { !known.contains($0) },
      dataset: categories.filter { !own.contains($0) })
    guard categories.isEmpty || !shared.isEmpty || allowsNone else {
      throw .nothingInCommon(
        model: model, classes: classes, dataset: dataset, categories: categories)
    }
  }
}
