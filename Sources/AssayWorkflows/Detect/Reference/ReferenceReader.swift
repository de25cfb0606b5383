import AssayCore
import AssayFormats
import AssayMetrics

/// Reads two files like pycocotools, including the Python types of the fields.
///
/// Source: `createIndex` and `loadRes` of coco.py, `_prepare`, `computeIoU` and `evaluateImg` of cocoeval.py,
/// pycocotools 2.0.11.
struct ReferenceReader {
  /// The properties of an image that regions need.
  struct Image {
    var height: PythonValue?
    var width: PythonValue?
    /// The index among all images in the order of their ids.
    var rank: Int32 = -1
  }

  let truth: COCOElements
  let results: COCOElements
  let overlap: OverlapKind
  /// The maximum numbers of detections per class and image, ascending.
  let maxDetections: [Int]
  /// True if no two annotations have the same id, so that reading can stop at the first error.
  let hasUniqueIDs: Bool
  var images: [PythonKey: Image] = [:]
  var categories: [PythonKey: Int32] = [:]
  var columns = ReferenceColumns()
  /// Boxes that consist of four lists, by row of the ground truth.
  var nestedBoxes: [Int: (shape: [Int], pointer: String)] = [:]
  /// The first oddity that is not reproduced; it matters only if pycocotools does not fail.
  var unknown: String?
  private var unequal = 0

  init(
    truth: COCOElements, results: COCOElements, overlap: OverlapKind, maxDetections: [Int],
    hasUniqueIDs: Bool
  ) {
    self.truth = truth
    self.results = results
    self.overlap = overlap
    self.maxDetections = maxDetections.sorted()
    self.hasUniqueIDs = hasUniqueIDs
  }

  /// - Throws: ``Interrupted``; the errors of reading a file.
  func outcome() throws -> ReferenceOutcome {
    do {
      var reader = self
      try reader.readImages()
      try reader.readCategories()
      try reader.readTruth()
      try reader.readResults()
      if !reader.nestedBoxes.isEmpty { try reader.checkNestedBoxes() }
      return reader.unknown.map { .unknown($0) } ?? .columns(reader.columns)
    } catch let stop as ReferenceStop {
      return .stops(stop)
    }
  }

  var isMask: Bool { overlap == .mask }

  /// The value of a member that is used as a key.
  mutating func key(
    _ name: String, of element: PythonValue, _ side: COCOSide, _ pointer: String
  ) throws -> PythonKey {
    guard case .dictionary(let members) = element else {
      throw ReferenceStop(
        error: "TypeError: the element is not a dictionary", side: side, pointer: pointer)
    }
    guard let value = members[name] else {
      throw ReferenceStop(error: "KeyError: '\(name)'", side: side, pointer: pointer)
    }
    unequal += 1
    guard let key = PythonKey(value, count: unequal) else {
      throw ReferenceStop(
        error: "TypeError: unhashable type", side: side, pointer: "\(pointer)/\(name)")
    }
    return key
  }

  private mutating func readImages() throws {
    var found: [PythonKey: Image] = [:]
    var reader = self
    try truth.forEach(of: "images") { place, element in
      let key = try reader.key("id", of: element, .truth, "/images/\(place)")
      found[key] = Image(height: element["height"], width: element["width"])
      return true
    }
    unequal = reader.unequal
    let order = try Self.sorted(Array(found.keys), "/images")
    for (rank, key) in order.enumerated() { found[key]?.rank = Int32(rank) }
    images = found
    columns.images = order.count
  }

  private mutating func readCategories() throws {
    var names: [PythonKey: String] = [:]
    var all: [PythonKey] = []
    var reader = self
    try truth.forEach(of: "categories") { place, element in
      let key = try reader.key("id", of: element, .truth, "/categories/\(place)")
      all.append(key)
      // If categories share an id, the last one wins.
      names[key] = if case .text(let name)? = element["name"] { name } else { nil }
      return true
    }
    unequal = reader.unequal
    var order: [PythonKey] = []
    for key in try Self.sorted(all, "/categories") where order.last != key { order.append(key) }
    for (rank, key) in order.enumerated() { categories[key] = Int32(rank) }
    columns.classes = order.enumerated().map { names[$1] ?? "category \($0)" }
  }

  /// - Throws: ``ReferenceStop`` if Python cannot compare two keys.
  private static func sorted(_ keys: [PythonKey], _ list: String) throws -> [PythonKey] {
    var (numbers, texts): ([(Double, PythonKey)], [(String, PythonKey)]) = ([], [])
    for key in keys {
      switch key {
      case .number(let number): numbers.append((number, key))
      case .text(let text): texts.append((text, key))
      case .none, .unequal: break
      }
    }
    guard keys.count < 2 || numbers.count == keys.count || texts.count == keys.count else {
      throw ReferenceStop(
        error: "TypeError: '<' not supported between ids of two types", side: .truth, pointer: list)
    }
    if keys.count < 2 { return keys }
    return numbers.isEmpty
      ? texts.sorted { $0.0.unicodeScalars.lexicographicallyPrecedes($1.0.unicodeScalars) }.map(\.1)
      : numbers.sorted { $0.0 < $1.0 }.map(\.1)
  }

  /// Converts an evaluated region to a mask.
  mutating func mask(
    _ region: ReferenceRegion, _ side: COCOSide, _ pointer: String
  ) throws -> Mask? {
    switch region {
    case .mask(let mask): return mask
    case .empty: return nil
    case .stops(let error):
      throw ReferenceStop(error: error, side: side, pointer: pointer + "/segmentation")
    case .unknown(let what):
      unknown = unknown ?? what
      return nil
    }
  }

  /// A bbox as converted by numpy to an array of doubles.
  static func box(_ value: PythonValue?) -> Box? {
    guard case .list(let elements)? = value, elements.count == 4 else { return nil }
    let numbers = elements.compactMap(\.float)
    guard numbers.count == 4 else { return nil }
    return Box(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
  }
}
