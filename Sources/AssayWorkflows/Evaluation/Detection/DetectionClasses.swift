package import AssayCore

/// The mapping between the classes of a dataset and those of a detector: by name, never by index.
///
/// The evaluated classes are those that both have, without void classes, in the order of their ids in the source, as in
/// COCO's evaluation.
package struct DetectionClasses: Sendable, Hashable {
  /// The evaluated classes.
  package let names: [String]
  /// The index in ``names`` for each class of the taxonomy; `nil` if it is not evaluated.
  package let truthPlaces: [Int?]
  /// The index in ``names`` for each class of the run; `nil` if it is not evaluated.
  package let runPlaces: [Int?]
  /// The names that only one side has, without void classes.
  package let onlyTruth: [String]
  package let onlyModel: [String]
  /// The void classes of the dataset.
  package let void: [String]

  /// - Parameters:
  ///   - truth: the dataset's classes.
  ///   - model: the names of the run's classes.
  /// - Throws: ``EvaluationError/nothingInCommon(truth:scores:)``, ``EvaluationError/duplicateClass(_:)``.
  package init(truth: Taxonomy, run model: [String]) throws(EvaluationError) {
    var modelPlaces: [String: Int] = [:]
    for (place, name) in model.enumerated() {
      guard modelPlaces.updateValue(place, forKey: name) == nil else { throw .duplicateClass(name) }
    }
    let evaluated = truth.categories.indices.filter { ordinal in
      !truth.categories[ordinal].isVoid && modelPlaces[truth.categories[ordinal].name] != nil
    }.sorted { first, second in
      Self.precedes(truth.categories[first], first, truth.categories[second], second)
    }
    let nonVoid = truth.categories.filter { !$0.isVoid }.map(\.name)
    guard !evaluated.isEmpty else { throw .nothingInCommon(truth: nonVoid, scores: model) }
    names = evaluated.map { truth.categories[$0].name }
    var places: [String: Int] = [:]
    for (place, name) in names.enumerated() { places[name] = place }
    truthPlaces = truth.categories.map { $0.isVoid ? nil : places[$0.name] }
    runPlaces = model.map { places[$0] }
    onlyTruth = nonVoid.filter { places[$0] == nil }
    onlyModel = model.filter { places[$0] == nil }
    void = truth.categories.filter(\.isVoid).map(\.name)
  }

  /// The taxonomy ordinal of each class in ``names``.
  package var truthOrdinals: [Int] {
    var ordinals = names.map { _ in 0 }
    for (ordinal, place) in truthPlaces.enumerated() {
      if let place { ordinals[place] = ordinal }
    }
    return ordinals
  }

  /// The taxonomy ordinals of the evaluated classes.
  package var evaluatedOrdinals: Set<Int> {
    Set(truthPlaces.indices.filter { truthPlaces[$0] != nil })
  }

  private static func precedes(_ a: Category, _ i: Int, _ b: Category, _ j: Int) -> Bool {
    switch (a.sourceID, b.sourceID) {
    case (let first?, let second?) where first != second: first.precedes(second)
    default: i < j
    }
  }
}

extension SourceID {
  /// The order of images and classes in COCO's evaluation: numbers by value, then texts bytewise.
  package func precedes(_ other: SourceID) -> Bool {
    switch (self, other) {
    case (.integer(let first), .integer(let second)): first < second
    case (.integer, .text): true
    case (.text, .integer): false
    case (.text(let first), .text(let second)):
      first.utf8.lexicographicallyPrecedes(second.utf8)
    }
  }
}
