extension JSONValue {
  /// The canonical text of this value: members sorted by the bytes of their names, no blanks. Two
  /// values that differ only in the order of members give the same bytes, and so the same hash.
  ///
  /// If several members have one name, only the first is written.
  package var canonicalText: String { sorted.text() }

  private var sorted: JSONValue {
    switch self {
    case .array(let elements): return .array(elements.map(\.sorted))
    case .object(let members):
      var seen: Set<String> = []
      return .object(
        members.filter { seen.insert($0.name).inserted }
          .sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
          .map { Member($0.name, $0.value.sorted) })
    default: return self
    }
  }
}
