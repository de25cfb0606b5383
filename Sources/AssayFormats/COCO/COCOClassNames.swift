import AssayCore

/// Unique names for the categories of one COCO file.
///
/// pycocotools evaluates each category id separately, so two ids with one name are two classes
/// here, too. The first id of a name that has annotations keeps the name (in Roboflow's exports, id
/// 0 repeats the name and has none); the others are called `cup (id 2)`.
struct COCOClassNames {
  /// A category as a file lists it.
  struct Entry: Hashable {
    var id: SourceID
    var name: String
  }

  /// One name per entry, in the same order.
  let names: [String]

  /// - Parameters:
  ///   - entries: the categories in the file's order, each id once.
  ///   - assigned: names that other files of the same source assigned to an id and name; they are
  ///     reused.
  ///   - annotated: the ids that occur in annotations of the file; called only if a name is
  ///     repeated.
  /// - Throws: any error that `annotated` throws.
  init(
    _ entries: [Entry], assigned: [Entry: String] = [:], annotated: () throws -> Set<SourceID>
  ) rethrows {
    var places: [String: [Int]] = [:]
    for (place, entry) in entries.enumerated() { places[entry.name, default: []].append(place) }
    let isRepeated = places.count < entries.count
    let annotated = isRepeated ? try annotated() : []
    var names = entries.map { assigned[$0] ?? $0.name }
    var taken = Set(places.keys).union(names)
    for place in entries.indices {
      let entry = entries[place]
      guard let group = places[entry.name], group.count > 1, assigned[entry] == nil else {
        continue
      }
      // A name that another file assigned to one of them stays with that one.
      let isGiven = group.contains { assigned[entries[$0]] == entry.name }
      let keeper = isGiven ? nil : group.first { annotated.contains(entries[$0].id) } ?? group[0]
      guard place != keeper else { continue }
      var name = entry.name
      repeat { name += " (id \(entry.id))" } while !taken.insert(name).inserted
      names[place] = name
    }
    self.names = names
  }
}
