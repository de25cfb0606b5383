/// The metadata at the end of a Parquet file.
struct ParquetFooter: Sendable {
  /// The place of the values of one leaf in one row group.
  struct Chunk: Sendable {
    var codec = 0
    var values = 0
    /// The place of its first page, and the number of its bytes.
    var start = 0
    var length = 0
    /// The name of another file that holds it, if there is one.
    var file: String?
    var isEncrypted = false
  }

  struct Group: Sendable {
    var chunks: [Chunk] = []
    var rows = 0
    /// The number of rows before it.
    var firstRow = 0
  }

  let schema: ParquetSchema
  private(set) var groups: [Group] = []
  private(set) var rows = 0
  private(set) var metadata: [String: String] = [:]
  private(set) var createdBy: String?

  /// - Parameters:
  ///   - bytes: the footer.
  ///   - size: the size of the file.
  init(_ bytes: [UInt8], size: Int) throws {
    var reader = ThriftReader(bytes)
    var elements: [ParquetSchema.Element] = []
    var groups: [Group] = []
    var metadata: [String: String] = [:]
    var (rows, createdBy) = (0, String?.none)
    do {
      try reader.fields { reader, id, kind in
        switch id {
        case 2:
          try reader.list(kind, upTo: ParquetLimits.columns) { reader, _ in
            elements.append(try ParquetSchema.Element(&reader))
          }
        case 3: rows = try reader.count(kind)
        case 4:
          try reader.list(kind, upTo: ParquetLimits.groups) { reader, _ in
            groups.append(try Self.group(&reader))
          }
        case 5:
          try reader.list(kind, upTo: 10_000) { reader, _ in
            if let (key, value) = try Self.pair(&reader) { metadata[key] = value }
          }
        case 6: createdBy = try reader.text(kind)
        default: try reader.skip(kind)
        }
      }
    } catch is ThriftReader.Truncated {
      throw ParquetProblem.damaged("its footer is truncated")
    }
    schema = try ParquetSchema(elements)
    var first = 0
    for place in groups.indices {
      guard groups[place].chunks.count == schema.leaves.count else {
        throw ParquetProblem.damaged(
          "row group \(place) has \(groups[place].chunks.count) columns, expected "
            + "\(schema.leaves.count)")
      }
      groups[place].firstRow = first
      let (sum, isOver) = first.addingReportingOverflow(groups[place].rows)
      guard !isOver else { throw ParquetProblem.damaged("its numbers of rows are too large") }
      first = sum
    }
    guard first == rows else {
      throw ParquetProblem.damaged("it states \(rows) rows, and its row groups have \(first)")
    }
    self.groups = groups
    self.rows = rows
    self.metadata = metadata
    self.createdBy = createdBy
  }

  private static func pair(_ reader: inout ThriftReader) throws -> (String, String)? {
    var (key, value) = (String?.none, String?.none)
    try reader.fields { reader, id, kind in
      switch id {
      case 1: key = String(validating: try reader.binary(kind), as: UTF8.self)
      case 2: value = String(validating: try reader.binary(kind), as: UTF8.self)
      default: try reader.skip(kind)
      }
    }
    if let key, let value { return (key, value) }
    return nil
  }

  private static func group(_ reader: inout ThriftReader) throws -> Group {
    var group = Group()
    try reader.fields { reader, id, kind in
      switch id {
      case 1:
        try reader.list(kind, upTo: ParquetLimits.columns) { reader, _ in
          group.chunks.append(try chunk(&reader))
        }
      case 3: group.rows = try reader.count(kind)
      default: try reader.skip(kind)
      }
    }
    return group
  }

  private static func chunk(_ reader: inout ThriftReader) throws -> Chunk {
    var chunk = Chunk()
    var hasMetadata = false
    try reader.fields { reader, id, kind in
      switch id {
      case 1: chunk.file = try reader.text(kind)
      case 3:
        hasMetadata = true
        var (data, dictionary) = (0, 0)
        try reader.fields { reader, id, kind in
          switch id {
          case 4: chunk.codec = try reader.count(kind, upTo: 255)
          case 5: chunk.values = try reader.count(kind)
          case 7: chunk.length = try reader.count(kind)
          case 9: data = try reader.count(kind)
          case 11: dictionary = try reader.count(kind)
          default: try reader.skip(kind)
          }
        }
        // Some writers state 0 if there is no dictionary.
        chunk.start = dictionary > 0 ? min(dictionary, data) : data
      case 8:
        chunk.isEncrypted = true
        try reader.skip(kind)
      default: try reader.skip(kind)
      }
    }
    chunk.isEncrypted = chunk.isEncrypted || !hasMetadata
    return chunk
  }
}
