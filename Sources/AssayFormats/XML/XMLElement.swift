import AssayCore

/// One attribute of an XML element.
package struct XMLAttribute: Hashable, Sendable {
  package var name: String
  package var value: String
}

/// An XML element with its content.
struct XMLElement: Hashable, Sendable {
  var name: String
  var attributes: [XMLAttribute] = []
  /// The text between the tags without that of the children, blanks included.
  var text = ""
  var children: [XMLElement] = []
  /// The 1-based line of the start tag.
  var line: Int

  init(name: String, attributes: [XMLAttribute] = [], line: Int) {
    self.name = name
    self.attributes = attributes
    self.line = line
  }

  /// The value of an attribute; `nil` if there is none with that name.
  subscript(attribute: String) -> String? {
    attributes.first { $0.name == attribute }?.value
  }

  /// The first child with a name.
  func first(_ name: String) -> XMLElement? { children.first { $0.name == name } }

  /// The children with a name.
  func all(_ name: String) -> [XMLElement] { children.filter { $0.name == name } }

  /// The text without blanks at its ends.
  var trimmedText: String { text.trimmingBlanks }

  /// The text of the first child with a name, without blanks at its ends; `nil` if there is no such
  /// child, or its text is blank.
  func text(of name: String) -> String? {
    guard let text = first(name)?.trimmedText, !text.isEmpty else { return nil }
    return text
  }
}

extension XMLElement {
  /// The element as a JSON value: a text becomes a number, `true`, `false` or a string; attributes
  /// and children become members, and repeated ones an array.
  var json: JSONValue {
    guard !children.isEmpty || !attributes.isEmpty else { return JSONValue(scalar: trimmedText) }
    var members: [JSONValue.Member] = attributes.map {
      JSONValue.Member($0.name, JSONValue(scalar: $0.value))
    }
    let taken = Set(members.map(\.name))
    var places: [String: [JSONValue]] = [:]
    var names: [String] = []
    for child in children {
      if places[child.name] == nil { names.append(child.name) }
      places[child.name, default: []].append(child.json)
    }
    for name in names {
      guard let values = places[name], let first = values.first else { continue }
      // An attribute and a child can have one name.
      members.append(
        JSONValue.Member(
          taken.contains(name) ? "\(name) (element)" : name,
          values.count == 1 ? first : .array(values)))
    }
    let text = trimmedText
    if !text.isEmpty { members.append(JSONValue.Member("#text", JSONValue(scalar: text))) }
    return .object(members)
  }
}

extension JSONValue {
  /// A text of a file without types: a whole number, a decimal number, `true` or `false`, else a
  /// string. A number that would print otherwise than it is written (`007`, 20 digits) is a string.
  init(scalar text: String) {
    switch text {
    case "true", "True": self = .bool(true)
    case "false", "False": self = .bool(false)
    default:
      if let whole = Int64(text), "\(whole)" == text {
        self = .integer(whole)
      } else if let number = Self.decimal(text) {
        self = .number(number)
      } else {
        self = .string(text)
      }
    }
  }

  /// A number with a point and at most 17 digits.
  private static func decimal(_ text: String) -> Double? {
    guard text.utf8.count <= 18, text.utf8.contains(UInt8(ascii: ".")),
      text.utf8.first.map({ $0 == UInt8(ascii: "-") || (0x30...0x39).contains($0) }) == true
    else { return nil }
    return DecimalNumber.value(of: text)
  }
}

extension DecimalNumber {
  /// The finite number of a text, blanks at its ends ignored; `nil` if it is none.
  static func value(of text: some StringProtocol) -> Double? {
    var bytes = Array(text.utf8)[...]
    while let first = bytes.first, first <= 0x20 { bytes.removeFirst() }
    while let last = bytes.last, last <= 0x20 { bytes.removeLast() }
    return Array(bytes).withUnsafeBytes { parse($0, as: Double.self) }
  }
}
