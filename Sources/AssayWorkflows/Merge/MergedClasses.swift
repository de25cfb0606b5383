import AssayCore
import AssayStore

/// The classes of a merged dataset: those of the sources, united by name.
///
/// The classes of the first source come first, in its order, then those that the second adds, and so
/// on. Ids are kept only if every merged class has one id, which no other class has.
struct MergedClasses {
  private(set) var classes: [Category]
  /// For each source the ordinals of its classes.
  private(set) var ordinals: [[Int?]]
  private(set) var notes: [String] = []

  /// - Parameters:
  ///   - sources: the name and classes of each source.
  ///   - hasRegions: true if the classes are those of objects, which are counted where they are missing.
  /// - Throws: ``ExportError`` for changes of unknown classes; ``MergeError/mixedVoid(_:)``.
  init(
    _ sources: [(name: String, classes: [Category])], changes: ClassChanges, hasRegions: Bool
  ) throws {
    var union: [Category] = []
    var places: [String: Int] = [:]
    for category in sources.flatMap(\.classes) where places[category.name] == nil {
      places[category.name] = union.count
      union.append(category)
    }
    let mapping = try changes.applied(
      to: union, of: "the merge of \(sources.map(\.name).joined(separator: ", "))")
    classes = mapping.classes
    ordinals = sources.map { source in
      source.classes.map { category in places[category.name].flatMap { mapping.ordinals[$0] } }
    }
    try settleFields(sources)
    nameSpellings()
    if hasRegions { nameMissing(sources) }
  }

  /// The classes of the sources that become a merged class.
  private func origins(
    _ sources: [(name: String, classes: [Category])], of ordinal: Int
  ) -> [(source: Int, category: Category)] {
    sources.indices.flatMap { source in
      zip(sources[source].classes, ordinals[source]).compactMap { category, target in
        target == ordinal ? (source, category) : nil
      }
    }
  }

  private mutating func settleFields(
    _ sources: [(name: String, classes: [Category])]
  ) throws(MergeError) {
    var ids: [SourceID?] = []
    var hasIDs = false
    var other: [String] = []
    for ordinal in classes.indices {
      let origins = origins(sources, of: ordinal).map(\.category)
      guard Set(origins.map(\.isVoid)).count < 2 else {
        throw .mixedVoid(classes[ordinal].name)
      }
      let found = Set(origins.map(\.sourceID))
      hasIDs = hasIDs || found.contains { $0 != nil }
      ids.append(found.count == 1 ? origins.first?.sourceID : nil)
      if Set(origins.map(\.attributes)).count > 1
        || Set(origins.compactMap(\.supercategory)).count > 1
      {
        other.append(classes[ordinal].name)
      }
    }
    let known = ids.compactMap(\.self)
    if known.count < classes.count || Set(known).count < known.count {
      for ordinal in classes.indices { classes[ordinal].sourceID = nil }
      if hasIDs {
        notes.append(
          "the ids of the classes differ between the datasets, so none is kept: join results by "
            + "the names of classes")
      }
    }
    if !other.isEmpty {
      notes.append(
        "\(Self.list(other)) \(other.count == 1 ? "has" : "have") other fields in each dataset "
          + "(supercategory, keypoints, …); those of the first are kept")
    }
  }

  /// Notes on classes whose names differ only by case, blanks, `_` or `-`.
  private mutating func nameSpellings() {
    var spellings: [String: [String]] = [:]
    for category in classes {
      let key = String(category.name.lowercased().filter { !" _-".contains($0) })
      spellings[key, default: []].append(category.name)
    }
    for names in spellings.values.filter({ $0.count > 1 }).sorted(by: { $0[0] < $1[0] }) {
      let quoted = names.map { "“\($0)”" }.joined(separator: " and ")
      notes.append(
        "\(quoted) are \(names.count) classes; --map '\(names.joined(separator: ","))=\(names[0])' "
          + "makes them one")
    }
  }

  /// Notes on classes that a source does not have: their objects in its images have no annotations.
  private mutating func nameMissing(_ sources: [(name: String, classes: [Category])]) {
    for (number, source) in sources.enumerated() where !source.classes.isEmpty {
      let own = Set(ordinals[number].compactMap(\.self))
      let missing = classes.indices.filter { !own.contains($0) }.map { classes[$0].name }
      guard !missing.isEmpty else { continue }
      notes.append(
        "\(source.name) has no class \(Self.list(missing)): if its images show such objects, they "
          + "have no annotations, and evaluation counts correct detections there as false positives"
      )
    }
  }

  private static func list(_ names: [String]) -> String {
    names.prefix(5).map { "“\($0)”" }.joined(separator: ", ")
      + (names.count > 5 ? " and \(names.count - 5) more" : "")
  }
}
