import AssayCore

/// An annotation to be written to the catalog, without its bytes.
struct RegionRow {
  /// The parts of a row that are present, and their kinds.
  struct Flags: OptionSet {
    let rawValue: UInt16

    static let isCrowd = Flags(rawValue: 1)
    static let hasArea = Flags(rawValue: 2)
    static let hasBox = Flags(rawValue: 4)
    static let hasIntegerID = Flags(rawValue: 8)
    static let hasTextID = Flags(rawValue: 16)
    static let isPolygon = Flags(rawValue: 32)
    static let isMask = Flags(rawValue: 64)
    static let hasGeometry = Flags(rawValue: 128)
    static let isPolyline = Flags(rawValue: 256)
    static let isPoints = Flags(rawValue: 512)
    static let isTag = Flags(rawValue: 1024)
    /// The row is not counted: another row of its sample stands for it.
    static let isRepeat = Flags(rawValue: 2048)
    static let isLabel = Flags(rawValue: 4096)
  }

  /// The sample's row id.
  var sample: Int64
  /// The row id of the geometry, 0 for none.
  var geometry: Int64 = 0
  var ordinal: Int64
  /// The id in the source, or the position of its text in ``RegionBuffer/texts``.
  var sourceID: Int64 = 0
  var area: Double
  var box: Box
  /// The class's index among those introduced, or among those of its set.
  var category: Int32
  /// The index of the annotation set among those introduced, plus 1; 0 for the dataset's labels.
  var set: UInt16 = 0
  /// The range of the attributes in ``RegionBuffer/texts``; empty if there are none.
  var attributes: Span
  var flags: Flags

  /// A range of bytes.
  struct Span {
    var start: UInt32
    var count: UInt32

    init(_ start: Int, _ count: Int) {
      self.start = UInt32(truncatingIfNeeded: start)
      self.count = UInt32(truncatingIfNeeded: count)
    }

    init(packed: Int64) {
      start = UInt32(truncatingIfNeeded: packed >> 32)
      count = UInt32(truncatingIfNeeded: packed)
    }

    var packed: Int64 { Int64(start) << 32 | Int64(count) }
    var range: Range<Int> { Int(start)..<Int(start) + Int(count) }
  }

  var shape: ShapeKind {
    if flags.contains(.isPolygon) { return .polygon }
    if flags.contains(.isMask) { return .mask }
    if flags.contains(.isPolyline) { return .polyline }
    if flags.contains(.isTag) { return .tag }
    if flags.contains(.isLabel) { return .label }
    return flags.contains(.isPoints) ? .points : .box
  }
}

/// Annotations waiting to be written in the order of their samples.
///
/// The table is clustered by sample; rows in the order of a file such as COCO's, which is not by
/// image, would each modify a different page. A full buffer is written as one sorted run.
/// Rows that come in the order of their samples are written early.
struct RegionBuffer {
  /// A run holds at most this many rows (92 MB) and bytes of text; of rows in order, an eighth.
  static let rowLimit = 1 << 20
  static let textLimit = 64 << 20

  private(set) var rows: [RegionRow] = []
  /// Attributes and text ids, concatenated.
  private(set) var texts: [UInt8] = []

  /// True if the rows are in the order of their samples.
  private var isSorted = true

  var isFull: Bool {
    let share = isSorted ? 8 : 1
    return rows.count >= Self.rowLimit / share || texts.count >= Self.textLimit / share
  }

  /// - Parameters:
  ///   - sample: the row id.
  ///   - category: the class's index among those introduced.
  ///   - isRepeat: true if the row is not counted.
  mutating func append(
    _ annotation: ImportedAnnotation, sample: Int64, category: Int32, isRepeat: Bool
  ) {
    var flags: RegionRow.Flags = annotation.isCrowd ? .isCrowd : []
    if isRepeat { flags.insert(.isRepeat) }
    if annotation.area != nil { flags.insert(.hasArea) }
    if annotation.box != nil { flags.insert(.hasBox) }
    if annotation.geometry != nil { flags.insert(.hasGeometry) }
    switch annotation.shape {
    case .box: break
    case .label: flags.insert(.isLabel)
    case .polygon: flags.insert(.isPolygon)
    case .mask: flags.insert(.isMask)
    case .polyline: flags.insert(.isPolyline)
    case .points: flags.insert(.isPoints)
    case .tag: flags.insert(.isTag)
    }
    var sourceID: Int64 = 0
    switch annotation.sourceID {
    case .integer(let id):
      sourceID = id
      flags.insert(.hasIntegerID)
    case .text(let id):
      sourceID = keep(id).packed
      flags.insert(.hasTextID)
    case nil: break
    }
    let attributes = annotation.attributes.map { keep($0) } ?? RegionRow.Span(0, 0)
    if let last = rows.last?.sample, last > sample { isSorted = false }
    if rows.isEmpty { rows.reserveCapacity(1 << 16) }
    rows.append(
      RegionRow(
        sample: sample, ordinal: Int64(annotation.ordinal), sourceID: sourceID,
        area: annotation.area ?? 0, box: annotation.box ?? Box(x: 0, y: 0, width: 0, height: 0),
        category: category,
        set: annotation.set.map { UInt16(truncatingIfNeeded: $0 + 1) } ?? 0,
        attributes: attributes, flags: flags))
  }

  mutating func setGeometry(_ id: Int64, of row: Int) { rows[row].geometry = id }

  mutating func removeAll() {
    isSorted = true
    rows.removeAll(keepingCapacity: true)
    texts.removeAll(keepingCapacity: true)
  }

  private mutating func keep(_ text: String) -> RegionRow.Span {
    let start = texts.count
    texts.append(contentsOf: text.utf8)
    return RegionRow.Span(start, texts.count - start)
  }

  /// The indices of some rows, ordered by sample; rows of one sample keep their order.
  func order(of places: Range<Int>) -> [Int] {
    guard let first = places.first else { return [] }
    var low = rows[first].sample
    var high = low
    var isSorted = true
    for place in places {
      let sample = rows[place].sample
      isSorted = isSorted && sample >= high
      low = min(low, sample)
      high = max(high, sample)
    }
    if isSorted { return Array(places) }
    guard high - low < Int64(UInt32.max), places.upperBound < Int(UInt32.max) else {
      return places.sorted { (rows[$0].sample, $0) < (rows[$1].sample, $1) }
    }
    var keys = places.map { UInt64(rows[$0].sample - low) << 32 | UInt64($0) }
    keys.sort()
    return keys.map { Int($0 & 0xFFFF_FFFF) }
  }
}
