/// The header of a page, and where the page is.
struct ParquetPageHeader: Sendable {
  enum Kind: Sendable { case data, dataV2, dictionary, other }

  private(set) var kind = Kind.other
  private(set) var unpacked = 0
  private(set) var packed = 0
  private(set) var checksum: UInt32?
  /// The number of values, with nulls.
  private(set) var values = 0
  private(set) var encoding = 0
  /// The encodings of the levels in ``Kind/data``.
  private(set) var levelEncodings = (definition: 3, repetition: 3)
  /// The sizes of the levels in ``Kind/dataV2``.
  private(set) var levelBytes = (definition: 0, repetition: 0)
  /// False if the values in ``Kind/dataV2`` are not compressed.
  private(set) var isPacked = true
  /// The place of the page's bytes after the header.
  var start = 0
  /// The number of values, and of rows if the column is not nested, before the page.
  var firstValue = 0

  /// - Throws: `ThriftReader.Truncated` if the bytes end before the header.
  init(_ reader: inout ThriftReader) throws {
    var header = self
    try reader.fields { reader, id, kind in
      switch id {
      case 1:
        header.kind =
          switch try reader.integer(kind) {
          case 0: .data
          case 2: .dictionary
          case 3: .dataV2
          default: .other
          }
      case 2: header.unpacked = try reader.count(kind, upTo: Int(Int32.max))
      case 3: header.packed = try reader.count(kind, upTo: Int(Int32.max))
      case 4: header.checksum = UInt32(truncatingIfNeeded: try reader.integer(kind))
      case 5, 7: try Self.readData(&reader, &header)
      case 8: try Self.readSecond(&reader, &header)
      default: try reader.skip(kind)
      }
    }
    self = header
    guard values <= ParquetLimits.values else {
      throw ParquetProblem("a page has \(values) values, over \(ParquetLimits.values)")
    }
  }

  private init() {}

  private static func readData(
    _ reader: inout ThriftReader, _ header: inout ParquetPageHeader
  ) throws {
    try reader.fields { reader, id, kind in
      switch id {
      case 1: header.values = try reader.count(kind, upTo: Int(Int32.max))
      case 2: header.encoding = try reader.count(kind, upTo: 255)
      // In a dictionary, 3 is whether it is sorted.
      case 3 where kind != .yes && kind != .no:
        header.levelEncodings.definition = try reader.count(kind, upTo: 255)
      case 4: header.levelEncodings.repetition = try reader.count(kind, upTo: 255)
      default: try reader.skip(kind)
      }
    }
  }

  private static func readSecond(
    _ reader: inout ThriftReader, _ header: inout ParquetPageHeader
  ) throws {
    try reader.fields { reader, id, kind in
      switch id {
      case 1: header.values = try reader.count(kind, upTo: Int(Int32.max))
      case 4: header.encoding = try reader.count(kind, upTo: 255)
      case 5: header.levelBytes.definition = try reader.count(kind, upTo: Int(Int32.max))
      case 6: header.levelBytes.repetition = try reader.count(kind, upTo: Int(Int32.max))
      case 7: header.isPacked = try reader.flag(kind)
      default: try reader.skip(kind)
      }
    }
  }
}

/// A decoded page: levels, and the values that are there.
struct ParquetPage: Sendable {
  /// The number of values, with nulls.
  var count: Int
  /// The definition level of each value; empty if all are there.
  var definitions: [UInt8] = []
  /// The repetition level of each value; empty if the column is not nested.
  var repetitions: [UInt8] = []
  var values: ParquetValues
}

/// The pages of one leaf in one row group.
struct ParquetChunk: Sendable {
  let file: ParquetFile
  let leaf: ParquetSchema.Leaf
  private let chunk: ParquetFooter.Chunk
  private let rows: Int
  private var dictionary: ParquetValues?
  /// The size of the dictionary's page.
  private(set) var dictionaryBytes = 0
  private var next: Int
  private var firstValue = 0

  /// The number of bytes that are read to find a header.
  private static let headBytes = 1 << 12

  /// - Throws: ``ParquetProblem`` if the chunk cannot be read.
  init(_ file: ParquetFile, leaf: Int, group: Int) throws {
    self.file = file
    self.leaf = file.schema.leaves[leaf]
    chunk = file.footer.groups[group].chunks[leaf]
    rows = file.footer.groups[group].rows
    next = chunk.start
    guard !chunk.isEncrypted else {
      throw ParquetProblem("the column \(self.leaf.name) is encrypted, which is not read")
    }
    guard chunk.file == nil else {
      throw ParquetProblem("the column \(self.leaf.name) is in another file, which is not read")
    }
    guard chunk.length <= file.size, chunk.start <= file.size - chunk.length else {
      throw ParquetProblem.damaged("the column \(self.leaf.name) lies outside of the file")
    }
    guard self.leaf.maxRepetition > 0 || chunk.values == rows else {
      throw ParquetProblem.damaged(
        "the column \(self.leaf.name) has \(chunk.values) values in \(rows) rows")
    }
    guard self.leaf.physical != .int96 else {
      throw ParquetProblem("the column \(self.leaf.name) has the type INT96, which is not read")
    }
    try ParquetCodec.check(chunk.codec)
  }

  /// The header of the next data page, after the dictionary was read; `nil` after the last one.
  ///
  /// - Throws: ``ParquetProblem``; any error that the tree throws.
  mutating func nextHeader() throws -> ParquetPageHeader? {
    let end = chunk.start + chunk.length
    while next < end, firstValue < chunk.values {
      var header = try header(at: next, end: end)
      guard header.packed <= end - header.start else { throw ParquetBytes.short }
      next = header.start + header.packed
      switch header.kind {
      case .data, .dataV2:
        header.firstValue = firstValue
        firstValue += header.values
        guard firstValue <= chunk.values else {
          throw ParquetProblem.damaged(
            "the pages of the column \(leaf.name) have more values than stated")
        }
        return header
      case .dictionary:
        guard dictionary == nil else {
          throw ParquetProblem.damaged("the column \(leaf.name) has two dictionaries")
        }
        var input = ParquetBytes(try unpack(header))
        dictionaryBytes = input.end + 16 * header.values
        dictionary = try ParquetValues(
          &input, encoding: 0, count: header.values, of: leaf, dictionary: nil)
      case .other: continue
      }
    }
    guard firstValue == chunk.values else {
      throw ParquetProblem.damaged(
        "the pages of the column \(leaf.name) have \(firstValue) values, expected \(chunk.values)")
    }
    return nil
  }

  private func header(at offset: Int, end: Int) throws -> ParquetPageHeader {
    var size = Self.headBytes
    while true {
      let count = min(size, end - offset)
      var reader = ThriftReader(try file.bytes(at: offset, count: count))
      do {
        var header = try ParquetPageHeader(&reader)
        header.start = offset + reader.position
        return header
      } catch is ThriftReader.Truncated {
        guard count == size, size < ParquetLimits.header else {
          throw ParquetProblem.damaged("the header of a page of \(leaf.name) is truncated")
        }
        size *= 8
      }
    }
  }

  /// The decompressed bytes of a page; in the second version without its levels.
  private func unpack(_ header: ParquetPageHeader) throws -> [UInt8] {
    let packed = try file.bytes(at: header.start, count: header.packed)
    return try packed.withUnsafeBytes { packed in
      if let checksum = header.checksum, checksum != ParquetCodec.checksum(packed) {
        throw ParquetProblem.damaged("the checksum of a page of \(leaf.name) does not match")
      }
      guard header.kind == .dataV2 else {
        return try ParquetCodec.unpack(chunk.codec, packed, size: header.unpacked)
      }
      let levels = header.levelBytes.definition + header.levelBytes.repetition
      guard levels <= packed.count, levels <= header.unpacked else { throw ParquetBytes.short }
      return Array(packed[..<levels])
        + (try ParquetCodec.unpack(
          header.isPacked ? chunk.codec : 0, UnsafeRawBufferPointer(rebasing: packed[levels...]),
          size: header.unpacked - levels))
    }
  }

  /// Reads a page.
  ///
  /// - Throws: ``ParquetProblem``; any error that the tree throws.
  func page(_ header: ParquetPageHeader) throws -> ParquetPage {
    var input = ParquetBytes(try unpack(header))
    var page = ParquetPage(count: header.values, values: .flags([]))
    let isSecond = header.kind == .dataV2
    page.repetitions = try levels(
      &input, leaf.maxRepetition, header.values, isSecond ? header.levelBytes.repetition : nil,
      encoding: header.levelEncodings.repetition)
    page.definitions = try levels(
      &input, leaf.maxDefinition, header.values, isSecond ? header.levelBytes.definition : nil,
      encoding: header.levelEncodings.definition)
    let there =
      leaf.maxDefinition == 0
      ? header.values : page.definitions.count { $0 == leaf.maxDefinition }
    page.values = try ParquetValues(
      &input, encoding: header.encoding, count: there, of: leaf, dictionary: dictionary)
    return page
  }

  /// - Parameter size: the number of bytes if the header states it.
  private func levels(
    _ input: inout ParquetBytes, _ most: UInt8, _ count: Int, _ size: Int?, encoding: Int
  ) throws -> [UInt8] {
    guard most > 0 else {
      if let size { _ = try input.take(size) }
      return []
    }
    guard encoding == 3 || size != nil else {
      throw ParquetProblem(
        "the levels of the column \(leaf.name) have the encoding BIT_PACKED, which is not read")
    }
    let length = try size ?? Int(input.number(bytes: 4))
    let start = try input.take(length)
    var part = ParquetBytes(input.bytes, start..<start + length)
    let width = 8 - most.leadingZeroBitCount
    let levels = try ParquetEncodings.runs(&part, count: count, width: width)
    guard levels.allSatisfy({ $0 <= UInt32(most) }) else {
      throw ParquetProblem.damaged("the column \(leaf.name) has a level over \(most)")
    }
    return levels.map { UInt8($0) }
  }
}
