import AssayCore

/// The classes of a block's labels, in order of first occurrence.
struct LabelReader {
  /// The result of reading a label.
  enum Reading: Hashable {
    /// No label.
    case missing
    /// The index among the rule's names, or for discovered classes in ``LabelReader/discovered``.
    case category(Int)
    /// Not a class.
    case unknown
  }

  /// The maximum length of a class name, in bytes of UTF-8.
  static let nameLimit = 200

  private let rule: LabelRule
  /// The discovered classes, if the rule asks for discovery.
  private(set) var discovered: [String] = []
  private var places: [String: Int] = [:]
  /// The indices of the rule's names in lower case.
  private var loosePlaces: [String: Int] = [:]

  init(_ rule: LabelRule) {
    self.rule = rule
    if case .named(let names) = rule {
      for (place, name) in names.enumerated().reversed() {
        places[name] = place
        loosePlaces[name.lowercased()] = place
      }
    }
  }

  /// Reads a text without surrounding blanks.
  mutating func read(_ text: String) -> Reading {
    guard !text.isEmpty else { return .missing }
    guard text.utf8.count <= Self.nameLimit else { return .unknown }
    switch rule {
    case .named(let names):
      if let place = places[text] { return .category(place) }
      if let number = Int(text) {
        return names.indices.contains(number) ? .category(number) : .unknown
      }
      return loosePlaces[text.lowercased()].map { .category($0) } ?? .unknown
    case .discovered:
      let name = Int64(text).map { String($0) } ?? text
      if let place = places[name] { return .category(place) }
      places[name] = discovered.count
      discovered.append(name)
      return .category(discovered.count - 1)
    }
  }
}
