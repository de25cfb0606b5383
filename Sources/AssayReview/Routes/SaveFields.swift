import AssayCore
import AssayWorkflows
import Foundation

/// The members of a save's body, with checks of their types and limits.
struct SaveFields {
  private let body: JSONValue

  init(_ body: JSONValue) { self.body = body }

  func wrong(_ member: String, _ what: String) -> RequestRefusal {
    .badRequest(code: "bad\(member.prefix(1).uppercased())\(member.dropFirst())", what)
  }

  /// Returns the member; `nil` if it is missing or `null`.
  private func value(_ member: String) -> JSONValue? {
    let value = body[member]
    return value == .null ? nil : value
  }

  func kind() throws(RequestRefusal) -> SaveRequest.Kind {
    guard let kind = value("kind")?.text.flatMap(SaveRequest.Kind.init) else {
      throw wrong(
        "kind",
        "kind must be one of " + SaveRequest.Kind.allCases.map(\.rawValue).joined(separator: ", "))
    }
    return kind
  }

  func uuid(_ member: String) throws(RequestRefusal) -> String {
    try uuid(member, isNeeded: true) ?? ""
  }

  /// Returns a uuid in lower case.
  func uuid(_ member: String, isNeeded: Bool) throws(RequestRefusal) -> String? {
    guard let value = value(member) else {
      if isNeeded { throw wrong(member, "\(member) is missing; expected a uuid") }
      return nil
    }
    guard let uuid = value.text.flatMap(UUID.init(uuidString:)) else {
      throw wrong(member, "\(member) must be a uuid")
    }
    return uuid.uuidString.lowercased()
  }

  /// Returns a single-line text.
  func name(_ member: String, isNeeded: Bool) throws(RequestRefusal) -> String? {
    guard let value = value(member) else {
      if isNeeded { throw wrong(member, "\(member) is missing") }
      return nil
    }
    guard let name = value.text, !name.isEmpty, name.count <= SaveRequest.longestName,
      name.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control })
    else { throw wrong(member, "\(member) must be a name") }
    return name
  }

  /// Returns text entered by a person: line breaks are kept, other control characters are refused.
  func text(_ member: String) throws(RequestRefusal) -> String? {
    guard let value = value(member) else { return nil }
    guard let text = value.text, text.count <= SaveRequest.longestText else {
      throw wrong(
        member, "\(member) must be a text of at most \(SaveRequest.longestText) characters")
    }
    let isPlain = text.unicodeScalars.allSatisfy {
      $0 == "\n" || $0 == "\t" || $0.properties.generalCategory != .control
    }
    guard isPlain else { throw wrong(member, "\(member) has control characters") }
    return text.isEmpty ? nil : text
  }

  func flag(_ member: String) throws(RequestRefusal) -> Bool {
    switch value(member) {
    case nil: false
    case .bool(let flag)?: flag
    default: throw wrong(member, "\(member) must be true or false")
    }
  }

  /// Returns a number of pixels.
  func count(_ member: String) throws(RequestRefusal) -> Int? {
    guard let value = value(member) else { return nil }
    guard case .integer(let number) = value, let count = Int(exactly: number), count >= 0 else {
      throw wrong(member, "\(member) must be a nonnegative integer")
    }
    return count
  }

  func share(_ member: String) throws(RequestRefusal) -> Double? {
    guard let value = value(member) else { return nil }
    guard let share = value.double, (0...1).contains(share) else {
      throw wrong(member, "\(member) must be in 0...1")
    }
    return share
  }

  func seconds() throws(RequestRefusal) -> Double? {
    guard let value = value("seconds") else { return nil }
    guard let seconds = value.double, (0...86_400).contains(seconds) else {
      throw wrong("seconds", "seconds must be in 0...86400")
    }
    return seconds
  }

  func target() throws(RequestRefusal) -> CorrectionTarget? {
    guard let value = value("target") else { return nil }
    guard let text = value.text, text.utf8.count <= 4 * SaveRequest.longestName,
      let target = CorrectionTarget(text: text)
    else { throw wrong("target", "unknown target") }
    return target
  }

  /// Returns the outline in `box` or `polygons`; `nil` if both are missing.
  func outline() throws(RequestRefusal) -> ObjectOutline? {
    do {
      return try ObjectOutline(body)
    } catch {
      switch error {
      case .box: throw wrong("box", "box must be [x, y, width, height] in pixels")
      case .polygons:
        throw wrong(
          "polygons",
          "polygons must be lists of x and y of at least three points, \(ObjectOutline.pointLimit) points at most"
        )
      }
    }
  }

  /// Returns the members of an object.
  func members(_ member: String) throws(RequestRefusal) -> [JSONValue.Member] {
    guard let members = value(member)?.members else {
      throw wrong(member, "\(member) must be an object")
    }
    return members
  }

  /// Returns the mask in `counts` and `size`, height first as in COCO.
  func mask() throws(RequestRefusal) -> Mask {
    guard let sides = value("size")?.elements, sides.count == 2,
      case .integer(let height) = sides[0], case .integer(let width) = sides[1],
      let height = Int(exactly: height), let width = Int(exactly: width),
      let size = ImageSize.checked(width: width, height: height)
    else { throw wrong("size", "size must be [height, width] of the image") }
    guard let counts = value("counts")?.text else {
      throw wrong("counts", "counts is missing: the whole region as COCO's run lengths")
    }
    do {
      return try Mask(size: size, compressed: Array(counts.utf8))
    } catch {
      throw wrong("counts", "counts is not a mask of this size: \(error)")
    }
  }

  /// Returns the version of a conflict that is kept.
  func version(isNeeded: Bool) throws(RequestRefusal) -> ConflictChoice? {
    guard let given = value("version") else {
      if isNeeded { throw wrong("version", Self.versions) }
      return nil
    }
    guard let choice = given.text.flatMap(ConflictChoice.init) else {
      throw wrong("version", Self.versions)
    }
    return choice
  }

  private static let versions = "version must be this, head or both"
}
