package import AssayCore
import GRDB

extension Catalog {
  /// Hands over the embedded pixels of samples, in the order of `ids`; samples that have none are
  /// skipped.
  ///
  /// Several threads may do this at once; each reads on a connection of its own. Fastest for ids in
  /// ascending order.
  ///
  /// - Parameter body: gets the sample's place in `ids`, how its pixels lie in memory, and the bytes,
  ///   which are valid only during the call; `size.area * format.channels` of them.
  /// - Throws: ``StoreError/unknownValue(table:column:value:)`` for a format of a later version or a
  ///   blob that is not of its size; what `body` throws.
  package func forEachPixels(
    of ids: [Int64],
    _ body: (
      _ index: Int, _ format: PixelFormat, _ size: ImageSize, _ bytes: UnsafeRawBufferPointer
    ) throws -> Void
  ) throws {
    try withReader("reading pixels") { database in
      let scan = try RawStatement(
        database,
        """
        SELECT sample, format, width, height, bytes FROM pixels
        WHERE sample BETWEEN ?1 AND ?2 ORDER BY sample
        """)
      for stretch in RowIDRanges.all(of: ids) {
        let end = stretch.upperBound
        scan.bind(ids[stretch.lowerBound], at: 1)
        scan.bind(ids[end - 1], at: 2)
        var index = stretch.lowerBound
        while try scan.step() {
          let sample = scan.integer(0)
          while index < end, ids[index] < sample { index += 1 }
          guard index < end, ids[index] == sample else { continue }
          let (format, size) = try Self.shape(scan)
          let bytes = scan.bytes(4)
          guard bytes.count == size.area * format.channels else {
            throw StoreError.unknownValue(
              table: "pixels", column: "bytes", value: "\(bytes.count) bytes for \(size)")
          }
          try body(index, format, size, bytes)
        }
        scan.reset()
      }
    }
  }

  private static func shape(_ row: RawStatement) throws -> (PixelFormat, ImageSize) {
    let format = PixelFormat(bytes: row.textBytes(1))
    guard let format else {
      throw StoreError.unknownValue(table: "pixels", column: "format", value: row.text(1))
    }
    let width = Int(row.integer(2))
    let height = Int(row.integer(3))
    guard let size = ImageSize.checked(width: width, height: height) else {
      throw StoreError.unknownValue(
        table: "pixels", column: "width, height", value: "\(width), \(height)")
    }
    return (format, size)
  }
}

extension PixelFormat {
  /// The format of a stored spelling, without making a `String` of it for the usual one.
  fileprivate init?(bytes: UnsafeBufferPointer<UInt8>) {
    if bytes.elementsEqual("gray8".utf8) {
      self = .gray8
    } else {
      self.init(rawValue: String(decoding: bytes, as: UTF8.self))
    }
  }
}
