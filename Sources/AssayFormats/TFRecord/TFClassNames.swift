import AssayCore

/// The classes of a feature: names by number from a label map, a list of names or `--classes`, or the
/// values of the records themselves.
struct TFClassNames: Sendable {
  /// A class of a record, and what is odd about it.
  struct Found {
    var category: Category
    var problem: String?
  }

  struct Problem: Error {
    var kind: IssueKind
    var text: String
  }

  /// The classes with names, in the order of their source; empty if the values are the classes.
  let categories: [Category]
  private let places: [Int64: Int]
  private let names: [String: Int]
  private let source: String

  /// The values of the records are the classes.
  init() { self.init(entries: [], from: "") }

  /// - Parameters:
  ///   - names: the names from 0.
  ///   - source: the place of the names, for messages.
  init(_ names: [String], from source: String) {
    self.init(entries: names.enumerated().map { (Int64($0), [$1]) }, from: source)
  }

  /// - Parameter map: the display name counts, and the name where there is none.
  init(_ map: LabelMap, from source: String) {
    self.init(
      entries: map.items.map {
        ($0.id, [$0.displayName, $0.name].compactMap(\.self).filter { !$0.isEmpty })
      },
      from: source)
  }

  private init(entries: [(id: Int64, names: [String])], from source: String) {
    self.source = source
    var categories: [Category] = []
    var places: [Int64: Int] = [:]
    var names: [String: Int] = [:]
    for (id, all) in entries {
      let name = all.first ?? String(id)
      let place = names[name] ?? categories.count
      if place == categories.count {
        categories.append(Category(name: name, sourceID: .integer(id)))
      }
      if places[id] == nil { places[id] = place }
      for name in [name] + all where names[name] == nil { names[name] = place }
    }
    (self.categories, self.places, self.names) = (categories, places, names)
  }

  /// The class of an object or image.
  ///
  /// - Parameters:
  ///   - text: the name in the record.
  ///   - id: the number in the record.
  func category(_ text: String?, _ id: Int64?) -> Result<Found, Problem> {
    guard let text = text.map(LabelSeparator.trimmed), !text.isEmpty else { return category(id) }
    guard text.utf8.count <= LabelReader.nameLimit else {
      return .failure(
        Problem(
          kind: .badField,
          text: "the name of its class is longer than \(LabelReader.nameLimit) bytes"))
    }
    guard !categories.isEmpty else {
      return .success(Found(category: Category(name: text, sourceID: id.map { .integer($0) })))
    }
    guard let place = names[text] else {
      return .success(
        Found(
          category: Category(name: text),
          problem: "“\(text)” is not in \(source); it is a class of its own"))
    }
    let category = categories[place]
    let isOther = id.map { places[$0] != place } ?? false
    return .success(
      Found(
        category: category,
        problem: isOther
          ? "it is “\(text)” and has the number \(id ?? 0), which \(source) gives to "
            + (id.flatMap { places[$0] }.map { "“\(categories[$0].name)”" } ?? "no class")
            + "; the name is used"
          : nil))
  }

  private func category(_ id: Int64?) -> Result<Found, Problem> {
    guard let id else { return .failure(Problem(kind: .missingField, text: "it has no class")) }
    guard !categories.isEmpty else {
      return .success(Found(category: Category(name: String(id), sourceID: .integer(id))))
    }
    guard let place = places[id] else {
      return .failure(Problem(kind: .unknownLabel, text: "\(source) has no class \(id)"))
    }
    return .success(Found(category: categories[place]))
  }
}
