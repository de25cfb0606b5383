import AssayCore

/// The first directory of a TIFF: the facts about its image that decide whether and how it is read.
///
/// Source: TIFF 6.0 (Adobe, 1992), sections 2 and 8; for files over 4 GiB, BigTIFF (libtiff's
/// specification).
struct TIFFDirectory {
  /// The meaning of the values (tag 262).
  enum Photometric: Int {
    case whiteIsZero = 0
    case blackIsZero = 1
    case rgb = 2
    case palette = 3
    case cmyk = 5
    case yCbCr = 6
  }

  private(set) var width = 0
  private(set) var height = 0
  /// Bits per value, the same for all values of a pixel.
  private(set) var bits = 1
  private(set) var compression = 1
  private(set) var photometric = Photometric.blackIsZero
  private(set) var orientation = Orientation.up
  /// The values of a pixel.
  private(set) var samples = 1

  /// JPEG within TIFF.
  private static let jpeg = 7
  /// The compressions that keep all values: none, CCITT's, LZW, Deflate, PackBits and the like, JBIG, LZMA and
  /// Zstandard. All others can change them.
  private static let exact: Set<Int> = [
    1, 2, 3, 4, 5, 8, 32_771, 32_773, 32_809, 32_946, 34_661, 34_925, 50_000,
  ]

  /// True if the compression can change values.
  var isLossy: Bool { !Self.exact.contains(compression) }

  /// The values of a pixel that are colors, without alpha.
  var colors: Int {
    switch photometric {
    case .whiteIsZero, .blackIsZero, .palette: 1
    case .rgb, .yCbCr: 3
    case .cmyk: 4
    }
  }

  /// - Throws: ``ImageError``; ``ImageError/truncated(_:)`` if a directory is not in the bytes.
  init(_ bytes: UnsafeRawBufferPointer) throws(ImageError) {
    var reader = try Reader(bytes)
    let first = reader.first
    var (format, kind, depth, inks, planes) = (1, 0, 1, 1, 1)
    var hasPhotometric = false
    var hasMap = false
    for entry in try reader.entries(at: first) {
      let value = try reader.value(entry)
      switch entry.tag {
      case 254: kind = value
      case 256: width = value
      case 257: height = value
      case 258:
        bits = value
        guard try reader.values(entry).allSatisfy({ $0 == value }) else {
          throw .unsupported(.tiff, reason: "values of different numbers of bits")
        }
      case 259: compression = value
      case 262:
        guard let known = Photometric(rawValue: value) else {
          throw .unsupported(.tiff, reason: "colors of kind \(value) (tag 262)")
        }
        (photometric, hasPhotometric) = (known, true)
      case 270:
        // ImageJ writes one directory for all images of a stack.
        let text = try reader.text(entry)
        if text.hasPrefix("ImageJ="), let range = text.ranges(of: "images=").first,
          let count = Int(text[range.upperBound...].prefix { $0.isNumber }), count > 1
        {
          throw Self.several(count)
        }
      case 274: orientation = Orientation(rawValue: value) ?? .up
      case 277: samples = value
      case 284: planes = value
      case 320: hasMap = try reader.isThere(entry)
      case 332: inks = value
      case 339: format = value
      case 32_997: depth = value
      default: break
      }
    }
    guard width > 0, height > 0 else { throw .noPixels(.tiff) }
    guard hasPhotometric else {
      throw .damaged(.tiff, reason: "it does not say what its values are")
    }
    guard format == 1 || format == 4 else {
      throw .unsupported(
        .tiff,
        reason: format == 3 ? "\(bits)-bit floating-point values" : "signed or complex values")
    }
    guard kind & Reader.parts == 0 else {
      throw .unsupported(
        .tiff, reason: "its first image is a reduced copy or a mask of another one")
    }
    guard depth <= 1 else { throw Self.several(depth) }
    let count = try reader.images(after: first)
    guard count == 1 else { throw Self.several(count) }
    guard photometric != .palette || hasMap else {
      throw .damaged(.tiff, reason: "it has no color map")
    }
    guard photometric != .cmyk || inks == 1 else {
      throw .unsupported(.tiff, reason: "inks other than cyan, magenta, yellow and black")
    }
    guard photometric != .yCbCr || planes == 1 else {
      throw .unsupported(.tiff, reason: "luma and chroma in planes")
    }
    try check()
  }

  /// - Throws: ``ImageError/unsupported(_:reason:)`` for combinations that are not read.
  private func check() throws(ImageError) {
    guard samples == colors || samples == colors + 1 else {
      throw .unsupported(.tiff, reason: "\(samples) values per pixel")
    }
    let known: Set<Int> =
      switch photometric {
      case .whiteIsZero, .blackIsZero: [1, 2, 4, 8, 16]
      case .palette: [1, 2, 4, 8]
      case .rgb: [8, 16]
      case .cmyk, .yCbCr: [8]
      }
    guard known.contains(bits) else {
      throw .unsupported(.tiff, reason: "\(bits) bits per value")
    }
    guard photometric != .yCbCr || compression == Self.jpeg else {
      throw .unsupported(
        .tiff,
        reason: compression == 6
          ? "JPEG compression of the old kind" : "luma and chroma without JPEG compression")
    }
  }

  private static func several(_ count: Int) -> ImageError {
    .unsupported(
      .tiff, reason: "\(count == Reader.most ? "\(count) or more" : "\(count)") images in one file")
  }

  /// An entry of a directory.
  private struct Entry {
    let tag: Int
    /// The type of the values: 2 text, 3 of 16 bits, 4 of 32, 16 of 64.
    let type: Int
    let count: Int
    /// The position of the field that holds the values, or their position.
    let field: Int
  }

  /// Reads numbers in the file's byte order, within the bytes.
  private struct Reader {
    /// More directories than these are not counted.
    static let most = 10_000
    /// The bits of tag 254 for a reduced copy and for a mask.
    static let parts = 0b101

    let bytes: UnsafeRawBufferPointer
    let isBigEndian: Bool
    /// True for BigTIFF, whose positions have 64 bits.
    let isWide: Bool
    private(set) var first = 0

    init(_ bytes: UnsafeRawBufferPointer) throws(ImageError) {
      guard bytes.count >= 16 else { throw .truncated(.tiff) }
      self.bytes = bytes
      isBigEndian = bytes[0] == UInt8(ascii: "M")
      isWide = bytes[isBigEndian ? 3 : 2] == 43
      first = isWide ? try integer(at: 8, length: 8) : try integer(at: 4, length: 4)
    }

    /// - Throws: ``ImageError/truncated(_:)`` outside of the bytes.
    func integer(at position: Int, length: Int) throws(ImageError) -> Int {
      guard position >= 0, position <= bytes.count - length else { throw .truncated(.tiff) }
      var number: UInt64 = 0
      for place in 0..<length {
        number = number << 8 | UInt64(bytes[position + (isBigEndian ? place : length - 1 - place)])
      }
      guard let number = Int(exactly: number) else {
        throw .damaged(.tiff, reason: "a number is too large")
      }
      return number
    }

    /// The entries of a directory.
    func entries(at position: Int) throws(ImageError) -> [Entry] {
      let count = try integer(at: position, length: isWide ? 8 : 2)
      guard count <= 65_535 else {
        throw .damaged(.tiff, reason: "a directory of \(count) entries")
      }
      let (head, step) = isWide ? (8, 20) : (2, 12)
      guard position <= bytes.count - head - count * step else { throw .truncated(.tiff) }
      var entries: [Entry] = []
      for place in 0..<count {
        let start = position + head + place * step
        entries.append(
          Entry(
            tag: try integer(at: start, length: 2), type: try integer(at: start + 2, length: 2),
            count: try integer(at: start + 4, length: isWide ? 8 : 4),
            field: start + (isWide ? 12 : 8)))
      }
      return entries
    }

    /// The bytes of a value of a type; `nil` for types that hold no counts.
    private func length(of type: Int) -> Int? {
      switch type {
      case 1, 2: 1
      case 3: 2
      case 4: 4
      case 16: 8
      default: nil
      }
    }

    /// The position of the values of an entry: its field if they fit.
    private func place(_ entry: Entry, length: Int) throws(ImageError) -> Int {
      let space = isWide ? 8 : 4
      let (total, overflow) = entry.count.multipliedReportingOverflow(by: length)
      guard !overflow else { throw .damaged(.tiff, reason: "an entry of \(entry.count) values") }
      return total <= space ? entry.field : try integer(at: entry.field, length: space)
    }

    /// The first value of an entry; 0 for an empty one or one of another type.
    func value(_ entry: Entry) throws(ImageError) -> Int {
      // Tags with many or large values are read where they are needed.
      guard [254, 256, 257, 258, 259, 262, 274, 277, 284, 332, 339, 32_997].contains(entry.tag),
        entry.count > 0,
        let length = length(of: entry.type)
      else { return 0 }
      return try integer(at: try place(entry, length: length), length: length)
    }

    /// Returns whether an entry has values.
    ///
    /// - Throws: ``ImageError/truncated(_:)`` if they are not all in the bytes.
    func isThere(_ entry: Entry) throws(ImageError) -> Bool {
      guard let length = length(of: entry.type), entry.count > 0 else { return false }
      let start = try place(entry, length: length)
      guard entry.count <= bytes.count, start >= 0, start <= bytes.count - entry.count * length
      else { throw .truncated(.tiff) }
      return true
    }

    /// Up to 16 values of an entry.
    func values(_ entry: Entry) throws(ImageError) -> [Int] {
      guard let length = length(of: entry.type) else { return [] }
      let start = try place(entry, length: length)
      var values: [Int] = []
      for index in 0..<min(entry.count, 16) {
        values.append(try integer(at: start + index * length, length: length))
      }
      return values
    }

    /// The beginning of a text; empty for other types.
    func text(_ entry: Entry) throws(ImageError) -> String {
      guard entry.type == 2, entry.count > 0 else { return "" }
      let start = try place(entry, length: 1)
      let count = min(entry.count, 4096)
      guard start >= 0, start <= bytes.count - count else { throw .truncated(.tiff) }
      return String(decoding: bytes[start..<start + count].prefix { $0 != 0 }, as: UTF8.self)
    }

    /// The number of images in the file, at most ``most``: directories but for thumbnails, reduced copies
    /// and masks.
    func images(after first: Int) throws(ImageError) -> Int {
      let (head, step, width) = isWide ? (8, 20, 8) : (2, 12, 4)
      var (images, position) = (0, first)
      var seen: Set<Int> = []
      // Directories that do not overlap have no more entries than these.
      var left = bytes.count / step
      while position != 0, images < Self.most, seen.insert(position).inserted {
        let count = try integer(at: position, length: isWide ? 8 : 2)
        left -= count
        guard left >= 0 else { throw .damaged(.tiff, reason: "its directories overlap") }
        if position == first {
          images += 1
        } else if try !isPart(at: position) {
          images += 1
        }
        position = try integer(at: position + head + count * step, length: width)
      }
      return images
    }

    /// Returns whether a directory's image is a reduced copy or a mask of another one.
    private func isPart(at position: Int) throws(ImageError) -> Bool {
      for entry in try entries(at: position) where entry.tag == 254 {
        return try value(entry) & Self.parts != 0
      }
      return false
    }
  }
}
