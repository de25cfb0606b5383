/// Classes of a model and of a dataset that have no counterpart, and those that are probably the same
/// in another spelling.
package struct UnmatchedClasses: Hashable, Sendable {
  /// The model's classes that the dataset does not have, in the model's order.
  package let model: [String]
  /// The dataset's classes that the model does not have, in the taxonomy's order.
  package let dataset: [String]

  /// Pairs of both lists that are equal apart from case, blanks, hyphens and underscores, or by the
  /// names that Pascal VOC and COCO give to the same class; only if there is one counterpart.
  package var proposal: [(model: String, dataset: String)] {
    let candidates = Dictionary(grouping: dataset, by: Self.key)
    let counts = Dictionary(grouping: model, by: Self.key)
    return model.compactMap { name in
      let key = Self.key(name)
      guard counts[key]?.count == 1, let found = candidates[key], found.count == 1 else {
        return nil
      }
      return (name, found[0])
    }
  }

  package init(model: [String], dataset: [String]) {
    self.model = model
    self.dataset = dataset
  }

  /// COCO's spelling of names that Pascal VOC spells in another way.
  private static let spellings = [
    "aeroplane": "airplane", "motorbike": "motorcycle", "sofa": "couch", "tvmonitor": "tv",
    "television": "tv",
  ]

  private static func key(_ name: String) -> String {
    let letters = name.lowercased().filter { !$0.isWhitespace && $0 != "_" && $0 != "-" }
    return spellings[letters] ?? letters
  }
}
