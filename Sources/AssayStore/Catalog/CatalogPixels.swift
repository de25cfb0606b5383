package import AssayCore
import GRDB

extension Catalog {
  /// Passes the embedded pixels of samples to `body`, in the order of `ids`; samples without
  /// embedded pixels are skipped.
  ///
  /// Several threads can do this concurrently; each reads on its own connection. Fastest for ids in
  /// ascending order.
  ///
  /// - Parameter body: receives the sample's index in `ids`, the memory layout of its pixels, and
  ///   the bytes (`size.area * format.channels`), which are valid only during the call.
  /// - Throws: ``StoreError/unknownValue(table:column:value:)`` for a format from a later version
  ///   or a blob of the wrong size; any error that `body` throws.
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
  /// Parses a stored format, without creating a `String` for the usual one.
  fileprivate init?(bytes: UnsafeBufferPointer<UInt8>) {
    if bytes.elementsEqual("gray8".utf8) {
      self = .gray8
    } else {
      self.init(rawValue: String(decoding: bytes, as: UTF8.self))
    }
  }
}
