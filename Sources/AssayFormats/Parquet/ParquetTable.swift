import AssayCore
import CZstd

/// Writes a table as Parquet: row groups of bounded size, pages of the first version, compressed with
/// zstd, columns of repeated texts with a dictionary.
///
/// Append ``header``, then ``group()`` whenever ``isFull``, at the end ``end()``.
package struct ParquetTable {
  package enum Kind: Sendable {
    /// INT64.
    case integer
    /// DOUBLE.
    case number
    /// BOOLEAN.
    case flag
    /// UTF-8.
    case text
    /// Lists of UTF-8.
    case texts
    /// Lists of DOUBLE.
    case numbers
  }

  package struct Column: Sendable {
    package var name: String
    package var kind: Kind
    package var isRequired: Bool

    package init(_ name: String, _ kind: Kind, isRequired: Bool = false) {
      self.name = name
      self.kind = kind
      self.isRequired = isRequired
    }
  }

  package enum Cell: Hashable, Sendable {
    case null
    case integer(Int64)
    case number(Double)
    case flag(Bool)
    case text(String)
    case texts([String])
    case numbers([Double])

    package init(_ value: Int?) { self = value.map { .integer(Int64($0)) } ?? .null }
    package init(_ value: Double?) { self = value.map { .number($0) } ?? .null }
    package init(_ value: String?) { self = value.map { .text($0) } ?? .null }
  }

  private let columns: [Column]
  private let metadata: [(key: String, value: String)]
  private var chunks: [ParquetColumnBuffer]
  private var groupRows = 0
  private var offset = Self.header.count
  private var groups: [(rows: Int, bytes: Int, chunks: [Placed])] = []
  package private(set) var rows = 0

  private struct Placed {
    var start: Int
    var hasDictionary: Bool
    var dataStart: Int
    var values: Int
    var packed: Int
    var unpacked: Int
  }

  /// The bytes before the first row group.
  package static let header = ParquetFile.magic
  /// The number of rows of a row group, and of bytes of its values.
  private static let rowLimit = 1 << 16
  private static let byteLimit = 16 << 20

  /// - Parameter metadata: texts that the file keeps beside the table.
  package init(_ columns: [Column], metadata: [(key: String, value: String)] = []) {
    self.columns = columns
    self.metadata = metadata
    chunks = columns.map { ParquetColumnBuffer($0.kind, isRequired: $0.isRequired) }
  }

  /// True if the row group is to be written.
  package var isFull: Bool {
    groupRows >= Self.rowLimit || chunks.reduce(0) { $0 + $1.size } >= Self.byteLimit
  }

  /// Adds a row: a cell for each column, of its kind or null.
  package mutating func add(_ row: [Cell]) {
    for place in chunks.indices { chunks[place].add(place < row.count ? row[place] : .null) }
    groupRows += 1
    rows += 1
  }

  /// The bytes of the row group that was added; empty if it has no rows.
  ///
  /// - Throws: `FormatError.outOfMemory` if zstd fails.
  package mutating func group() throws -> [UInt8] {
    guard groupRows > 0 else { return [] }
    var bytes: [UInt8] = []
    var placed: [Placed] = []
    for chunk in chunks {
      let start = offset + bytes.count
      var place = Placed(
        start: start, hasDictionary: false, dataStart: start, values: chunk.count, packed: 0,
        unpacked: 0)
      let dictionary = chunk.dictionary()
      if let dictionary {
        place.hasDictionary = true
        place.unpacked += try Self.page(dictionary.page, &bytes) { writer in
          writer.integer(1, 2)
          return (
            7,
            {
              $0.integer(1, dictionary.count); $0.integer(2, 0)
            }
          )
        }
      }
      place.dataStart = offset + bytes.count
      place.unpacked += try Self.page(chunk.levels + (dictionary?.indices ?? chunk.values), &bytes)
      {
        writer in
        writer.integer(1, 0)
        return (
          5,
          {
            $0.integer(1, chunk.count)
            $0.integer(2, dictionary == nil ? 0 : 8)
            $0.integer(3, 3)
            $0.integer(4, 3)
          }
        )
      }
      place.packed = offset + bytes.count - start
      placed.append(place)
    }
    groups.append((groupRows, placed.reduce(0) { $0 + $1.unpacked }, placed))
    offset += bytes.count
    groupRows = 0
    chunks = columns.map { ParquetColumnBuffer($0.kind, isRequired: $0.isRequired) }
    return bytes
  }

  /// Appends a page with its header, and returns its size before compression.
  ///
  /// - Parameter kind: writes the kind of the page, and returns its own header.
  private static func page(
    _ content: [UInt8], _ bytes: inout [UInt8],
    _ kind: (inout ThriftWriter) -> (id: Int, header: (inout ThriftWriter) -> Void)
  ) throws -> Int {
    let bound = ZSTD_compressBound(content.count)
    let packed = try [UInt8](unsafeUninitializedCapacity: bound) { buffer, count in
      let result = content.withUnsafeBytes {
        ZSTD_compress(buffer.baseAddress, bound, $0.baseAddress, $0.count, 3)
      }
      guard ZSTD_isError(result) == 0 else { throw FormatError.outOfMemory }
      count = result
    }
    var writer = ThriftWriter()
    writer.element { writer in
      let own = kind(&writer)
      writer.integer(2, content.count)
      writer.integer(3, packed.count)
      writer.structure(own.id, own.header)
    }
    bytes += writer.bytes
    bytes += packed
    return writer.bytes.count + content.count
  }

  /// The bytes after the last row group.
  package func end() -> [UInt8] {
    var writer = ThriftWriter()
    writer.element { writer in
      writer.integer(1, 1)
      schema(&writer)
      writer.integer(3, rows, is64: true)
      writer.list(4, .structure, count: groups.count)
      for group in groups {
        writer.element { writer in
          writer.list(1, .structure, count: columns.count)
          for (column, place) in zip(columns, group.chunks) { chunk(column, place, &writer) }
          writer.integer(2, group.bytes, is64: true)
          writer.integer(3, group.rows, is64: true)
        }
      }
      if !metadata.isEmpty {
        writer.list(5, .structure, count: metadata.count)
        for (key, value) in metadata {
          writer.element {
            $0.text(1, key)
            $0.text(2, value)
          }
        }
      }
      writer.text(6, "assay")
    }
    let length = writer.bytes.count
    let size = (0..<4).map { UInt8(truncatingIfNeeded: length >> (8 * $0)) }
    return writer.bytes + size + ParquetFile.magic
  }

  private func chunk(_ column: Column, _ place: Placed, _ writer: inout ThriftWriter) {
    writer.element { writer in
      writer.integer(2, place.start, is64: true)
      writer.structure(3) { writer in
        writer.integer(1, column.kind.physical.rawValue)
        let encodings = place.hasDictionary ? [0, 3, 8] : [0, 3]
        writer.list(2, .int32, count: encodings.count)
        for encoding in encodings { writer.element(encoding) }
        let path = column.kind.isList ? [column.name, "list", "element"] : [column.name]
        writer.list(3, .binary, count: path.count)
        for name in path { writer.element(name) }
        writer.integer(4, 6)
        writer.integer(5, place.values, is64: true)
        writer.integer(6, place.unpacked, is64: true)
        writer.integer(7, place.packed, is64: true)
        writer.integer(9, place.dataStart, is64: true)
        if place.hasDictionary { writer.integer(11, place.start, is64: true) }
      }
    }
  }

  private func schema(_ writer: inout ThriftWriter) {
    writer.list(
      2, .structure, count: 1 + columns.reduce(0) { $0 + ($1.kind.isList ? 3 : 1) })
    writer.element {
      $0.text(4, "schema")
      $0.integer(5, columns.count)
    }
    func leaf(_ name: String, _ kind: Kind, _ repetition: Int) {
      writer.element { writer in
        writer.integer(1, kind.physical.rawValue)
        writer.integer(3, repetition)
        writer.text(4, name)
        guard kind.physical == .byteArray else { return }
        writer.integer(6, 0)
        writer.structure(10) { $0.structure(1) { _ in } }
      }
    }
    for column in columns {
      let repetition = column.isRequired ? 0 : 1
      guard column.kind.isList else {
        leaf(column.name, column.kind, repetition)
        continue
      }
      writer.element {
        $0.integer(3, repetition)
        $0.text(4, column.name)
        $0.integer(5, 1)
        $0.integer(6, 3)
        $0.structure(10) { $0.structure(3) { _ in } }
      }
      writer.element {
        $0.integer(3, 2)
        $0.text(4, "list")
        $0.integer(5, 1)
      }
      leaf("element", column.kind, 0)
    }
  }
}

extension ParquetTable.Kind {
  var isList: Bool { self == .texts || self == .numbers }

  var physical: ParquetSchema.Physical {
    switch self {
    case .integer: .int64
    case .number, .numbers: .double
    case .flag: .boolean
    case .text, .texts: .byteArray
    }
  }
}
