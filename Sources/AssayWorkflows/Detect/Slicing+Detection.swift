import AssayStore

extension Slicing {
  /// The parts of a judged detector, where the part of a class is all samples that have an object of it,
  /// crowds included: a sample may be in several.
  ///
  /// - Throws: ``EvaluationError/unknownSlice(_:known:)``.
  func parts(of judged: DetectedRun, by attribute: String, in catalog: Catalog) throws -> [Part] {
    guard attribute == "category" else {
      return try parts(judged.samples, of: judged.run, by: attribute)
    }
    var indices = judged.classes.names.map { _ in [Int]() }
    var without: [Int] = []
    let counts = try catalog.regionCounts(of: judged.samples.map(\.id))
    for (index, regions) in counts.enumerated() {
      let places = regions.compactMap { judged.classes.truthPlaces[$0.category] }
      for place in places { indices[place].append(index) }
      if places.isEmpty { without.append(index) }
    }
    let parts = zip(judged.classes.names, indices).map { Part(value: $0, indices: $1) }
    return (parts + [Part(value: "–", indices: without)]).filter { !$0.indices.isEmpty }
  }
}
