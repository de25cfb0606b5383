/// A class's id in the source, with its original type: as text, 10 would sort before 9.
package enum SourceID: Hashable, Sendable {
  case integer(Int64)
  case text(String)
}

extension SourceID: CustomStringConvertible {
  package var description: String {
    switch self {
    case .integer(let value): String(value)
    case .text(let value): value
    }
  }
}

/// One class of a taxonomy.
package struct Category: Hashable, Sendable {
  /// The name, unique in its taxonomy; classes are matched by name, never by position.
  package var name: String
  /// The id in the source, if it has one.
  package var sourceID: SourceID?
  /// The parent class, if the source has one: COCO's `animal` for `dog`.
  package var supercategory: String?
  /// True if its regions are ignored in every evaluation (CamVid's void, VOC's 255).
  package var isVoid: Bool
  /// Additional fields of the source as one canonical JSON object: `keypoints` (names), `skeleton`
  /// (pairs of 1-based numbers, as in COCO), `isthing`, `color`, LVIS's `frequency` and so on; `nil`
  /// if there are none.
  package var attributes: String?

  package init(
    name: String, sourceID: SourceID? = nil, supercategory: String? = nil, isVoid: Bool = false,
    attributes: String? = nil
  ) {
    self.name = name
    self.sourceID = sourceID
    self.supercategory = supercategory
    self.isVoid = isVoid
    self.attributes = attributes
  }
}

/// Ordered classes. A class's ordinal is its 0-based index.
package struct Taxonomy: Hashable, Sendable {
  package var categories: [Category]

  package init(_ categories: [Category]) { self.categories = categories }

  /// The names in order.
  package var names: [String] { categories.map(\.name) }

  /// The ordinal of each name.
  package var ordinals: [String: Int] {
    Dictionary(
      zip(names, categories.indices), uniquingKeysWith: { first, _ in first })
  }
}
