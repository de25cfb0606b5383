import AssayCore
import AssayStore

/// Facts about the objects of a dataset for the page, beside its classes: whether they have vertices, the skeletons of their
/// keypoints, and their fields.
struct ObjectFacts: Sendable {
  /// The members of a session.
  let members: [JSONValue.Member]
  /// True if objects have the field `track`.
  let hasTracks: Bool

  init(_ taxonomy: Taxonomy, of dataset: DatasetRecord, in catalog: Catalog) throws {
    // A dataset of labels has many rows and none of these.
    let hasRegions = dataset.regions > 0
    let known = try hasRegions ? catalog.knownFields(in: dataset) : []
    hasTracks = known.contains { $0.name == "track" }
    let fields = known.map { field in
      JSONValue.Member(
        field.name,
        [
          "type": .string(field.kind.rawValue),
          "values": .array(field.values.map { .string($0) }),
        ])
    }
    members = [
      .init("boxes", .bool(try hasRegions && catalog.hasOnlyBoxes(in: dataset))),
      .init("polygons", .bool(try hasRegions && catalog.hasPolygons(in: dataset))),
      .init("skeletons", Self.skeletons(of: taxonomy)), .init("fields", .object(fields)),
    ]
  }

  /// The skeletons of the classes that have one, by their names: `{names, edges}`.
  static func skeletons(of taxonomy: Taxonomy) -> JSONValue {
    .object(
      taxonomy.categories.compactMap { category in
        skeleton(category).map { JSONValue.Member(category.name, $0) }
      })
  }

  /// The names of a class's keypoints and the pairs that are joined, counted from 0; `nil` if it has no names. Pairs that
  /// name no keypoint are left out.
  private static func skeleton(_ category: Category) -> JSONValue? {
    guard let fields = category.attributes.flatMap({ try? JSONValue(parsing: $0) }),
      let names = fields["keypoints"]?.elements?.map(\.text), !names.isEmpty
    else { return nil }
    let edges = (fields["skeleton"]?.elements ?? []).compactMap { pair -> JSONValue? in
      let ends = pair.elements?.compactMap(\.double) ?? []
      guard ends.count == 2, pair.elements?.count == 2,
        ends.allSatisfy({ (1...Double(names.count)).contains($0) && $0 == $0.rounded() })
      else { return nil }
      return .array(ends.map { .integer(Int64($0) - 1) })
    }
    return [
      "names": .array(names.enumerated().map { .string($1 ?? "point \($0 + 1)") }),
      "edges": .array(edges),
    ]
  }
}
