import AssayCore
import Yams

/// A fault and the line it is on.
struct LocatedManifestFault: Error {
  let line: Int?
  let fault: ManifestFault
}

/// One mapping of a manifest, with typed access that reports what is wrong and where.
struct ManifestSection {
  private let pairs: [(key: String, value: Node)]
  private let line: Int?

  /// Parses a whole text.
  ///
  /// - Parameter title: what it is, for messages.
  init(yaml text: String, title: String = "the manifest") throws(LocatedManifestFault) {
    try Self.checkShape(text)
    if let (line, open) = Self.openPoint(text) {
      throw LocatedManifestFault(line: line, fault: .open(open))
    }
    let root: Node?
    do {
      root = try Yams.compose(yaml: text)
    } catch let error as YamlError {
      throw Self.complaint(error)
    } catch {
      throw LocatedManifestFault(line: nil, fault: .syntax("\(error)"))
    }
    guard let root else {
      throw LocatedManifestFault(line: nil, fault: .syntax("it is empty"))
    }
    try self.init(root, key: title)
  }

  private init(_ pairs: [(key: String, value: Node)], line: Int?) {
    self.pairs = pairs
    self.line = line
  }

  /// The section with values for keys that it does not have, as texts or lists of texts.
  func filled(from values: [String: [String]]) -> ManifestSection {
    let more = values.filter { !has($0.key) }.sorted { $0.key < $1.key }.map { key, texts in
      let nodes = texts.map { Node.scalar(Node.Scalar($0)) }
      return (key: key, value: nodes.count == 1 ? nodes[0] : Node.sequence(Node.Sequence(nodes)))
    }
    return ManifestSection(pairs + more, line: line)
  }

  private init(_ node: Node, key: String) throws(LocatedManifestFault) {
    line = node.mark?.line
    guard case .mapping(let mapping) = node else {
      throw LocatedManifestFault(
        line: line, fault: .expected(key: key, "a map", found: Self.kind(of: node)))
    }
    var pairs: [(key: String, value: Node)] = []
    var seen: Set<String> = []
    for (key, value) in mapping {
      guard case .scalar(let name) = key else {
        throw LocatedManifestFault(
          line: key.mark?.line, fault: .expected(key: "a key", "a text", found: Self.kind(of: key)))
      }
      guard seen.insert(name.string).inserted else {
        throw LocatedManifestFault(line: key.mark?.line, fault: .repeatedKey(name.string))
      }
      pairs.append((name.string, value))
    }
    self.pairs = pairs
  }

  /// An error about the value of `key`.
  func complaint(_ key: String, _ fault: ManifestFault) -> LocatedManifestFault {
    LocatedManifestFault(line: value(key)?.mark?.line ?? line, fault: fault)
  }

  /// Rejects every key except these.
  func allow(_ known: [String]) throws(LocatedManifestFault) {
    for (key, value) in pairs where !known.contains(key) {
      throw LocatedManifestFault(
        line: value.mark?.line,
        fault: .unknownKey(
          key, suggestion: NearMiss.suggestion(for: key, among: known), known: known))
    }
  }

  /// The keys, in the text's order.
  var keys: [String] { pairs.map(\.key) }

  func has(_ key: String) -> Bool { value(key) != nil }

  func isMap(_ key: String) -> Bool {
    if case .mapping = value(key) { return true }
    return false
  }

  func isList(_ key: String) -> Bool {
    if case .sequence = value(key) { return true }
    return false
  }

  /// The section under `key`.
  func section(_ key: String, example: String) throws(LocatedManifestFault) -> ManifestSection {
    guard let value = value(key) else {
      throw complaint(key, .missing(key: key, example: example))
    }
    return try ManifestSection(value, key: key)
  }

  /// The sections of a list of at least one.
  func sections(
    _ key: String, limit: Int, example: String
  ) throws(LocatedManifestFault) -> [ManifestSection] {
    guard let value = value(key) else {
      throw complaint(key, .missing(key: key, example: example))
    }
    guard case .sequence(let sequence) = value, (1...limit).contains(sequence.count) else {
      throw complaint(
        key, .expected(key: key, "a list of 1 to \(limit) maps", found: Self.kind(of: value)))
    }
    var result: [ManifestSection] = []
    for node in sequence { result.append(try ManifestSection(node, key: "one of \(key)")) }
    return result
  }

  /// All keys with their texts.
  func texts() throws(LocatedManifestFault) -> [(String, String)] {
    var result: [(String, String)] = []
    for (key, value) in pairs { result.append((key, try text(of: value, key: key))) }
    return result
  }

  /// The text under `key`; `nil` if there is none.
  func text(_ key: String) throws(LocatedManifestFault) -> String? {
    guard let value = value(key) else { return nil }
    return try text(of: value, key: key)
  }

  /// One of an enum's spellings, case-insensitive; `fallback` if an optional key is missing.
  func choice<Choice: RawRepresentable & CaseIterable>(
    _ key: String, of type: Choice.Type, or fallback: Choice?
  ) throws(LocatedManifestFault) -> Choice where Choice.RawValue == String {
    let known = Choice.allCases.map(\.rawValue)
    guard let text = try text(key) else {
      if let fallback { return fallback }
      throw complaint(
        key, .missing(key: key, example: "\(key): \(known.joined(separator: " or "))"))
    }
    guard
      let match = Choice.allCases.first(where: { $0.rawValue.lowercased() == text.lowercased() })
    else {
      let near = NearMiss.suggestion(for: text, among: known)
      throw complaint(key, .notAmong(key: key, value: text, known: known, suggestion: near))
    }
    return match
  }

  /// A whole number.
  func count(_ key: String, in limits: ClosedRange<Int> = 1...65_536) throws(LocatedManifestFault)
    -> Int
  {
    let range = "a whole number from \(limits.lowerBound) to \(limits.upperBound)"
    if let value = value(key), isList(key) || isMap(key) {
      throw complaint(key, .expected(key: key, range, found: Self.kind(of: value)))
    }
    guard let text = try text(key) else {
      throw complaint(key, .missing(key: key, example: "\(key): \(min(64, limits.upperBound))"))
    }
    guard let value = Int(text), limits.contains(value) else {
      throw complaint(key, .outOfRange(key: key, value: text, range: range))
    }
    return value
  }

  /// A list of 1 to `limit` distinct whole numbers.
  func counts(
    _ key: String, limit: Int, in range: ClosedRange<Int> = 1...65_536
  ) throws(LocatedManifestFault) -> [Int] {
    let texts = try names(key, limit: limit)
    var result: [Int] = []
    for text in texts {
      guard let value = Int(text), range.contains(value), !result.contains(value) else {
        throw complaint(
          key,
          .outOfRange(
            key: key, value: "[\(texts.joined(separator: ", "))]",
            range: "whole numbers from \(range.lowerBound) to \(range.upperBound), none twice"))
      }
      result.append(value)
    }
    return result
  }

  /// One number for all channels, or a list with one per channel; a number can be a fraction,
  /// `1/255`.
  func numbers(_ key: String, channels: Int) throws(LocatedManifestFault) -> [Double] {
    guard let value = value(key) else {
      let examples = ["scale": "1/255", "mean": "0.5", "std": "0.5"]
      let example = "\(key): \(examples[key] ?? "0")"
      throw complaint(key, .missing(key: key, example: example))
    }
    guard case .sequence(let sequence) = value else { return [try number(value, key: key)] }
    guard sequence.count == channels || sequence.count == 1 else {
      throw complaint(
        key, .channelCount(key: key, found: sequence.count, channels: channels))
    }
    var result: [Double] = []
    for node in sequence { result.append(try number(node, key: key)) }
    return result
  }

  /// One number, or a list of them.
  ///
  /// - Parameters:
  ///   - counts: the valid numbers of values.
  ///   - meaning: the values in words.
  func numberList(
    _ key: String, counts: [Int], meaning: String
  ) throws(LocatedManifestFault) -> [Double] {
    guard case .sequence(let sequence) = value(key) else { return try numbers(key, channels: 1) }
    guard counts.contains(sequence.count) else {
      throw complaint(key, .expected(key: key, meaning, found: "a list of \(sequence.count)"))
    }
    var result: [Double] = []
    for node in sequence { result.append(try number(node, key: key)) }
    return result
  }

  /// A list of lists of numbers.
  func numberLists(_ key: String, example: String) throws(LocatedManifestFault) -> [[Double]] {
    guard let value = value(key) else {
      throw complaint(key, .missing(key: key, example: example))
    }
    guard case .sequence(let lists) = value else {
      throw complaint(key, .expected(key: key, "a list of lists", found: Self.kind(of: value)))
    }
    var result: [[Double]] = []
    for list in lists {
      guard case .sequence(let numbers) = list else {
        throw complaint(key, .expected(key: key, "a list of lists", found: Self.kind(of: list)))
      }
      var found: [Double] = []
      for node in numbers { found.append(try number(node, key: key)) }
      result.append(found)
    }
    return result
  }

  /// A list of at least one name.
  func names(_ key: String, limit: Int) throws(LocatedManifestFault) -> [String] {
    guard let value = value(key) else {
      throw complaint(key, .missing(key: key, example: "\(key): [cat, dog]"))
    }
    guard case .sequence(let sequence) = value, !sequence.isEmpty else {
      throw complaint(key, .expected(key: key, "a list of names", found: Self.kind(of: value)))
    }
    guard sequence.count <= limit else {
      throw complaint(key, .tooManyClasses(sequence.count, limit: limit))
    }
    var result: [String] = []
    result.reserveCapacity(sequence.count)
    for node in sequence { result.append(try text(of: node, key: key)) }
    return result
  }

  private func value(_ key: String) -> Node? { pairs.first { $0.key == key }?.value }

  private func text(of node: Node, key: String) throws(LocatedManifestFault) -> String {
    guard case .scalar(let scalar) = node else {
      throw LocatedManifestFault(
        line: node.mark?.line, fault: .expected(key: key, "a text", found: Self.kind(of: node)))
    }
    let text = scalar.string
    guard !text.isEmpty, text.utf8.count <= 10_000 else {
      throw LocatedManifestFault(
        line: node.mark?.line,
        fault: .expected(
          key: key, "a text", found: text.isEmpty ? "empty" : "longer than 10,000 bytes"))
    }
    return text
  }

  private func number(_ node: Node, key: String) throws(LocatedManifestFault) -> Double {
    try number(try text(of: node, key: key), key: key)
  }

  /// A number or a fraction, `1/255`, that belongs to `key`.
  func number(_ text: String, key: String) throws(LocatedManifestFault) -> Double {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
      .map { Double($0.filter { $0 != " " }) }
    let value: Double? =
      switch parts.count {
      case 1: parts[0]
      case 2: parts[0].flatMap { above in parts[1].map { above / $0 } }
      default: nil
      }
    guard let value, abs(value) <= 1e9 else {
      throw complaint(
        key, .expected(key: key, "a number or a fraction such as 1/255", found: "“\(text)”"))
    }
    return value
  }

  private static func kind(of node: Node) -> String {
    switch node {
    case .scalar(let scalar):
      scalar.string.isEmpty ? "empty" : "the text “\(scalar.string.prefix(40))”"
    case .mapping: "a map"
    case .sequence(let sequence): sequence.isEmpty ? "an empty list" : "a list"
    case .alias: "an alias"
    }
  }
}

extension ManifestSection {
  /// The markers of lines that a person must fill in; earlier drafts have the second one.
  static let openMarks = ["# TODO", "# ?"]

  /// The first line of a draft that is still marked, without its marker.
  ///
  /// A line that is only a comment is marked if it starts with the marker; a comment that only
  /// mentions the marker, such as the header of a draft, is not.
  static func openPoint(_ text: String) -> (line: Int, text: String)? {
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    for (index, line) in lines.enumerated() {
      guard let mark = openMarks.lazy.compactMap({ line.firstRange(of: $0) }).first else {
        continue
      }
      let point = line[..<mark.lowerBound].trimmingPrefix(while: \.isWhitespace)
      if point.hasPrefix("#") { continue }
      let remark = line[mark.upperBound...].trimmingPrefix { $0 == ":" || $0.isWhitespace }
      return (
        index + 1, String((point.isEmpty ? remark : point).prefix(80)).trimmingTrailingBlanks
      )
    }
    return nil
  }

  /// Rejects text that makes the parser recurse or expand without end: deep nesting, and anchors, a
  /// few lines of which can represent billions of nodes. Quoted text is not excluded, which does
  /// not matter for manifests.
  static func checkShape(_ text: String) throws(LocatedManifestFault) {
    guard let (line, problem) = YAMLShape.problem(in: text) else { return }
    switch problem {
    case .anchor: throw LocatedManifestFault(line: line, fault: .anchor)
    case .tooDeep:
      throw LocatedManifestFault(line: line, fault: .tooDeep(limit: YAMLShape.depthLimit))
    }
  }

  /// The parser's error, with its line if known.
  static func complaint(_ error: YamlError) -> LocatedManifestFault {
    switch error {
    case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
      .composer(_, let problem, let mark, _):
      LocatedManifestFault(line: mark.line, fault: .syntax(problem))
    case .duplicatedKeysInMapping(let duplicates, let context):
      LocatedManifestFault(line: context.mark.line, fault: .repeatedKey(duplicates.first ?? "?"))
    default:
      LocatedManifestFault(line: nil, fault: .syntax("\(error)"))
    }
  }
}

extension String {
  fileprivate var trimmingTrailingBlanks: String {
    var text = self
    while text.last?.isWhitespace == true { text.removeLast() }
    return text
  }
}
