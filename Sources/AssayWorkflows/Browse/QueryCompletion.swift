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
    let dataset = selection.dataset
    let runs = try catalog.runs().filter { $0.dataset.id == dataset.id }
    let last = words.last ?? ""
    let previous = words.dropLast().last ?? ""
    switch (previous, last) {
    case ("count", "("), ("coverage", "("):
      return list(try catalog.taxonomy(of: dataset.id).names, "class")
    case ("run", "("): return list(runs.map(\.name), "run")
    case ("similarity", "("):
      return list(
        try runs.filter { try catalog.embeddingSize(of: $0.id) != nil }.map(\.name), "run")
    case ("part", "("): return list(try catalog.partitions(of: dataset.id).map(\.name), "partition")
    case (")", "."):
      let name = words.lastIndex(of: "run").flatMap { words.dropFirst($0 + 2).first } ?? ""
      guard let run = runs.first(where: { $0.name == name }) else { return [] }
      return
        (QueryWords.runFields(of: run.task)
        + (run.task.output == .objects ? ["objects("] : []))
        .map { Item(text: $0, detail: "field of \(name)") }
    default: break
    }
    if let condition = Self.openObjects(of: words) {
      let isStart = ["(", "and", "or", "not"].contains(last)
      if ["=", "!="].contains(last), condition.field == "class" {
        let names =
          try condition.run.flatMap { name in runs.first { $0.name == name } }?.classes
          ?? catalog.taxonomy(of: dataset.id).names
        return list(names, "class")
      }
      if condition.isLabels {
        return isStart ? [Item(text: "class", detail: "of labels")] : []
      }
      if ["=", "!="].contains(last), condition.field == "shape" {
        return list(QueryWords.objectShapes, "kind of object")
      }
      if isStart { return QueryWords.objectFields.map { Item(text: $0, detail: "of objects") } }
      return []
    }
    if let arguments = Self.openArguments(of: words) {
      guard let last = arguments.words.last, arguments.words.count > 1 else { return [] }
      switch (arguments.field, last) {
      case ("count", ","): return [Item(text: "crowd", detail: "")]
      case ("run", ","):
        return ["class: ", "iou: ", "score: "].map { Item(text: $0, detail: "of detections") }
      case ("run", ":") where arguments.words.dropLast().last == "class":
        return list(try catalog.taxonomy(of: dataset.id).names, "class")
      default: return []
      }
    }
    if let field = Self.field(beforeOperatorIn: words) {
      return try values(of: field, words, selection, runs, catalog)
    }
    if words.isEmpty || ["and", "or", "not", "("].contains(last) {
      return QueryWords.fields.map { Item(text: $0, detail: "field") }
        + [Item(text: "not ", detail: "operator")]
    }
    if let field = Self.field(endOf: words[...]),
      words.count == field.length || startsTerm(words, field)
    {
      return ["= ", "!= ", "< ", "<= ", "> ", ">= ", "in ", "like "].map {
        Item(text: $0, detail: "operator")
      }
    }
    return ["and ", "or "].map { Item(text: $0, detail: "operator") }
  }

  /// Each name once, as an expression spells it.
  private static func list(_ names: [String], _ detail: String) -> [Item] {
    var seen: Set<String> = []
    return names.filter { seen.insert($0).inserted }.map {
      Item(text: QueryWords.spelled($0), detail: detail)
    }
  }

  /// A field in a list of words: its first word, or of a run's field the last one; and the number of its words.
  private typealias Field = (name: String, length: Int)

  /// The field that words end with: `label`, `count ( person )`, `run ( r1 ) . iou`; `nil` for others.
  private static func field(endOf words: ArraySlice<String>) -> Field? {
    guard let last = words.last else { return nil }
    if last == ")", let open = words.lastIndex(of: "("), open > words.startIndex {
      let name = words[open - 1]
      return ["count", "coverage", "part", "similarity"].contains(name)
        ? (name, words.endIndex - open + 1) : nil
    }
    if words.dropLast().last == ".", words.dropLast(2).last == ")",
      let open = words.lastIndex(of: "("), open > words.startIndex, words[open - 1] == "run"
    {
      return (last, words.endIndex - open + 1)
    }
    return QueryWords.fields.contains(last) ? (last, 1) : nil
  }

  /// Returns whether a field at the end of words begins a term, so that it is no value of another field.
  private static func startsTerm(_ words: [String], _ field: Field) -> Bool {
    ["and", "or", "not", "("].contains(words[words.count - field.length - 1])
  }

  /// The `objects(…)` or `labels(…)` that is not closed at the end of words: its run and the word before an operator
  /// at the end; `nil` if there is none.
  private static func openObjects(
    of words: [String]
  ) -> (run: String?, field: String?, isLabels: Bool)? {
    guard let start = words.lastIndex(where: { $0 == "objects" || $0 == "labels" }),
      words.dropFirst(start + 1).first == "("
    else { return nil }
    let inside = words[(start + 1)...]
    guard inside.count(where: { $0 == "(" }) > inside.count(where: { $0 == ")" }) else {
      return nil
    }
    let run =
      start >= 5 && words[start - 1] == "." && words[start - 4] == "("
        && words[start - 5] == "run" ? words[start - 3] : nil
    return (run, inside.count >= 3 ? words[words.endIndex - 2] : nil, words[start] == "labels")
  }

  /// The field whose arguments are not closed at the end of words, and the words of these; `nil` if there is none.
  private static func openArguments(
    of words: [String]
  ) -> (field: String, words: ArraySlice<String>)? {
    guard let open = words.lastIndex(of: "("), open > 0, !words[open...].contains(")"),
      QueryWords.fields.contains(words[open - 1] + "(") || words[open - 1] == "part"
    else { return nil }
    return (words[open - 1], words[(open + 1)...])
  }

  /// The field before an operator at the end of the words, or before a list that is still open; `nil` if there is none.
  private static func field(beforeOperatorIn words: [String]) -> String? {
    var words = words[...]
    if let open = words.lastIndex(of: "in"), words.dropFirst(open + 1).first == "(",
      !words.dropFirst(open + 1).contains(")"), ["(", ","].contains(words.last ?? "")
    {
      words = words[...open]
    }
    guard let last = words.last, ["=", "!=", "in"].contains(last) else { return nil }
    return field(endOf: words.dropLast())?.name
  }

  private static func values(
    of field: String, _ words: [String], _ selection: Selection, _ runs: [RunRecord],
    _ catalog: Catalog
  ) throws -> [Item] {
    let dataset = selection.dataset
    switch field {
    case "label": return list(try catalog.taxonomy(of: dataset.id).names, "class")
    case "split": return list(try catalog.splitCounts(of: dataset.id).compactMap(\.split), "split")
    case "part":
      return list(
        try catalog.partitions(of: dataset.id).flatMap { $0.parts.map(\.part) }, "part")
    case "issue": return list(try catalog.issueTraits(of: dataset).names.sorted(), "kind of issue")
    case "tag": return list(try catalog.tagTraits(of: dataset).names.sorted(), "tag")
    case "correct", "accepted": return list(["true", "false"], "")
    default:
      return ViewExpression.ReviewMark(rawValue: field) == nil ? [] : list(["true", "false"], "")
    }
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
