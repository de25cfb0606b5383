/// A JSON value whose objects keep the order of their members, so that the same result always prints as the
/// same bytes.
package enum JSONValue: Hashable, Sendable {
  case null
  case bool(Bool)
  case integer(Int64)
  /// A finite number; a value that is not finite prints as `null`.
  case number(Double)
  case string(String)
  case array([JSONValue])
  case object([Member])

  /// A name and its value.
  package struct Member: Hashable, Sendable {
    package var name: String
    package var value: JSONValue

    package init(_ name: String, _ value: JSONValue) {
      self.name = name
      self.value = value
    }
  }

  /// The value of an object's member; `nil` if this is not an object or it has no such member.
  package subscript(name: String) -> JSONValue? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.name == name }?.value
  }

  /// The number, whole or not; `nil` for other values.
  package var double: Double? {
    switch self {
    case .integer(let value): Double(value)
    case .number(let value): value
    default: nil
    }
  }

  /// The text; `nil` for other values.
  package var text: String? {
    if case .string(let value) = self { value } else { nil }
  }

  /// The elements; `nil` for other values.
  package var elements: [JSONValue]? {
    if case .array(let value) = self { value } else { nil }
  }
}

extension JSONValue {
  /// A number, or `null` for `nil`.
  package init(_ value: Double?) { self = value.map { .number($0) } ?? .null }
  /// A whole number, or `null`.
  package init(_ value: Int?) { self = value.map { .integer(Int64($0)) } ?? .null }
  /// A text, or `null`.
  package init(_ value: String?) { self = value.map { .string($0) } ?? .null }
}

extension JSONValue: ExpressibleByDictionaryLiteral, ExpressibleByArrayLiteral,
  ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
  ExpressibleByBooleanLiteral, ExpressibleByNilLiteral
{
  package init(dictionaryLiteral elements: (String, JSONValue)...) {
    self = .object(elements.map { Member($0.0, $0.1) })
  }
  package init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
  package init(stringLiteral value: String) { self = .string(value) }
  package init(integerLiteral value: Int64) { self = .integer(value) }
  package init(floatLiteral value: Double) { self = .number(value) }
  package init(booleanLiteral value: Bool) { self = .bool(value) }
  package init(nilLiteral: ()) { self = .null }
}

extension JSONValue {
  /// The last value with a name, which is the one that counts; `nil` if this is not an object or it
  /// has no such member.
  package func member(_ name: String) -> JSONValue? {
    guard case .object(let members) = self else { return nil }
    return members.last { $0.name == name }?.value
  }

  /// The members; `nil` for other values.
  package var members: [Member]? {
    if case .object(let members) = self { members } else { nil }
  }

  /// The truth value; `nil` for other values.
  package var bool: Bool? {
    if case .bool(let value) = self { value } else { nil }
  }

  /// The whole number, also if it is written with a fraction of 0; `nil` for other values.
  package var whole: Int? {
    switch self {
    case .integer(let value): Int(exactly: value)
    case .number(let value): Int(exactly: value)
    default: nil
    }
  }

  /// The kind of the value, for messages: "a text".
  package var kindName: String {
    switch self {
    case .null: "null"
    case .bool: "a truth value"
    case .integer, .number: "a number"
    case .string: "a text"
    case .array: "a list"
    case .object: "an object"
    }
  }
}
