import AssayCore

/// The beginning of a JSON file: enough to tell what the file is.
struct JSONSample {
  let file: SourceFile
  /// True if the file is a list.
  let isList: Bool
  /// The names of the object's members that the beginning shows, the last one perhaps cut.
  let names: [String]
  /// The first elements of a list.
  let elements: [JSONValue]

  private let tree: any SourceTree
  private let head: [UInt8]
  private let outline: JSONOutline

  private static let headBytes = 1 << 16
  private static let elementCount = 8
  /// The maximum size of a member that is read, and of a file that is scanned for its members.
  private static let memberLimit = 1 << 20
  private static let scanLimit = 1 << 30

  /// - Returns: `nil` if the file cannot be read, or is neither an object nor a list.
  init?(_ tree: any SourceTree, _ file: SourceFile) {
    self.tree = tree
    self.file = file
    guard var head = Self.head(tree, file, Self.headBytes),
      let first = head.first(where: { ![0x20, 0x09, 0x0A, 0x0D, 0xEF, 0xBB, 0xBF].contains($0) }),
      first == UInt8(ascii: "[") || first == UInt8(ascii: "{"),
      var outline = try? JSONOutline(head: head, takesList: true)
    else { return nil }
    isList = first == UInt8(ascii: "[")
    if isList, !Self.hasElement(outline), head.count == Self.headBytes,
      let more = Self.head(tree, file, JSONOutline.elementLimit + Self.headBytes),
      let longer = try? JSONOutline(head: more, takesList: true)
    {
      (head, outline) = (more, longer)
    }
    self.head = head
    self.outline = outline
    names = isList ? [] : outline.members.map(\.name)
    elements = isList ? Self.elements(of: outline.members.first, head) : []
  }

  /// The first elements of a list that the beginning of a file holds.
  private static func elements(of list: JSONOutline.Member?, _ head: [UInt8]) -> [JSONValue] {
    (list?.batches ?? []).prefix(elementCount).compactMap { batch in
      guard batch.count > 0, batch.bytes.upperBound <= head.count else { return nil }
      return value(head[batch.bytes])
    }
  }

  /// The first elements of a list that is a member of the object, if it stands near the beginning.
  func elements(below name: String) -> [JSONValue] {
    guard !isList, names.contains(name) else { return [] }
    let found = Self.elements(of: outline[name], head)
    guard found.isEmpty, isCut,
      let more = Self.head(tree, file, JSONOutline.elementLimit + Self.headBytes),
      let longer = try? JSONOutline(head: more)
    else { return found }
    return Self.elements(of: longer[name], more)
  }

  /// Returns whether the beginning contains a text.
  func contains(_ text: String) -> Bool {
    let wanted = Array(text.utf8)
    guard let first = wanted.first else { return true }
    return head.indices.contains { head[$0] == first && head[$0...].starts(with: wanted) }
  }

  private static func hasElement(_ outline: JSONOutline) -> Bool {
    outline.members.first?.batches.contains { $0.count > 0 } ?? false
  }

  private static func head(
    _ tree: any SourceTree, _ file: SourceFile, _ count: Int
  ) -> [UInt8]? {
    var head = [UInt8](repeating: 0, count: min(count, max(0, file.size)))
    guard let filled = try? SourceContent.readHead(tree, file.path, into: &head) else { return nil }
    head.removeLast(head.count - filled)
    return head
  }

  private static func value(_ bytes: some Sequence<UInt8>) -> JSONValue? {
    var reading = JSONReading()
    reading.takesNotFinite = true
    return try? JSONValue(parsing: Array(bytes), reading)
  }

  /// True if the file has more members than ``names`` shows.
  var isCut: Bool { outline.problem?.isTruncation == true && head.count < file.size }

  /// The names of all members of the object, from a scan of the whole file; those of the beginning
  /// if the file is broken or too large.
  var allNames: [String] { allMembers.members.map(\.name) }

  private var allMembers: JSONOutline {
    guard isCut, file.size <= Self.scanLimit,
      let whole = try? JSONOutline(tree, file.path, textLimit: Self.scanLimit)
    else { return outline }
    return whole
  }

  /// A member of the object, if the beginning holds all of it.
  func value(_ name: String) -> JSONValue? {
    guard let member = outline[name], member.bytes.upperBound <= head.count,
      member.bytes.count > 0, outline.problem == nil || outline.members.last?.name != name
    else { return nil }
    return Self.value(head[member.bytes])
  }

  /// A member of the object wherever it is; `nil` if it is missing or large.
  func distantValue(_ name: String) -> JSONValue? {
    if let value = value(name) { return value }
    guard let member = allMembers[name], member.bytes.count <= Self.memberLimit,
      member.bytes.upperBound <= file.size, member.bytes.count > 0
    else { return nil }
    let bytes = try? JSONElement.bytes(of: member.bytes, in: file.path, tree)
    return bytes.flatMap { Self.value($0) }
  }

  /// The first member of an object that the beginning does not hold completely: the value of the
  /// first member in it. `nil` if the value cannot be read.
  func firstMember(below path: [String]) -> (name: String, value: JSONValue)? {
    var place = head.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    if let name = path.first {
      guard let member = outline[name], member.bytes.lowerBound < head.count else { return nil }
      place = member.bytes.lowerBound
    }
    // The first member of a cut object: everything behind it is replaced by the end.
    var end = place
    var depth = 0
    var isText = false
    var isEscaped = false
    while end < head.count {
      let byte = head[end]
      end += 1
      if isText {
        if isEscaped {
          isEscaped = false
        } else if byte == 0x5C {
          isEscaped = true
        } else if byte
          == 0x22
        {
          isText = false
        }
        continue
      }
      if byte == 0x22 { isText = true }
      if byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") { depth += 1 }
      if byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]") { depth -= 1 }
      if depth == 1, byte == UInt8(ascii: "}") { break }
      if depth <= 0, end > place + 1 { return nil }
    }
    guard depth == 1,
      let object = Self.value(head[place..<end] + [UInt8(ascii: "}")]),
      let member = object.members?.last
    else { return nil }
    return (member.name, member.value)
  }
}
