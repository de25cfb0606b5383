/// Lossless binary encoding of geometry.
///
/// Run lengths are COCO's compressed string. Lines and points have the form of polygons. Polygons: a byte for the number format, the number of
/// polygons, then for each the number of its coordinates and the coordinates. Numbers with at most
/// two decimals are stored as differences of hundredths to the coordinate two before (x to x, y to
/// y, across all polygons), in zigzag form, seven bits per byte, least significant first; others as
/// 64-bit floats, little-endian.
extension Geometry {
  /// The first byte of polygons in hundredths.
  static let hundredths: UInt8 = 1
  private static let floats: UInt8 = 2
  /// Above this, hundredths are not exact.
  private static let largest = 1e15

  /// The bytes that the catalog stores.
  package var packed: [UInt8] {
    switch self {
    case .mask(let mask): return mask.compressed
    case .polygons(let polygons):
      var bytes: [UInt8] = []
      Geometry.pack(polygons: polygons, into: &bytes)
      return bytes
    case .polylines(let lines): return Geometry.polygons(lines).packed
    case .points(let points): return Geometry.polygons([points]).packed
    }
  }

  /// Appends polygons in packed form.
  package static func pack(polygons: [[Double]], into bytes: inout [UInt8]) {
    var coordinates: [Double] = []
    coordinates.reserveCapacity(polygons.reduce(0) { $0 + $1.count })
    for polygon in polygons { coordinates += polygon }
    pack(coordinates: coordinates, counts: polygons.map(\.count), into: &bytes)
  }

  /// Appends polygons in packed form.
  ///
  /// - Parameters:
  ///   - coordinates: the coordinates of all polygons, concatenated.
  ///   - counts: the number of coordinates of each polygon; they sum to `coordinates.count`.
  package static func pack(coordinates: [Double], counts: [Int], into bytes: inout [UInt8]) {
    precondition(counts.reduce(0, +) == coordinates.count)
    let start = bytes.count
    bytes.append(hundredths)
    append(UInt64(counts.count), to: &bytes)
    var index = 0
    var previous = (x: 0, y: 0)
    for count in counts {
      append(UInt64(count), to: &bytes)
      for offset in 0..<count {
        let value = coordinates[index]
        let scaled = (value * 100).rounded()
        let number = abs(scaled) < largest ? Int(scaled) : 0
        guard (Double(number) / 100).bitPattern == value.bitPattern else {
          bytes.removeSubrange(start...)
          return packFloats(coordinates, counts, into: &bytes)
        }
        let difference: Int
        if offset & 1 == 0 {
          difference = number - previous.x
          previous.x = number
        } else {
          difference = number - previous.y
          previous.y = number
        }
        append(UInt64(bitPattern: Int64((difference << 1) ^ (difference >> 63))), to: &bytes)
        index += 1
      }
    }
  }

  private static func packFloats(
    _ coordinates: [Double], _ counts: [Int], into bytes: inout [UInt8]
  ) {
    bytes.append(floats)
    append(UInt64(counts.count), to: &bytes)
    var index = 0
    for count in counts {
      append(UInt64(count), to: &bytes)
      for value in coordinates[index..<index + count] {
        withUnsafeBytes(of: value.bitPattern.littleEndian) { bytes.append(contentsOf: $0) }
      }
      index += count
    }
  }

  @inline(__always)
  private static func append(_ value: UInt64, to bytes: inout [UInt8]) {
    var rest = value
    while rest > 0x7F {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }

  /// Geometry from the catalog's bytes.
  ///
  /// - Parameter size: the size of the run lengths.
  /// - Throws: ``MaskError/damaged`` if ``packed`` cannot have created the bytes or the shape is
  ///   a label, a tag or a box; the codec's errors for run lengths.
  package init(
    shape: ShapeKind, packed: some Collection<UInt8>, size: ImageSize
  ) throws(MaskError) {
    switch shape {
    case .mask: self = .mask(try Mask(size: size, compressed: packed))
    case .polygon:
      var reader = PackedPolygons(bytes: Array(packed))
      self = .polygons(try reader.polygons())
    case .polyline:
      var reader = PackedPolygons(bytes: Array(packed))
      self = .polylines(try reader.polygons())
    case .points:
      var reader = PackedPolygons(bytes: Array(packed))
      let lists = try reader.polygons()
      guard lists.count == 1, let points = lists.first else { throw .damaged }
      self = .points(points)
    case .label, .box, .tag: throw .damaged
    }
  }

  /// Reads what `pack` wrote, and nothing else.
  private struct PackedPolygons {
    let bytes: [UInt8]
    var place = 0

    mutating func polygons() throws(MaskError) -> [[Double]] {
      guard let kind = bytes.first, kind == hundredths || kind == floats else { throw .damaged }
      place = 1
      // Each polygon takes at least a byte, each coordinate one or eight: larger counts are
      // rejected before any allocation.
      let polygonCount = try count(bytesEach: 1)
      var polygons: [[Double]] = []
      polygons.reserveCapacity(polygonCount)
      var previous = (x: 0, y: 0)
      for _ in 0..<polygonCount {
        let coordinates = try count(bytesEach: kind == floats ? 8 : 1)
        var polygon: [Double] = []
        polygon.reserveCapacity(coordinates)
        for offset in 0..<coordinates {
          if kind == floats {
            polygon.append(float())
          } else if offset & 1 == 0 {
            previous.x = try number(after: previous.x)
            polygon.append(Double(previous.x) / 100)
          } else {
            previous.y = try number(after: previous.y)
            polygon.append(Double(previous.y) / 100)
          }
        }
        polygons.append(polygon)
      }
      guard place == bytes.count else { throw .damaged }
      return polygons
    }

    private mutating func count(bytesEach: Int) throws(MaskError) -> Int {
      let value = try varint()
      guard value <= UInt64((bytes.count - place) / bytesEach) else { throw .damaged }
      return Int(value)
    }

    private mutating func number(after previous: Int) throws(MaskError) -> Int {
      let zigzag = try varint()
      let difference = Int(zigzag >> 1) ^ -Int(zigzag & 1)
      let (number, overflow) = previous.addingReportingOverflow(difference)
      guard !overflow, abs(Double(number)) < largest else { throw .damaged }
      return number
    }

    /// Eight bytes, whose presence `count` has checked.
    private mutating func float() -> Double {
      var bits: UInt64 = 0
      for index in 0..<8 { bits |= UInt64(bytes[place + index]) << (8 * UInt64(index)) }
      place += 8
      return Double(bitPattern: bits)
    }

    private mutating func varint() throws(MaskError) -> UInt64 {
      var value: UInt64 = 0
      var shift: UInt64 = 0
      while true {
        guard place < bytes.count, shift < 63 else { throw .damaged }
        let byte = bytes[place]
        place += 1
        value |= UInt64(byte & 0x7F) << shift
        shift += 7
        if byte < 0x80 { return value }
      }
    }
  }
}
