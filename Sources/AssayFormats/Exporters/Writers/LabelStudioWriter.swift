import AssayCore

/// Writes Label Studio's JSON of tasks: `tasks.json` and `images/`; coordinates in percent, masks as
/// its brush run lengths. The split is the field `split` of the task's data and the folder
/// of its image.
struct LabelStudioWriter: DatasetExporter {
  let capabilities: ExportCapabilities
  private let dataset: ExportDataset

  init(_ dataset: ExportDataset) {
    self.dataset = dataset
    var can = ExportCapabilities()
    can.shapes = [.box, .polygon, .mask]
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
    var results: [JSONValue] = []
    if !image.labels.isEmpty {
      let names = image.labels.map { JSONValue.string(dataset.classes[$0].name) }
      results.append([
        "id": .string("image-\(image.number + 1)"), "type": "choices", "from_name": "choice",
        "to_name": "image", "value": ["choices": .array(names)],
      ])
    }
    for (place, object) in image.objects.enumerated() {
      let (type, value) = Self.value(of: object, in: size)
      let name = dataset.classes[object.category].name
      results.append([
        "id": .string("object-\(image.number + 1)-\(place + 1)"), "type": .string(type),
        "from_name": .string(type.replacing("labels", with: "")), "to_name": "image",
        "original_width": JSONValue(size.width), "original_height": JSONValue(size.height),
        "image_rotation": 0, "value": .object(value + [.init(type, [.string(name)])]),
      ])
    }
    let task: JSONValue = [
      "id": JSONValue(image.number + 1), "data": .object(data),
      "annotations": [["id": JSONValue(image.number + 1), "result": .array(results)]],
      "predictions": [],
    ]
    return Array(task.text().utf8)
  }

  private static func value(
    of object: ExportObject, in size: ImageSize
  ) -> (type: String, value: [JSONValue.Member]) {
    func percent(_ value: Double, of side: Int) -> JSONValue {
      .number((value / Double(side) * 1e12).rounded() / 1e10)
    }
    switch object.shape {
    case .polygons(let polygons):
      let list = polygons.first ?? []
      let points = stride(from: 0, to: list.count - 1, by: 2).map { place -> JSONValue in
        [percent(list[place], of: size.width), percent(list[place + 1], of: size.height)]
      }
      return ("polygonlabels", [.init("points", .array(points)), .init("closed", true)])
    case .mask(let mask):
      let bytes = BrushRuns.encode(mask).map { JSONValue.integer(Int64($0)) }
      return ("brushlabels", [.init("format", "rle"), .init("rle", .array(bytes))])
    case .box, .lines, .points, .tag:
      let box = object.box
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
