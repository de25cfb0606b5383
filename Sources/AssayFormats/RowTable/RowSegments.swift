import AssayCore

/// The places of the rows of each image in the files of a source. Rows of one image that follow one
/// another take 24 bytes together, however many they are.
struct RowSegments: Sendable {
  /// Rows of one image that follow one another.
  struct Segment: Sendable {
    /// The number of the image.
    var image: Int32
    /// The number of the file.
    var file: Int32
    /// The number of the first row's line, from 1.
    var line: UInt32
    /// The number of bytes.
    var length: Int32
    /// The place of the first byte in the file.
    var offset: Int
  }

  private(set) var segments: [Segment] = []
  /// For each image the index of its first segment.
  private var starts: [Int32] = []

  /// The maximum number of segments, and the maximum number of bytes of one.
  static let limit = 8_000_000
  private static let byteLimit = 1 << 24

  /// Adds a row.
  ///
  /// - Returns: false if there are too many segments.
  mutating func add(_ line: LineScan.Line, image: Int32, file: Int32) -> Bool {
    if let last = segments.last, last.image == image, last.file == file,
      last.offset + Int(last.length) == line.offset,
      Int(last.length) + line.length <= Self.byteLimit
    {
      segments[segments.count - 1].length += Int32(line.length)
      return true
    }
    guard segments.count < Self.limit else { return false }
    segments.append(
      Segment(
        image: image, file: file, line: UInt32(truncatingIfNeeded: line.number),
        length: Int32(line.length), offset: line.offset))
    return true
  }

  /// Sorts the segments by image, file and place.
  ///
  /// - Parameter images: the number of images.
  mutating func sort(images: Int) {
    segments.sort { ($0.image, $0.file, $0.offset) < ($1.image, $1.file, $1.offset) }
    starts = [Int32](repeating: 0, count: images + 1)
    for segment in segments { starts[Int(segment.image) + 1] += 1 }
    for image in 0..<images { starts[image + 1] += starts[image] }
  }

  /// The segments of an image, after ``sort(images:)``.
  func of(_ image: Int32) -> ArraySlice<Segment> {
    segments[Int(starts[Int(image)])..<Int(starts[Int(image) + 1])]
  }

  /// Calls `body` with each row of a segment that is not blank, and the number of its line.
  ///
  /// - Throws: ``ShortFile`` if the file has become shorter; any error that the tree throws.
  static func read(
    _ segment: Segment, of path: String, in tree: any SourceTree,
    _ body: (UnsafeRawBufferPointer, Int) -> Void
  ) throws {
    let count = Int(segment.length)
    let bytes = try [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      while filled < count {
        let rest = UnsafeMutableRawBufferPointer(buffer)[filled...]
        let part = try tree.read(
          path, at: segment.offset + filled, into: UnsafeMutableRawBufferPointer(rebasing: rest))
        guard part > 0 else { throw ShortFile(path: path) }
        filled += part
      }
    }
    bytes.withUnsafeBytes { text in
      var number = Int(segment.line)
      var start = 0
      while start < text.count {
        let end = text[start...].firstIndex(of: 0x0A) ?? text.count
        var last = end
        if last > start, text[last - 1] == 0x0D { last -= 1 }
        let line = UnsafeRawBufferPointer(rebasing: text[start..<last])
        if !line.allSatisfy(CSVFields.isBlank) { body(line, number) }
        number += 1
        start = end + 1
      }
    }
  }

  /// A file that ends before rows that were there.
  struct ShortFile: Error, CustomStringConvertible {
    var path: String
    var description: String { "\(path) has become shorter during the import" }
  }
}
