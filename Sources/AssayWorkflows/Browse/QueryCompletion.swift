package import AssayCore
package import AssayStore

/// The ways to continue an expression of the view language at a place.
package struct QueryCompletion: Sendable {
  /// A text that can be inserted.
  package struct Item: Hashable, Sendable {
    package var text: String
    /// The kind of thing that it is: a field, a class, a run.
    package var detail: String
  }

  package var items: [Item]
  /// The characters that the text of an item replaces.
  package var range: Range<Int>

  /// The maximum number of items.
  private static let limit = 50

  /// - Parameters:
  ///   - text: the whole expression.
  ///   - place: the number of characters before the cursor.
  /// - Throws: `StoreError`.
  package init(
    of text: String, at place: Int, in selection: Selection, _ catalog: Catalog
  ) throws {
    let characters = Array(text)
    let end = min(max(place, 0), characters.count)
    var start = end
    while start > 0, Self.isWord(characters[start - 1]) { start -= 1 }
    if start > 0, ["\"", "'"].contains(characters[start - 1]),
      characters[..<start].filter({ $0 == characters[start - 1] }).count % 2 == 1
    {
      start -= 1
    }
    let typed = String(characters[start..<end]).drop { $0 == "\"" || $0 == "'" }.lowercased()
    let before = String(characters[..<start])
    let candidates = try Self.candidates(after: before, in: selection, catalog)
    items = Array(
      candidates.filter { item in
        let name = item.text.drop { $0 == "\"" || $0 == "'" }.lowercased()
        return typed.isEmpty || name.hasPrefix(typed)
          || name.contains(typed) && typed.count > 1
      }.prefix(Self.limit))
    range = start..<end
  }

  private static func isWord(_ character: Character) -> Bool {
    character.isLetter || character.isNumber || character == "_"
  }

  /// The items that can follow a text.
  private static func candidates(
    after text: String, in selection: Selection, _ catalog: Catalog
  ) throws -> [Item] {
    let words = tokens(text)
    func list(_ names: [String], _ detail: String) -> [Item] {
      names.map { Item(text: QueryWords.spelled($0), detail: detail) }
    }
    let dataset = selection.dataset
    let classes = try catalog.taxonomy(of: dataset.id).names
    let runs = try catalog.runs().filter { $0.dataset.id == dataset.id }
    let last = words.last ?? ""
    let previous = words.dropLast().last ?? ""
    switch (previous, last) {
    case ("count", "("), ("coverage", "("): return list(classes, "class")
    case ("run", "("): return list(runs.map(\.name), "run")
    case ("part", "("): return list(try catalog.partitions(of: dataset.id).map(\.name), "partition")
    case (")", "."):
      let name = words.lastIndex(of: "run").flatMap { words.dropFirst($0 + 2).first } ?? ""
      guard let run = runs.first(where: { $0.name == name }) else { return [] }
      return QueryWords.runFields(of: run.task).map { Item(text: $0, detail: "field of \(name)") }
    default: break
    }
    if let subject = subject(before: words) {
      return try values(of: subject, words, selection, classes, runs, catalog)
    }
    if words.isEmpty || ["and", "or", "not", "("].contains(last) {
      return QueryWords.fields.map { Item(text: $0, detail: "field") }
        + [Item(text: "not ", detail: "operator")]
    }
    if isSubjectEnd(words) {
      return ["= ", "!= ", "< ", "<= ", "> ", ">= ", "in "].map {
        Item(text: $0, detail: "operator")
      }
    }
    return ["and ", "or "].map { Item(text: $0, detail: "operator") }
  }

  /// The field before an operator at the end of the words; `nil` if they do not end in one.
  private static func subject(before words: [String]) -> String? {
    var words = words[...]
    if let open = words.lastIndex(of: "in"), words.dropFirst(open + 1).first == "(",
      !words.dropFirst(open + 1).contains(")"), ["(", ","].contains(words.last ?? "")
    {
      words = words[..<(open + 1)]
    }
    guard let last = words.last, ["=", "!=", "in"].contains(last) else { return nil }
    return words.dropLast().last
  }

  private static func values(
    of subject: String, _ words: [String], _ selection: Selection, _ classes: [String],
    _ runs: [RunRecord], _ catalog: Catalog
  ) throws -> [Item] {
    func list(_ names: [String], _ detail: String) -> [Item] {
      names.map { Item(text: QueryWords.spelled($0), detail: detail) }
    }
    let dataset = selection.dataset
    switch subject {
    case "label": return list(classes, "class")
    case "split":
      var seen: Set<String> = []
      return list(
        try catalog.splitCounts(of: dataset.id).compactMap(\.split)
          .filter { seen.insert($0).inserted }, "split")
    case "part": return list(try parts(of: dataset, catalog), "part")
    case "issue":
      return list(
        try catalog.issueTraits(of: dataset).names.sorted(), "kind of issue")
    case "correct": return list(["true", "false"], "")
    case ")" where words.contains("part"): return list(try parts(of: dataset, catalog), "part")
    default:
      return ViewExpression.ReviewMark(rawValue: subject) == nil ? [] : list(["true", "false"], "")
    }
  }

  private static func parts(of dataset: DatasetRecord, _ catalog: Catalog) throws -> [String] {
    var seen: Set<String> = []
    return try catalog.partitions(of: dataset.id).flatMap { $0.parts.map(\.part) }
      .filter { seen.insert($0).inserted }
  }

  /// Returns whether the words end with a complete field, which an operator follows.
  private static func isSubjectEnd(_ words: [String]) -> Bool {
    guard let last = words.last else { return false }
    let before = words.dropLast().last ?? ""
    let starts = ["", "and", "or", "not", "("]
    if last == ")" {
      guard let open = words.lastIndex(of: "("), open > 0 else { return false }
      return ["count", "coverage", "part"].contains(words[open - 1])
        && starts.contains(open > 1 ? words[open - 2] : "")
    }
    if before == "." { return true }
    return starts.contains(before) && QueryWords.fields.contains(last)
  }

  /// The words, names without their quotation marks, and signs of a text; what is not closed is left out.
  private static func tokens(_ text: String) -> [String] {
    var tokens: [String] = []
    let characters = Array(text)
    var place = 0
    while place < characters.count {
      let character = characters[place]
      if character.isWhitespace {
        place += 1
      } else if isWord(character) {
        let end = characters[place...].firstIndex { !isWord($0) } ?? characters.count
        tokens.append(String(characters[place..<end]))
        place = end
      } else if character == "\"" || character == "'" {
        guard let end = characters[(place + 1)...].firstIndex(of: character) else { return tokens }
        tokens.append(String(characters[(place + 1)..<end]))
        place = end + 1
      } else {
        var sign = String(character)
        if place + 1 < characters.count, characters[place + 1] == "=", "!<>".contains(character) {
          sign += "="
          place += 1
        }
        tokens.append(sign)
        place += 1
      }
    }
    return tokens
  }
}
