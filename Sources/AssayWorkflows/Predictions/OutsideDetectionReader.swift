import AssayCore
import AssayFormats
import Foundation

/// Reads the detection files of Ultralytics, supervision and FiftyOne.
struct OutsideDetectionReader {
  let tree: DirectoryTree
  let options: PredictionFileOptions
  let numbering: ClassNumbering

  /// The maximum size of a JSON file, which is in memory as a whole.
  private static let jsonLimit = 1 << 30

  /// - Throws: `FormatError`, ``SourceError``.
  func read(_ format: OutsideDetectionFormat) throws -> OutsideDetections {
    switch format {
    case .yoloLabels:
      try YOLOResultLabels(
        tree: tree, numbering: numbering, areClassesGiven: options.classes != nil
      ).read()
    case .supervisionTable:
      try SupervisionTable(tree: tree, options: options, numbering: numbering).read()
    case .supervisionJSON: try supervision(try json())
    case .ultralytics: try ultralytics(try json())
    case .fiftyOne: try fiftyOne(try json())
    }
  }

  private func json() throws -> JSONValue {
    let bytes = try tree.readAll(tree.name, limit: Self.jsonLimit)
    do {
      return try JSONValue(parsing: bytes, JSONReading())
    } catch {
      throw FormatError.predictions(tree.name, problem: "broken JSON: \(error)")
    }
  }

  private func refuse(_ place: String, _ problem: String) -> FormatError {
    .predictions(tree.name, problem: place.isEmpty ? problem : "\(place): \(problem)")
  }

  /// The class of a value: a name, or a number if numbers are stated.
  private func name(_ value: JSONValue?, _ place: String) throws -> String {
    guard let text = value.flatMap(Self.text) else { throw refuse(place, "the class is missing") }
    return try Self.className(text, numbering) { refuse(place, $0) }
  }

  /// The class that a text means.
  static func className(
    _ text: String, _ numbering: ClassNumbering, _ refuse: (String) -> FormatError
  ) throws -> String {
    if let place = numbering.index(of: text) { return numbering.names[place] }
    guard Int(text) == nil else { throw refuse(numbering.problem(text)) }
    return text
  }

  private static func text(_ value: JSONValue) -> String? {
    switch value {
    case .string(let text): text.isEmpty ? nil : text
    case .integer(let number): String(number)
    case .number(let number): Int(exactly: number).map(String.init)
    case .null, .bool, .array, .object: nil
    }
  }

  private static func number(_ value: JSONValue?) -> Double? {
    switch value {
    case .string(let text)?: Double(text)
    default: value?.double
    }
  }

  private func ultralytics(_ json: JSONValue) throws -> OutsideDetections {
    var found = OutsideDetections(isRelative: false)
    guard let elements = json.elements else {
      throw refuse("", "expected a list of results")
    }
    for (index, element) in elements.enumerated() {
      let place = "/\(index)"
      guard let key = element["image_id"].flatMap(Self.text) else {
        throw refuse(place, "the image_id is missing")
      }
      guard element["rle"] == nil, element["segmentation"] == nil, element["keypoints"] == nil
      else {
        throw refuse(
          place,
          "results with masks or keypoints are read by the images' ids in the ground truth; "
            + "write these as image_id and omit --class-numbers")
      }
      guard let box = element["bbox"]?.elements?.map(\.double), box.count == 4,
        let x = box[0], let y = box[1], let width = box[2], let height = box[3],
        let score = element["score"]?.double
      else { throw refuse(place, "expected bbox as [x, y, width, height] and a score") }
      let name = try name(element["category_id"], place)
      do throws(DetectionProblem) {
        try found.add(
          key, class: name, confidence: score, x: x, y: y, width: width, height: height)
      } catch { throw refuse(place, error.text) }
    }
    return found
  }

  private func supervision(_ json: JSONValue) throws -> OutsideDetections {
    var found = OutsideDetections(isRelative: false)
    guard let key = options.key else { throw refuse("", SupervisionTable.noKey) }
    for (index, element) in (json.elements ?? []).enumerated() {
      let place = "/\(index)"
      guard let image = element[key].flatMap(Self.text) else {
        throw refuse(place, "--key-column: there is no “\(key)”")
      }
      let sides = SupervisionTable.sides.map { Self.number(element[$0]) }
      guard let left = sides[0], let top = sides[1], let right = sides[2], let bottom = sides[3]
      else { throw refuse(place, "expected numbers x_min, y_min, x_max and y_max") }
      guard let score = Self.number(element["confidence"]) else {
        throw refuse(place, "the confidence is missing")
      }
      let hasName = element["class_name"].flatMap(Self.text) != nil
      guard hasName || numbering.first != nil else { throw refuse(place, SupervisionTable.noClass) }
      let name =
        if hasName, numbering.first == nil, let text = element["class_name"].flatMap(Self.text) {
          text
        } else { try name(element["class_id"], place) }
      do throws(DetectionProblem) {
        try found.add(
          image, class: name, confidence: score, x: left, y: top, width: right - left,
          height: bottom - top)
      } catch { throw refuse(place, error.text) }
    }
    return found
  }

  private func fiftyOne(_ json: JSONValue) throws -> OutsideDetections {
    var found = OutsideDetections(isRelative: true)
    guard case .object(let images)? = json["labels"] else {
      throw refuse("", "expected {\"classes\": […], \"labels\": {image: [detections]}}")
    }
    let classes = json["classes"]?.elements?.map { $0.text ?? "" }
    for image in images {
      _ = found.image(image.name)
      // A list, or the whole field as FiftyOne's own JSON has it.
      let list = image.value.elements ?? image.value["detections"]?.elements
      guard let list = list ?? (image.value == .null ? [] : nil) else {
        throw refuse("/labels/\(image.name)", "expected a list of detections")
      }
      for (index, element) in list.enumerated() {
        let place = "/labels/\(image.name)/\(index)"
        guard let score = element["confidence"]?.double else {
          throw refuse(
            place,
            "the confidence is missing, as in ground truth; export the field of predictions: "
              + "label_field=\"predictions\"")
        }
        guard let box = element["bounding_box"]?.elements?.map(\.double), box.count == 4,
          let x = box[0], let y = box[1], let width = box[2], let height = box[3]
        else { throw refuse(place, "expected bounding_box as [x, y, width, height]") }
        guard max(abs(x), abs(y), width, height) <= 2 else {
          throw refuse(
            place,
            "expected bounding_box as shares of the image, found \(x), \(y), \(width), \(height)")
        }
        let name: String
        switch element["label"] {
        case .string(let text)?: name = text
        case .integer(let number)?:
          guard let classes, let place = Int(exactly: number), classes.indices.contains(place),
            !classes[place].isEmpty
          else { throw refuse(place, "\(number) is not the number of one of the file's classes") }
          name = classes[place]
        default: throw refuse(place, "the label is missing")
        }
        do throws(DetectionProblem) {
          try found.add(
            image.name, class: name, confidence: score, x: x, y: y, width: width, height: height)
        } catch { throw refuse(place, error.text) }
      }
    }
    return found
  }
}
