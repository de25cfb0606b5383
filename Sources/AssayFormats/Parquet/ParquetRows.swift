import AssayCore

/// Reads some columns of one row group, row by row, as JSON values. One page of each leaf is held.
///
/// Texts become strings, numbers numbers, lists arrays, structures objects.
struct ParquetRows {
  /// A column with the places of its leaves in ``streams``.
  private indirect enum Content {
    case leaf
    case group([Plan])
    case list(repetition: UInt8, definition: UInt8, Plan)
  }

  private struct Plan {
    var name: String
    var definition: UInt8
    var streams: Range<Int>
    var content: Content
  }

  private let file: ParquetFile
  private var plans: [Plan] = []
  private var streams: [ParquetStream] = []
  /// The number of rows that follow.
  private(set) var remaining: Int

  /// - Parameters:
  ///   - columns: columns of the file, at the top of its tree or members of structures.
  ///   - group: the row group.
  /// - Throws: ``ParquetProblem``.
  init(_ file: ParquetFile, _ columns: [ParquetSchema.Node], group: Int) throws {
    self.file = file
    remaining = file.footer.groups[group].rows
    plans = try columns.map { try plan($0, group) }
  }

  private mutating func plan(_ node: ParquetSchema.Node, _ group: Int) throws -> Plan {
    let first = streams.count
    let content: Content
    switch node.content {
    case .leaf(let leaf):
      if case .other(let name) = file.schema.leaves[leaf].meaning {
        throw ParquetProblem(
          "the column \(file.schema.leaves[leaf].name) holds \(name), which is not read")
      }
      streams.append(ParquetStream(try ParquetChunk(file, leaf: leaf, group: group)))
      content = .leaf
    case .group(let nodes): content = .group(try nodes.map { try plan($0, group) })
    case .list(let repetition, let definition, let element):
      content = .list(
        repetition: repetition, definition: definition, try plan(element, group))
    }
    return Plan(
      name: node.name, definition: node.definition, streams: first..<streams.count,
      content: content)
  }

  /// The values of the columns in the next row; `nil` after the last one.
  ///
  /// - Throws: ``ParquetProblem``; any error that the tree throws.
  mutating func next() throws -> [JSONValue]? {
    guard remaining > 0 else { return nil }
    remaining -= 1
    for place in streams.indices { try streams[place].readRow() }
    var parts = streams.map { 0..<$0.row.count }
    return try plans.map { try value($0, &parts) }
  }

  /// Passes over a row.
  mutating func skip() throws {
    guard remaining > 0 else { return }
    remaining -= 1
    for place in streams.indices { try streams[place].readRow() }
  }

  /// - Parameter parts: the entries of each stream that belong to the value.
  private func value(_ plan: Plan, _ parts: inout [Range<Int>]) throws -> JSONValue {
    guard let stream = plan.streams.first, let place = parts[stream].first else {
      throw ParquetProblem.damaged("the column \(plan.name) has no value in a row")
    }
    let entry = streams[stream].row[place]
    guard entry.definition >= plan.definition else { return .null }
    switch plan.content {
    case .leaf: return entry.value
    case .group(let members):
      var values: [JSONValue.Member] = []
      for member in members { values.append(.init(member.name, try value(member, &parts))) }
      return .object(values)
    case .list(let repetition, let definition, let element):
      guard entry.definition >= definition else { return .array([]) }
      let elements = try plan.streams.map { stream in
        try self.elements(streams[stream].row, parts[stream], repetition, plan)
      }
      guard let count = elements.first?.count, elements.allSatisfy({ $0.count == count }) else {
        throw ParquetProblem.damaged("the lists of the column \(plan.name) differ in length")
      }
      var values: [JSONValue] = []
      values.reserveCapacity(count)
      for index in 0..<count {
        for (stream, ranges) in zip(plan.streams, elements) { parts[stream] = ranges[index] }
        values.append(try value(element, &parts))
      }
      return .array(values)
    }
  }

  /// The entries of each element of a list.
  private func elements(
    _ row: [ParquetStream.Entry], _ range: Range<Int>, _ repetition: UInt8, _ plan: Plan
  ) throws -> [Range<Int>] {
    var ranges: [Range<Int>] = []
    var start = range.lowerBound
    for place in range.dropFirst() {
      guard row[place].repetition >= repetition else {
        throw ParquetProblem.damaged("the levels of the column \(plan.name) do not fit together")
      }
      guard row[place].repetition == repetition else { continue }
      ranges.append(start..<place)
      start = place
    }
    if !range.isEmpty { ranges.append(start..<range.upperBound) }
    return ranges
  }
}

/// The values of one leaf, row by row.
struct ParquetStream {
  struct Entry {
    var value: JSONValue
    var definition: UInt8
    var repetition: UInt8
  }

  private var chunk: ParquetChunk
  private var page: ParquetPage?
  /// The places of the next value with nulls, and without.
  private var place = 0
  private var valuePlace = 0
  /// The entries of the row that was read.
  private(set) var row: [Entry] = []

  init(_ chunk: ParquetChunk) { self.chunk = chunk }

  /// - Throws: ``ParquetProblem``; any error that the tree throws.
  mutating func readRow() throws {
    row.removeAll(keepingCapacity: true)
    while true {
      while place == (page?.count ?? 0) {
        guard let header = try chunk.nextHeader() else {
          guard row.isEmpty else { return }
          throw ParquetProblem.damaged("the column \(chunk.leaf.name) has too few rows")
        }
        page = nil
        page = try chunk.page(header)
        (place, valuePlace) = (0, 0)
      }
      guard let page else { return }
      let repetition = page.repetitions.isEmpty ? 0 : page.repetitions[place]
      if repetition == 0, !row.isEmpty { return }
      guard repetition == 0 || !row.isEmpty else {
        throw ParquetProblem.damaged("the column \(chunk.leaf.name) begins within a row")
      }
      guard row.count < ParquetLimits.rowValues else {
        throw ParquetProblem(
          "a row of the column \(chunk.leaf.name) has more than \(ParquetLimits.rowValues) values, the "
            + "limit")
      }
      let definition = page.definitions.isEmpty ? chunk.leaf.maxDefinition : page.definitions[place]
      place += 1
      var value = JSONValue.null
      if definition == chunk.leaf.maxDefinition {
        value = try self.value(page.values, valuePlace)
        valuePlace += 1
      }
      row.append(Entry(value: value, definition: definition, repetition: repetition))
      if chunk.leaf.maxRepetition == 0 { return }
    }
  }

  private func value(_ values: ParquetValues, _ index: Int) throws -> JSONValue {
    switch values {
    case .flags(let values): return .bool(values[index])
    case .integers(let values):
      let value = values[index]
      return value < 0 && chunk.leaf.meaning == .unsigned
        ? .number(Double(UInt64(bitPattern: value))) : .integer(value)
    case .numbers(let values): return .number(values[index])
    case .bytes(let values):
      if chunk.leaf.meaning == .half, values[index].count == 2 {
        return .number(Self.half(values[index]))
      }
      guard let text = String(validating: values[index], as: UTF8.self) else {
        throw ParquetProblem("the column \(chunk.leaf.name) has bytes that are no UTF-8 text")
      }
      return .string(text)
    }
  }

  /// A number of 16 bits (IEEE 754 binary16), little-endian.
  private static func half(_ bytes: ArraySlice<UInt8>) -> Double {
    let bits = bytes.reversed().reduce(0) { $0 << 8 | Int($1) }
    let (exponent, fraction) = (bits >> 10 & 0x1F, Double(bits & 0x3FF))
    let size =
      switch exponent {
      case 0: fraction / 16_777_216
      case 31: fraction == 0 ? Double.infinity : .nan
      default: Double(sign: .plus, exponent: exponent - 15, significand: 1 + fraction / 1024)
      }
    return bits & 0x8000 == 0 ? size : -size
  }
}
