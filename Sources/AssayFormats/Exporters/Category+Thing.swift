package import AssayCore

/// COCO's distinction of things, which have single objects, and stuff, which does not.
extension Category {
  /// COCO's `isthing`; `nil` if the source does not state it.
  package var isThing: Bool? {
    switch attributes.flatMap({ try? JSONValue(parsing: $0) })?.member(Self.thingName) {
    case .integer(1)?, .bool(true)?: true
    case .integer(0)?, .bool(false)?: false
    default: nil
    }
  }

  /// States `isthing` in the fields of the class.
  ///
  /// - Parameter isThing: `nil` removes it.
  package mutating func setThing(_ isThing: Bool?) {
    let fields = attributes.flatMap { try? JSONValue(parsing: $0) }?.members ?? []
    let stated = isThing.map { JSONValue.Member(Self.thingName, $0 ? 1 : 0) }
    let members = [stated].compactMap(\.self) + fields.filter { $0.name != Self.thingName }
    attributes = members.isEmpty ? nil : JSONValue.object(members).text()
  }

  private static let thingName = "isthing"
}
