import AssayCore
import AssayFormats
import AssayMetrics

extension ReferenceReader {
  /// The format of all results, determined by the first one.
  private enum Form {
    case boxes, regions, captions
    /// A format that `loadRes` does not support.
    case unknown
  }

  /// A result of a known category.
  private struct Detection {
    var image: Int32
    var category: Int32
    var score: Double
    var isTruthValue: Bool
    var box = Box(x: 0, y: 0, width: 0, height: 0)
    var area = 0.0
    var region: ReferenceRegion?
    /// True if the area is an array, as for a list of RLEs.
    var hasAreaArray = false
    /// The error with which pycocotools fails if this result is among the most confident ones.
    var stop: ReferenceStop?
    var place: Int
  }

  /// Reads the evaluated results into columns.
  mutating func readResults() throws {
    var form: Form?
    var detections: [Detection] = []
    var reader = self
    // pycocotools checks all image ids before anything else, so later errors are deferred.
    var stop: ReferenceStop?
    try results.forEach(of: "") { place, element in
      if place & 0xFFFF == 0 { try Interruption.check("nothing was stored") }
      let image = try reader.key("image_id", of: element, .results, "/\(place)")
      guard reader.images[image] != nil else {
        throw ReferenceStop(
          error: "AssertionError: Results do not correspond to current coco set", side: .results,
          pointer: "/\(place)/image_id")
      }
      form = form ?? Self.form(element)
      do {
        if let detection = try reader.detection(element, form ?? .unknown, image, at: place) {
          detections.append(detection)
        }
      } catch let found as ReferenceStop {
        stop = stop ?? found
      }
      return true
    }
    self = reader
    if let stop { throw stop }
    guard form != nil else {
      throw ReferenceStop(
        error: "IndexError: list index out of range", side: .results, pointer: nil)
    }
    try checkMostConfident(detections)
    try checkAreas(detections)
    try checkTruthValues(detections)
    for detection in detections {
      let mask = try detection.region.flatMap { try self.mask($0, .results, "/\(detection.place)") }
      columns.found.images.append(detection.image)
      columns.found.classes.append(detection.category)
      columns.found.scores.append(Self.rank(detection.score))
      columns.found.boxes.append(detection.box)
      columns.found.areas.append(detection.area)
      columns.foundMasks.append(mask)
      columns.foundPlaces.append(Int32(detection.place))
    }
  }

  private static func form(_ first: PythonValue) -> Form {
    if first["caption"] != nil { return .captions }
    if let box = first["bbox"] {
      guard case .list(let elements) = box, elements.isEmpty else { return .boxes }
    }
    return first["segmentation"] != nil ? .regions : .unknown
  }

  /// A finite number that ranks like the score, with NaN last.
  private static func rank(_ score: Double) -> Double {
    if score.isNaN { return -.greatestFiniteMagnitude }
    if score.isFinite { return score }
    return score > 0 ? .greatestFiniteMagnitude : (-Double.greatestFiniteMagnitude).nextUp
  }

  /// Returns the result as `loadRes` and `_prepare` read it; `nil` if its category is unknown.
  private mutating func detection(
    _ element: PythonValue, _ form: Form, _ imageKey: PythonKey, at place: Int
  ) throws -> Detection? {
    let pointer = "/\(place)"
    let stop = { (error: String, member: String) in
      ReferenceStop(error: error, side: .results, pointer: "\(pointer)/\(member)")
    }
    var area: Double?
    var box = element["bbox"]
    let segmentation = element["segmentation"]
    var areaOfBox = false
    var listed: [PythonValue]?
    switch form {
    case .boxes:
      area = try self.area(ofBox: box, stop)
      if segmentation == nil { areaOfBox = true }
    case .regions:
      guard let value = segmentation else { throw stop("KeyError: 'segmentation'", "segmentation") }
      if case .list(let elements) = value { listed = elements }
      for runs in listed ?? [value] {
        switch try loaded(runs, stop) {
        case .mask(let mask):
          area = Double(mask.area)
          let around = mask.boundingBox ?? Box(x: 0, y: 0, width: 0, height: 0)
          if listed == nil {
            box =
              box
              ?? .list([around.x, around.y, around.width, around.height].map { .fraction($0) })
          }
        case .empty:
          area = 0
          if listed == nil { box = box ?? .list([.whole(0), .whole(0), .whole(0), .whole(0)]) }
        case .unknown(let what):
          unknown = unknown ?? what
          area = 0
        case .stops: break
        }
      }
      if listed?.isEmpty ?? false { area = 0 }
    case .captions: area = element["area"]?.number
    case .unknown:
      guard element["id"] != nil else { throw stop("KeyError: 'id'", "id") }
      unknown = unknown ?? "results with neither a bbox nor a segmentation"
    }
    let category = try key("category_id", of: element, .results, pointer)
    guard let known = categories[category], let image = images[imageKey] else { return nil }
    guard let score = element["score"]?.number else {
      throw stop(
        element["score"] == nil ? "KeyError: 'score'" : "TypeError: a score that is not a number",
        "score")
    }
    var isTruthValue = false
    if case .bool? = element["score"] { isTruthValue = true }
    var detection = Detection(
      image: image.rank, category: known, score: score, isTruthValue: isTruthValue, place: place)
    if let area { detection.area = area } else { detection.stop = stop("KeyError: 'area'", "area") }
    if let listed {
      detection.hasAreaArray = true
      detection.stop =
        detection.stop
        ?? stopOfList(listed, hasBox: box != nil).map { stop($0, "segmentation") }
    }
    if isMask {
      if areaOfBox {
        detection.region = Self.region(ofBox: Self.box(box), image)
      } else {
        detection.region = ReferenceRegion(
          segmentation, height: image.height, width: image.width)
      }
      if case .stops(let error)? = detection.region { throw stop(error, "segmentation") }
    } else if let box = Self.box(box) {
      detection.box = box
    } else if unknown == nil || form == .boxes {
      detection.stop = detection.stop ?? stop("a 'bbox' that is not a list of 4 numbers", "bbox")
    }
    return detection
  }

  /// Width times height; `nil` if the product is not a number, which is not an error yet.
  private func area(
    ofBox box: PythonValue?, _ stop: (String, String) -> ReferenceStop
  ) throws -> Double? {
    guard let box else { throw stop("KeyError: 'bbox'", "bbox") }
    guard case .list(let elements) = box else {
      throw stop("TypeError: a bbox that is not a list", "bbox")
    }
    guard elements.count >= 4 else { throw stop("IndexError: list index out of range", "bbox") }
    let numbers = elements.prefix(4).map(\.number)
    if let width = numbers[2], let height = numbers[3], numbers[0] != nil, numbers[1] != nil {
      return width * height
    }
    let error = stop("TypeError: a bbox that is not a list of 4 numbers", "bbox")
    func isText(_ place: Int) -> Bool { if case .text = elements[place] { true } else { false } }
    func isList(_ place: Int) -> Bool { if case .list = elements[place] { true } else { false } }
    func isWhole(_ place: Int) -> Bool {
      switch elements[place] {
      case .whole, .bool: true
      default: false
      }
    }
    for (first, second) in [(0, 2), (1, 3)] {
      let areAlike =
        numbers[first] != nil && numbers[second] != nil || isText(first) && isText(second)
        || isList(first) && isList(second)
      guard areAlike else { throw error }
    }
    let isRepeated = !isWhole(2) && isWhole(3) || isWhole(2) && !isWhole(3)
    guard isRepeated, numbers[2] == nil || numbers[3] == nil else { throw error }
    return nil
  }

  /// Returns the error with which pycocotools fails after loading a list of RLEs; `nil` if it does
  /// not fail.
  ///
  /// Source: `area` and `toBbox` of mask.py return an array with one entry (or row) per RLE.
  private func stopOfList(_ list: [PythonValue], hasBox: Bool) -> String? {
    if !hasBox, !isMask {
      return "Exception: list input can be bounding box (Nx4) or RLEs ([RLE])"
    }
    return list.count == 1
      ? nil : "ValueError: The truth value of an array without exactly one element is ambiguous"
  }

  /// The region of the RLE from which a result's area is computed.
  private func loaded(
    _ runs: PythonValue, _ stop: (String, String) -> ReferenceStop
  ) throws -> ReferenceRegion {
    guard case .dictionary = runs else {
      throw stop("TypeError: run lengths are not a dictionary", "segmentation")
    }
    if case .list? = runs["counts"] {
      throw stop("TypeError: expected bytes, list found", "segmentation")
    }
    let region = ReferenceRegion(runs: runs)
    if case .stops(let error) = region { throw stop(error, "segmentation") }
    return region
  }

  /// The four corners of a box as a polygon.
  private static func region(ofBox box: Box?, _ image: Image) -> ReferenceRegion {
    guard let box else { return .stops("TypeError: a bbox that is not a list of 4 numbers") }
    let (right, bottom) = (box.x + box.width, box.y + box.height)
    let corners = [box.x, box.y, box.x, bottom, right, bottom, right, box.y]
    return ReferenceRegion(
      .list([.list(corners.map { .fraction($0) })]), height: image.height, width: image.width)
  }

  /// The indices of the results that are compared, by image and category: the most confident ones.
  private func compared(_ detections: [Detection]) -> [[Int]] {
    var groups: [SIMD2<Int32>: [Int]] = [:]
    for (index, detection) in detections.enumerated() {
      groups[SIMD2(detection.image, detection.category), default: []].append(index)
    }
    return groups.values.map { group in
      let order = group.sorted {
        let (a, b) = (Self.rank(detections[$0].score), Self.rank(detections[$1].score))
        return a == b ? $0 < $1 : a > b
      }
      return Array(order.prefix(maxDetections.last ?? 0))
    }
  }

  /// Checks for errors among the most confident results: pycocotools ignores results beyond the
  /// limit.
  private func checkMostConfident(_ detections: [Detection]) throws {
    guard detections.contains(where: { $0.stop != nil }) else { return }
    let first = compared(detections).joined().filter { detections[$0].stop != nil }
      .min { detections[$0].place < detections[$1].place }
    if let stop = first.flatMap({ detections[$0].stop }) { throw stop }
  }

  /// Checks for a mix of arrays and numbers among areas, which cannot be converted to an array.
  private func checkAreas(_ detections: [Detection]) throws {
    guard detections.contains(where: \.hasAreaArray) else { return }
    let mixed = compared(detections).filter { group in
      Set(group.map { detections[$0].hasAreaArray }).count == 2
    }
    let first = mixed.joined().filter { detections[$0].hasAreaArray }
      .min { detections[$0].place < detections[$1].place }
    guard let first else { return }
    throw ReferenceStop(
      error: "ValueError: setting an array element with a sequence", side: .results,
      pointer: "/\(detections[first].place)/segmentation")
  }

  /// Checks for scores that are all `true` or `false`: numpy cannot negate a boolean array.
  private func checkTruthValues(_ detections: [Detection]) throws {
    guard detections.contains(where: \.isTruthValue) else { return }
    for category in Set(detections.map(\.category)) {
      var byImage: [Int32: [Detection]] = [:]
      for detection in detections where detection.category == category {
        byImage[detection.image, default: []].append(detection)
      }
      // An image with objects but no results has an empty list, which makes the array numeric.
      let hasOthers = zip(columns.truth.images, columns.truth.classes).contains {
        $1 == category && byImage[$0] == nil
      }
      if hasOthers { continue }
      for most in maxDetections {
        let areAll = byImage.values.allSatisfy { group in
          group.sorted {
            let (a, b) = (Self.rank($0.score), Self.rank($1.score))
            return a == b ? $0.place < $1.place : a > b
          }.prefix(most).allSatisfy(\.isTruthValue)
        }
        if areAll {
          throw ReferenceStop(
            error: "TypeError: The numpy boolean negative, the `-` operator, is not supported",
            side: .results, pointer: nil)
        }
      }
    }
  }
}
