import AssayCore

/// The objects of a record: an object of lists, or a list of objects.
struct HFObjects {
  /// One object: its members by name.
  typealias Object = [JSONValue.Member]

  private(set) var objects: [Object] = []

  static let boxFields = ["bbox", "bboxes"]
  static let classFields = ["categories", "category", "label", "labels", "category_id"]

  /// The four numbers of a box.
  enum BoxForm: Sendable {
    /// x, y, width, height.
    case sized
    /// Left, top, right, bottom.
    case corners
  }

  /// The members of an object that have a meaning.
  struct Fields: Sendable {
    var box = boxFields
    var category = classFields
    var form = BoxForm.sized
    /// True if the numbers are relative to the size of the image.
    var isRelative = false
  }

  /// The members that are looked for.
  private let fields: Fields

  /// The reason why the objects cannot be read, one clause.
  struct Problem: Error, Hashable { var text: String }

  /// - Throws: ``Problem``.
  init(_ value: JSONValue, _ fields: Fields = Fields()) throws(Problem) {
    self.fields = fields
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
      guard let boxes = members.first(where: { fields.box.contains($0.name) }) else {
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

  /// The box of an object in pixels; `nil` for a value that is none.
  ///
  /// - Parameter size: the size of the image, for relative coordinates.
  func box(_ object: Object, in size: ImageSize?) -> Box? {
    guard let list = object.first(where: { fields.box.contains($0.name) })?.value.elements else {
      return nil
    }
    var numbers = list.compactMap(\.double)
    guard list.count == 4, numbers.count == 4 else { return nil }
    if fields.isRelative {
      guard let size else { return nil }
      for place in numbers.indices {
        numbers[place] *= Double(place % 2 == 0 ? size.width : size.height)
      }
    }
    if fields.form == .corners {
      numbers[2] -= numbers[0]
      numbers[3] -= numbers[1]
    }
    return Box(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
  }

  /// The class of an object as stated; `nil` if it has none.
  func category(_ object: Object) -> JSONValue? {
    for name in fields.category {
      if let value = object.first(where: { $0.name == name })?.value, value != .null {
        return value
      }
    }
    return nil
  }

  /// The members besides box, class, id and crowd.
  func attributes(_ object: Object) -> [JSONValue.Member] {
    let own = Set(fields.box + fields.category + ["id", "iscrowd"])
    return object.filter { !own.contains($0.name) && $0.value != .null }
  }
}
