extension JSONValue {
  /// The text by which values of a field are the same: `1`, `1.0` and `"1"` are, because files write a number in each of
  /// these ways; objects in any order of their members.
  package var spelling: String {
    switch self {
    case .integer(let number): "\(number)"
    case .number(let number): Int64(exactly: number).map { "\($0)" } ?? "\(number)"
    case .string(let text): text
    case .bool(let truth): truth ? "true" : "false"
    case .null, .array, .object: membersSorted.text()
    }
  }

  /// The same value with the members of all objects sorted by name.
  package var membersSorted: JSONValue {
    switch self {
    case .object(let members):
      .object(
        members.map { Member($0.name, $0.value.membersSorted) }.sorted { $0.name < $1.name })
    case .array(let elements): .array(elements.map(\.membersSorted))
    default: self
    }
  }
}
