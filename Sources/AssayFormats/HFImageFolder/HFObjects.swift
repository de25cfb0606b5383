import AssayCore

/// The objects of a record: an object of lists, or a list of objects.
struct HFObjects {
  /// One object: its members by name.
  typealias Object = [JSONValue.Member]

  private(set) var objects: [Object] = []

  static let boxFields = ["bbox", "bboxes"]
  static let classFields = ["categories", "category", "label", "labels", "category_id"]

  /// The reason why the objects cannot be read, one clause.
  struct Problem: Error, Hashable { var text: String }

  /// - Throws: ``Problem``.
  init(_ value: JSONValue) throws(Problem) {
    switch value {
    case .null: return
    case .array(let elements):
      for element in elements {
        guard case .object(let members) = element else {
          throw Problem(text: "an element of “objects” is no JSON object")
        }
        objects.append(members)
      }
    case .object(let members):
      guard let boxes = members.first(where: { Self.boxFields.contains($0.name) }) else {
        guard members.isEmpty else { throw Problem(text: "“objects” has no “bbox”") }
        return
      }
      guard let list = boxes.value.elements else {
        throw Problem(text: "“\(boxes.name)” of “objects” is no list")
      }
      objects = Array(repeating: [], count: list.count)
      for member in members {
        guard let values = member.value.elements, values.count == list.count else {
          throw Problem(
            text:
              "“\(member.name.prefix(40))” of “objects” is no list of \(list.count) values, one per "
              + "box")
        }
        for (place, value) in values.enumerated() {
          objects[place].append(.init(member.name, value))
        }
      }
    default: throw Problem(text: "“objects” is neither an object of lists nor a list of objects")
    }
  }

  /// A box x, y, width, height; `nil` for another value.
  static func box(_ object: Object) -> Box? {
    guard let list = object.first(where: { boxFields.contains($0.name) })?.value.elements else {
      return nil
    }
    let numbers = list.compactMap(\.double)
    guard list.count == 4, numbers.count == 4 else { return nil }
    return Box(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
  }

  /// The class of an object as stated; `nil` if it has none.
  static func category(_ object: Object) -> JSONValue? {
    for name in classFields {
      if let value = object.first(where: { $0.name == name })?.value, value != .null {
        return value
      }
    }
    return nil
  }

  /// The members besides box, class, id and crowd.
  static func attributes(_ object: Object) -> [JSONValue.Member] {
    let own = Set(boxFields + classFields + ["id", "iscrowd"])
    return object.filter { !own.contains($0.name) && $0.value != .null }
  }
}
