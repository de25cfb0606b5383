import AssayCore
import AssayFormats

/// An annotation of any shape.
struct CollectedItem: Hashable {
  var label: String
  var kind: ShapeKind
  var ordinal: Int
  var isCrowd: Bool
  var area: Double?
  var box: Box?
  var id: SourceID?
  var attributes: String?
  var geometry: Geometry?
}

/// The complete result of an import of Datumaro's annotations.
@dynamicMemberLookup
struct CollectedItems: Hashable {
  private var regions: CollectedRegions<CollectedItem>
  /// The class of each image as a whole.
  private(set) var sampleLabels: [String?] = []

  init(_ tree: some SourceTree, _ options: ImportOptions = ImportOptions()) throws {
    regions = try CollectedRegions(tree, as: .datumaro, options) { annotation, label, geometry in
      CollectedItem(
        label: label, kind: annotation.shape, ordinal: annotation.ordinal,
        isCrowd: annotation.isCrowd, area: annotation.area, box: annotation.box,
        id: annotation.sourceID, attributes: annotation.attributes,
        geometry: try geometry.map {
          try Geometry(shape: annotation.shape, packed: $0.bytes, size: $0.size)
        })
    }
    var names: [String] = []
    _ = try DatumaroImporter().run(tree, options) { batch in
      names += batch.newCategories.map(\.name)
      sampleLabels += batch.samples.map { $0.category.map { names[$0] } }
    }
  }

  subscript<Value>(
    dynamicMember path: KeyPath<CollectedRegions<CollectedItem>, Value>
  ) -> Value { regions[keyPath: path] }
}
