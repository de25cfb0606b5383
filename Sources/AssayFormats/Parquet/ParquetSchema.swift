/// The columns of a Parquet file as a tree, with lists and structures as they are meant.
///
/// Source: Apache Parquet, `parquet.thrift` and "Logical Types" (with the rules for older lists).
struct ParquetSchema: Sendable {
  /// The physical types.
  enum Physical: Int, Sendable {
    case boolean = 0
    case int32, int64, int96, float, double, byteArray, fixedBytes
  }

  /// The meaning of a leaf's values.
  enum Meaning: Hashable, Sendable {
    case plain
    case text
    case unsigned
    case half
    /// A meaning that is not read, by its name.
    case other(String)
  }

  /// A column with values.
  struct Leaf: Sendable {
    /// The names from the top.
    var path: [String]
    var physical: Physical
    /// The length of ``Physical/fixedBytes``.
    var length: Int
    var meaning: Meaning
    /// The definition level of a value that is there, and the repetition level of the innermost list.
    var maxDefinition: UInt8
    var maxRepetition: UInt8

    /// The names with dots between them.
    var name: String { path.joined(separator: ".") }
  }

  /// A column, a structure or a list.
  indirect enum Content: Sendable {
    case leaf(Int)
    case group([Node])
    /// The repetition level of the list, the definition level of one with elements, and the element.
    case list(repetition: UInt8, definition: UInt8, Node)
  }

  struct Node: Sendable {
    var name: String
    /// The definition level from which the node is not null.
    var definition: UInt8
    var content: Content

    /// The indices of the leaves below.
    var leaves: [Int] {
      switch content {
      case .leaf(let leaf): [leaf]
      case .group(let nodes): nodes.flatMap(\.leaves)
      case .list(_, _, let element): element.leaves
      }
    }

    /// The members of a structure; empty for anything else.
    var members: [Node] { if case .group(let nodes) = content { nodes } else { [] } }
    /// The element of a list; `nil` for anything else.
    var element: Node? { if case .list(_, _, let node) = content { node } else { nil } }
  }

  private(set) var leaves: [Leaf] = []
  /// The columns at the top.
  private(set) var columns: [Node] = []

  /// One entry of the footer's list.
  struct Element {
    var name = ""
    var physical: Int?
    var length = 0
    /// 0 required, 1 optional, 2 repeated.
    var repetition = 0
    var children = 0
    var converted: Int?
    var logical: Int?
    var isSigned = true

    var isList: Bool { converted == 3 || logical == 3 }

    init(_ reader: inout ThriftReader) throws {
      var element = (
        name: "", physical: Int?.none, length: 0, repetition: 0, children: 0,
        converted: Int?.none, logical: Int?.none, isSigned: true
      )
      try reader.fields { reader, id, kind in
        switch id {
        case 1: element.physical = try reader.count(kind, upTo: 255)
        case 2: element.length = try reader.count(kind, upTo: ParquetLimits.page)
        case 3: element.repetition = try reader.count(kind, upTo: 2)
        case 4: element.name = try reader.text(kind)
        case 5: element.children = try reader.count(kind, upTo: ParquetLimits.columns)
        case 6: element.converted = try reader.count(kind, upTo: 255)
        case 10:
          try reader.fields { reader, id, kind in
            element.logical = id
            guard id == 10, kind == .structure else { return try reader.skip(kind) }
            try reader.fields { reader, id, kind in
              if id == 2 { element.isSigned = try reader.flag(kind) } else { try reader.skip(kind) }
            }
          }
        default: try reader.skip(kind)
        }
      }
      (name, physical, length, repetition) =
        (element.name, element.physical, element.length, element.repetition)
      (children, converted, logical, isSigned) =
        (element.children, element.converted, element.logical, element.isSigned)
    }

    var meaning: Meaning {
      switch (converted ?? -1, logical ?? -1) {
      case (0, _), (4, _), (19, _), (_, 1), (_, 4), (_, 12): .text
      case (11...14, _): .unsigned
      case (_, 10): isSigned ? .plain : .unsigned
      case (_, 15): .half
      case (5, _), (_, 5): .other("DECIMAL")
      case (6, _), (_, 6): .other("DATE")
      case (7...8, _), (_, 7): .other("TIME")
      case (9...10, _), (_, 8): .other("TIMESTAMP")
      case (21, _): .other("INTERVAL")
      case (20, _), (_, 13): .other("BSON")
      case (_, 14): .other("UUID")
      default: .plain
      }
    }
  }

  /// - Parameter elements: the footer's list, the root first.
  init(_ elements: [Element]) throws {
    guard let root = elements.first else {
      throw ParquetProblem.damaged("its footer has no columns")
    }
    var place = 1
    for _ in 0..<root.children {
      columns.append(try node(elements, &place, path: [], definition: 0, repetition: 0))
    }
    guard place == elements.count else {
      throw ParquetProblem.damaged("the tree of its columns does not fit together")
    }
    let names = Set(columns.map(\.name))
    guard names.count == columns.count else {
      throw ParquetProblem("two columns have the same name")
    }
  }

  private mutating func node(
    _ elements: [Element], _ place: inout Int, path: [String], definition: UInt8,
    repetition: UInt8, isRepeated: Bool = false
  ) throws -> Node {
    guard place < elements.count, path.count < ParquetLimits.depth else {
      throw ParquetProblem.damaged("the tree of its columns does not fit together")
    }
    let element = elements[place]
    let path = path + [element.name]
    // A repeated field outside of a LIST is a list of required elements.
    if element.repetition == 2, !isRepeated {
      let inner = try node(
        elements, &place, path: Array(path.dropLast()), definition: definition + 1,
        repetition: repetition + 1, isRepeated: true)
      return Node(
        name: element.name, definition: definition,
        content: .list(repetition: repetition + 1, definition: definition + 1, inner))
    }
    place += 1
    let own = definition + (element.repetition == 1 ? 1 : 0)
    guard element.children > 0 else {
      return Node(
        name: element.name, definition: own,
        content: .leaf(try leaf(element, path, own, repetition)))
    }
    if element.isList, element.children == 1, place < elements.count,
      elements[place].repetition == 2
    {
      let item = try listElement(
        elements, &place, path: path, list: element.name, definition: own + 1,
        repetition: repetition + 1)
      return Node(
        name: element.name, definition: own,
        content: .list(repetition: repetition + 1, definition: own + 1, item))
    }
    var nodes: [Node] = []
    for _ in 0..<element.children {
      nodes.append(
        try node(elements, &place, path: path, definition: own, repetition: repetition))
    }
    return Node(name: element.name, definition: own, content: .group(nodes))
  }

  /// The element of a LIST whose repeated field is next.
  private mutating func listElement(
    _ elements: [Element], _ place: inout Int, path: [String], list: String, definition: UInt8,
    repetition: UInt8
  ) throws -> Node {
    let repeated = elements[place]
    let isElement =
      repeated.children != 1 || repeated.name == "array" || repeated.name == list + "_tuple"
    guard !isElement else {
      return try node(
        elements, &place, path: path, definition: definition, repetition: repetition,
        isRepeated: true)
    }
    place += 1
    return try node(
      elements, &place, path: path + [repeated.name], definition: definition,
      repetition: repetition)
  }

  private mutating func leaf(
    _ element: Element, _ path: [String], _ definition: UInt8, _ repetition: UInt8
  ) throws -> Int {
    guard let physical = element.physical.flatMap(Physical.init) else {
      throw ParquetProblem(
        "the column \(path.joined(separator: ".")) has no type that is read")
    }
    guard physical != .fixedBytes || element.length > 0 else {
      throw ParquetProblem.damaged("the column \(path.joined(separator: ".")) has no length")
    }
    leaves.append(
      Leaf(
        path: path, physical: physical, length: element.length, meaning: element.meaning,
        maxDefinition: definition, maxRepetition: repetition))
    return leaves.count - 1
  }

  /// The node at a path with dots; lists on the way are passed through.
  func node(at path: String) -> Node? {
    if let column = columns.first(where: { $0.name == path }) { return column }
    var nodes = columns
    var found: Node?
    for name in path.split(separator: ".") {
      guard let next = nodes.first(where: { $0.name == name }) else { return nil }
      found = next
      var inner = next
      while let element = inner.element { inner = element }
      nodes = inner.members
    }
    return found
  }
}

extension ParquetSchema.Node {
  /// True if all values below can be read as JSON values.
  func isReadable(in file: ParquetFile) -> Bool {
    leaves.allSatisfy { leaf in
      let leaf = file.schema.leaves[leaf]
      if case .other = leaf.meaning { return false }
      let isBinary = leaf.physical == .byteArray || leaf.physical == .fixedBytes
      return leaf.physical != .int96 && !(isBinary && leaf.meaning == .plain)
    }
  }
}
