import AssayCore
import AssayStore

/// How a model's classes join a view's categories, by name.
struct ClassMatch {
  /// Categories of the samples that the model has no class for, in taxonomy order.
  let missing: [MissingCategory]

  /// - Throws: ``PredictError/nothingInCommon(model:classes:dataset:categories:)``.
  init(
    classes: [String], model: String, taxonomy: Taxonomy, dataset: String,
    samples: [SampleRecord]
  ) throws(PredictError) {
    let known = Set(classes)
    let names = taxonomy.names
    guard names.isEmpty || names.contains(where: known.contains) else {
      throw .nothingInCommon(
        model: model, classes: classes, dataset: dataset, categories: names)
    }
    var counts: [Int: Int] = [:]
    for sample in samples {
      if let category = sample.category { counts[category, default: 0] += 1 }
    }
    missing = names.enumerated().compactMap { ordinal, name in
      guard let count = counts[ordinal], !known.contains(name) else { return nil }
      return MissingCategory(name: name, samples: count)
    }
  }
}
