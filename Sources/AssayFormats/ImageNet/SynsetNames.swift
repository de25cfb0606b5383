import AssayCore

/// The synsets of a source: their order and their names, from its tables.
struct SynsetNames {
  /// The synsets in the order of the table; empty if there is none.
  private(set) var order: [String] = []
  private var names: [String: String] = [:]
  /// The table that gives the order.
  private(set) var file: String?
  /// The JSON files of names that are read.
  private(set) var read: [String] = []
  /// The tables without any synset: lists of other names, such as Datumaro's `synsets.txt`.
  private(set) var plain: [String] = []

  /// The names of tables that can have other names, one per line.
  private static let plainNames: Set<String> = ["synsets.txt", "synset_words.txt", "wnids.txt"]

  /// - Parameters:
  ///   - tables: the tables that give the order; the first one with synsets counts, and names of
  ///     the others are used if it has none.
  ///   - words: WordNet's names, also JSON files that can be others.
  /// - Throws: ``FormatError`` for an invalid table; any error that the tree throws.
  init(_ tree: any SourceTree, tables: [String], words: [String]) throws {
    for table in tables {
      var found: [(synset: String, name: String?)] = []
      if table.hasSuffix(ignoringCase: ".json") {
        found = try Self.index(tree, table)
      } else {
        try ImageList.forEachLine(tree, table) { line, _ in
          if let entry = Self.entry(line) { found.append(entry) }
        }
      }
      var known: Set<String> = []
      let synsets = found.map(\.synset).filter { known.insert($0).inserted }
      if synsets.isEmpty, Self.plainNames.contains(table.fileName.lowercased()) {
        plain.append(table)
      }
      if order.isEmpty, !synsets.isEmpty {
        order = synsets
        file = table
      }
      for (synset, name) in found where names[synset] == nil { names[synset] = name }
    }
    for file in words {
      if file.hasSuffix(ignoringCase: ".json") {
        let found = Self.words(tree, file)
        if !found.isEmpty { read.append(file) }
        names.merge(found) { first, _ in first }
        continue
      }
      try ImageList.forEachLine(tree, file) { line, _ in
        if let entry = Self.entry(line), names[entry.synset] == nil {
          names[entry.synset] = entry.name
        }
      }
    }
  }

  /// The name of a synset: the first of its words; `nil` if no table has it.
  func name(of synset: String) -> String? { names[synset] }

  /// A synset at the start of a line, and the first of the names after it.
  private static func entry(_ line: String) -> (synset: String, name: String?)? {
    let parts = line.split(maxSplits: 1) { $0 == " " || $0 == "\t" }
    guard let first = parts.first, ImageNetName.isSynset(first) else { return nil }
    return (String(first), parts.count > 1 ? name(parts[1]) : nil)
  }

  private static func name(_ words: Substring) -> String? {
    let name = LabelSeparator.trimmed(String(words.prefix { $0 != "," }))
    return name.isEmpty || name.utf8.count > LabelReader.nameLimit ? nil : name
  }

  /// The names of Kaggle's ImageNet-100: `{"n01440764": "tench, Tinca tinca", …}`; empty for another file.
  private static func words(_ tree: any SourceTree, _ path: String) -> [String: String] {
    guard let bytes = try? tree.readAll(path, limit: NameList.byteLimit),
      case .object(let members)? = try? JSONValue(parsing: String(decoding: bytes, as: UTF8.self)),
      members.allSatisfy({ ImageNetName.isSynset($0.name) && $0.value.text != nil })
    else { return [:] }
    let pairs = members.compactMap { member in
      member.value.text.flatMap { name($0[...]) }.map { (member.name, $0) }
    }
    return Dictionary(pairs, uniquingKeysWith: { first, _ in first })
  }

  /// Keras's table: `{"0": ["n01440764", "tench"], …}`.
  private static func index(
    _ tree: any SourceTree, _ path: String
  ) throws -> [(synset: String, name: String?)] {
    let bytes = try tree.readAll(path, limit: NameList.byteLimit)
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw FormatError.table(path, line: 1, problem: "bytes that are not UTF-8")
    }
    let value: JSONValue
    do throws(JSONError) {
      value = try JSONValue(parsing: text)
    } catch {
      throw FormatError.badJSON(path, offset: error.offset, problem: error.message)
    }
    guard case .object(let members) = value else { return [] }
    var found: [(number: Int, synset: String, name: String?)] = []
    for member in members {
      guard let number = Int(member.name), let pair = member.value.elements,
        let synset = pair.first?.text, ImageNetName.isSynset(synset)
      else { continue }
      found.append((number, synset, pair.dropFirst().first?.text.flatMap { name($0[...]) }))
    }
    found.sort { $0.number < $1.number }
    // The place in the order is the number of the class.
    guard found.enumerated().allSatisfy({ $0.offset == $0.element.number }) else {
      throw FormatError.table(
        path, line: 1, problem: "the numbers of the classes are not 0, 1, 2, …")
    }
    return found.map { ($0.synset, $0.name) }
  }
}
