import AssayCore

/// The classes of labels that are numbers: named by a list, or found in the data.
struct NumberedClasses: Sendable {
  /// A class of a list of names.
  struct Name: Hashable, Sendable {
    var number: Int
    var name: String
  }

  /// The list of names in its order; `nil` if the numbers are the names.
  private let declared: [Name]?
  private let names: [Int: String]
  /// The numbers of the classes in order of introduction, and the index of each.
  private var numbers: [Int] = []
  private var places: [Int: Int] = [:]

  /// - Parameter declared: the names; a repeated name gets its number: `cup (id 4)`, and of a
  ///   repeated number the first name counts. `nil` if there are none.
  init(_ declared: [Name]?) {
    var names: [Int: String] = [:]
    var used: Set<String> = []
    var list: [Name] = []
    for entry in declared ?? [] where names[entry.number] == nil {
      var name = entry.name
      while !used.insert(name).inserted { name += " (id \(entry.number))" }
      names[entry.number] = name
      list.append(Name(number: entry.number, name: name))
    }
    self.declared = declared == nil ? nil : list
    self.names = names
  }

  /// Returns whether a number is a class.
  func contains(_ number: Int) -> Bool { declared == nil || names[number] != nil }

  /// The index of a number's class among the introduced ones; `nil` if it is not a class.
  ///
  /// - Parameter parent: the name of the class above, kept if the class is new.
  mutating func place(of number: Int, parent: String? = nil, _ batch: inout ImportedBatch) -> Int? {
    if let place = places[number] { return place }
    guard contains(number) else { return nil }
    places[number] = numbers.count
    numbers.append(number)
    batch.newCategories.append(
      Category(
        name: names[number] ?? String(number), sourceID: .integer(Int64(number)),
        supercategory: parent))
    return numbers.count - 1
  }

  /// Introduces the named classes that no record has, and returns the final index of each class in
  /// order of introduction.
  mutating func finish(_ batch: inout ImportedBatch) -> [Int] {
    for entry in declared ?? [] { _ = place(of: entry.number, &batch) }
    let order = declared?.map(\.number) ?? numbers.sorted()
    var ordinals = Array(repeating: 0, count: numbers.count)
    for (ordinal, number) in order.enumerated() {
      if let place = places[number] { ordinals[place] = ordinal }
    }
    return ordinals
  }
}
