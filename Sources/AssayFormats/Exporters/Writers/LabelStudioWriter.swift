import AssayCore

/// Writes Label Studio's JSON of tasks: `tasks.json` and `images/`; coordinates in percent, masks as
/// its brush run lengths. The split is the field `split` of the task's data and the folder
/// of its image. The results of a run become predictions, from which people start.
struct LabelStudioWriter: DatasetExporter {
  let capabilities: ExportCapabilities
  private let dataset: ExportDataset

  init(_ dataset: ExportDataset) {
    self.dataset = dataset
    var can = ExportCapabilities()
    can.shapes = [.box, .polygon, .mask, .polyline, .points]
    can.pointLimit = 1
    can.labels = .set
    can.splits = .folders
    can.numbers = .relative
    can.needsSizes = true
    capabilities = can
  }

  func imageFolder(split: Int, label: Int?) -> String {
    SortedFiles.join("images", dataset.splits[split].folder).trimmedSlash
  }

  var tables: [ExportTable] {
    [
      ExportTable(
        path: "tasks.json", split: nil, sections: [.init("[\n", separator: ",\n")],
        closing: "\n]\n")
    ]
  }

  func rows(_ image: ExportImage, table: Int, section: Int) -> [UInt8] {
    guard let size = image.size else { return [] }
    var data: [JSONValue.Member] = [.init("image", .string(image.path))]
    let split = dataset.splits[image.split].folder
    if !split.isEmpty { data.append(.init("split", .string(split))) }
    let labels = image.labels.map { dataset.classes[$0].name }
    var results: [JSONValue] = []
    if !labels.isEmpty { results.append(Self.choices(labels, "image-\(image.number + 1)")) }
    for (place, object) in image.objects.enumerated() {
      results.append(
        .object(
          Self.region(
            object.shape, object.box, dataset.classes[object.category].name, in: size,
            id: "object-\(image.number + 1)-\(place + 1)")))
    }
    // A task with an annotation counts as done, even an empty one.
    let isOpen = dataset.hasPredictions && !dataset.hasObjects && !dataset.hasLabels
    let task: JSONValue = [
      "id": JSONValue(image.number + 1), "data": .object(data),
      "annotations": isOpen
        ? [] : [["id": JSONValue(image.number + 1), "result": .array(results)]],
      "predictions": .array(image.prediction.map { [prediction($0, image.number, size)] } ?? []),
    ]
    return Array(task.text().utf8)
  }

  /// The results of a run, as Label Studio shows them before somebody annotates.
  private func prediction(
    _ found: ExportPrediction, _ number: Int, _ size: ImageSize
  ) -> JSONValue {
    var results: [JSONValue] = []
    if !found.labels.isEmpty {
      results.append(Self.choices(found.labels.map(\.name), "predicted-image-\(number + 1)"))
    }
    for (place, object) in found.objects.enumerated() {
      let region = Self.region(
        object.shape, object.box, object.name, in: size,
        id: "predicted-\(number + 1)-\(place + 1)")
      results.append(.object(region + (object.score.map { [.init("score", .number($0))] } ?? [])))
    }
    return .object(
      [.init("model_version", .string(found.run))]
        + (found.score.map { [.init("score", .number($0))] } ?? [])
        + [.init("result", .array(results))])
  }

  private static func choices(_ names: [String], _ id: String) -> JSONValue {
    [
      "id": .string(id), "type": "choices", "from_name": "choice", "to_name": "image",
      "value": ["choices": .array(names.map { .string($0) })],
    ]
  }

  private static func region(
    _ shape: ExportObject.Shape, _ box: Box, _ name: String, in size: ImageSize, id: String
  ) -> [JSONValue.Member] {
    let (type, value) = value(of: shape, box, in: size)
    return [
      .init("id", .string(id)), .init("type", .string(type)),
      .init("from_name", .string(type.replacing("labels", with: ""))), .init("to_name", "image"),
      .init("original_width", JSONValue(size.width)),
      .init("original_height", JSONValue(size.height)), .init("image_rotation", 0),
      .init("value", .object(value + [.init(type, [.string(name)])])),
    ]
  }

  private static func value(
    of shape: ExportObject.Shape, _ box: Box, in size: ImageSize
  ) -> (type: String, value: [JSONValue.Member]) {
    func percent(_ value: Double, of side: Int) -> JSONValue {
      .number((value / Double(side) * 1e12).rounded() / 1e10)
    }
    func outline(_ list: [Double], isClosed: Bool) -> (type: String, value: [JSONValue.Member]) {
      let points = stride(from: 0, to: list.count - 1, by: 2).map { place -> JSONValue in
        [percent(list[place], of: size.width), percent(list[place + 1], of: size.height)]
      }
      return (
        "polygonlabels", [.init("points", .array(points)), .init("closed", .bool(isClosed))]
      )
    }
    switch shape {
    case .polygons(let polygons): return outline(polygons.first ?? [], isClosed: true)
    case .lines(let lines): return outline(lines.first ?? [], isClosed: false)
    case .points(let point):
      return (
        "keypointlabels",
        [
          .init("x", percent(point[0], of: size.width)),
          .init("y", percent(point[1], of: size.height)),
          // A part of the image's width, without which Label Studio draws nothing.
          .init("width", .number(0.5)),
        ]
      )
    case .mask(let mask):
      let bytes = BrushRuns.encode(mask).map { JSONValue.integer(Int64($0)) }
      return ("brushlabels", [.init("format", "rle"), .init("rle", .array(bytes))])
    case .box, .tag:
      return (
        "rectanglelabels",
        [
          .init("x", percent(box.x, of: size.width)), .init("y", percent(box.y, of: size.height)),
          .init("width", percent(box.width, of: size.width)),
          .init("height", percent(box.height, of: size.height)), .init("rotation", 0),
        ]
      )
    }
  }
}

/// The run lengths of Label Studio's brush: a bit stream over the four channels of every pixel, row by
/// row.
///
/// The head is the number of values (32 bits), the bits of a value less 1 (5), and four lengths' bits
/// less 1 (4 each). A run is a bit 1, two bits that choose one of the four lengths, the length less 1,
/// and the value.
enum BrushRuns {
  private static let lengths = [3, 4, 8, 16]

  static func encode(_ mask: Mask) -> [UInt8] {
    var bits = BitWriter()
    bits.append(mask.size.area * 4, count: 32)
    bits.append(7, count: 5)
    for length in lengths { bits.append(length - 1, count: 4) }
    let raster = mask.raster(inside: 255)
    var (value, length) = (raster.elements.first ?? 0, 0)
    func flush() {
      var rest = length * 4
      while rest > 0 {
        let run = min(rest, 1 << 16)
        let choice = lengths.firstIndex { run <= 1 << $0 } ?? 3
        bits.append(1, count: 1)
        bits.append(choice, count: 2)
        bits.append(run - 1, count: lengths[choice])
        bits.append(Int(value), count: 8)
        rest -= run
      }
    }
    for element in raster.elements {
      if element == value {
        length += 1
      } else {
        flush()
        (value, length) = (element, 1)
      }
    }
    flush()
    return bits.bytes
  }

  private struct BitWriter {
    var bytes: [UInt8] = []
    private var filled = 8

    mutating func append(_ value: Int, count: Int) {
      for place in (0..<count).reversed() {
        if filled == 8 {
          bytes.append(0)
          filled = 0
        }
        if value >> place & 1 == 1 { bytes[bytes.count - 1] |= 0x80 >> UInt8(filled) }
        filled += 1
      }
    }
  }
}
