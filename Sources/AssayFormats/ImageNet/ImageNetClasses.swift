import AssayCore

/// The classes of a source of ImageNet or of lists, in order of introduction.
struct ImageNetClasses {
  private(set) var categories: [Category] = []
  /// The number of classes that a table declares.
  private(set) var declared = 0
  private let names: SynsetNames
  private var places: [String: Int] = [:]
  private var used: Set<String> = []
  /// The synsets that the table of synsets does not have.
  private(set) var undeclared: [String] = []

  /// - Parameters:
  ///   - names: the synsets and their names.
  ///   - list: the names of classes that are numbers; `nil` if the place in the table of synsets is
  ///     the number, or nothing names them.
  init(_ names: SynsetNames, list: [NumberedClasses.Name]?) {
    self.names = names
    if let list {
      for entry in list {
        add(
          String(entry.number), name: entry.name, id: .integer(Int64(entry.number)),
          suffix: "id \(entry.number)")
      }
    } else {
      for synset in names.order { _ = place(ofSynset: synset) }
      for (number, synset) in names.order.enumerated() { places[String(number)] = places[synset] }
      undeclared = []
    }
    declared = categories.count
  }

  /// The classes by synset.
  var bySynset: [String: Category] {
    places.filter { ImageNetName.isSynset($0.key) }.mapValues { categories[$0] }
  }

  /// The index of a synset's class.
  mutating func place(ofSynset synset: String) -> Int {
    if let place = places[synset] { return place }
    undeclared.append(synset)
    return add(
      synset, name: names.name(of: synset) ?? synset, id: .text(synset), suffix: synset)
  }

  /// The index of the class of a list's word; `nil` for a number that has no class.
  mutating func place(of label: String) -> Int? {
    if ImageNetName.isSynset(label) { return place(ofSynset: label) }
    // 007 is 7.
    let number = Int64(label)
    let key = number.map(String.init) ?? label
    if let place = places[key] { return place }
    guard let number else { return add(key, name: key, id: nil, suffix: "word") }
    return declared > 0 ? nil : add(key, name: key, id: .integer(number), suffix: "id \(number)")
  }

  @discardableResult
  private mutating func add(_ key: String, name: String, id: SourceID?, suffix: String) -> Int {
    if let place = places[key] { return place }
    var unique = name
    while !used.insert(unique).inserted { unique += " (\(suffix))" }
    places[key] = categories.count
    categories.append(Category(name: unique, sourceID: id))
    return categories.count - 1
  }
}
