import AssayCore
import AssayImaging
import Foundation

/// A seeded random dataset as COCO, with the oddities that formats stumble over: names with blanks,
/// umlauts and quotes, empty images, crowds, masks with holes, objects of several parts, boxes at and
/// beyond the edge, keypoints, attributes, EXIF rotation, odd sizes.
struct RandomDataset {
  private var random: SplitMix64
  private let folder: URL

  static let classes = [
    "zebra", "traffic light", "Straße", "say \"hi\" & <b>", "a,b; c: 'd' #e", "=1+1", "person",
    " blank\u{A0}", "background", "masks",
  ]

  init(seed: UInt64, folder: URL) {
    random = SplitMix64(seed: seed)
    self.folder = folder
  }

  private mutating func number(_ range: ClosedRange<Int>) -> Int {
    range.lowerBound + Int(random.next() % UInt64(range.count))
  }

  /// Writes the dataset.
  ///
  /// - Parameter keypoints: whether objects can have keypoints.
  mutating func write(keypoints: Bool) throws {
    var id = 0
    for (split, count) in [("train", 9), ("val", 4)] {
      var images: [JSONValue] = []
      var annotations: [JSONValue] = []
      for place in 0..<count {
        let size = ImageSize(width: number(1...41), height: number(1...41))
        let names = ["x", "Bild ä", "it's \"q\"", "semi;colon", "A", "a", "dot.dot"]
        let folderName = number(0...2) == 0 ? "sub dir/" : ""
        let isRotated = number(0...4) == 0
        let name = "\(folderName)\(names[number(0...6)]) \(place).\(isRotated ? "jpg" : "png")"
        let stored = isRotated ? ImageSize(width: size.height, height: size.width) : size
        let raster = Raster<UInt8>(
          repeating: UInt8(number(0...255)), width: stored.width, height: stored.height, channels: 3
        )
        try write(
          isRotated
            ? Self.rotated(ImageCodec.encodeJPEG(raster, quality: 80))
            : ImageCodec.encodePNG(raster),
          to: "images/\(split)/\(name)")
        var image: [JSONValue.Member] = [
          .init("id", JSONValue(100 * place + (split == "val" ? 7 : 3))),
          .init("file_name", .string(name)), .init("width", JSONValue(size.width)),
          .init("height", JSONValue(size.height)),
        ]
        if number(0...2) == 0 {
          image += [
            .init("subject", JSONValue(number(0...5))), .init("license", 3),
            .init("scene", ["weather": "Regen & \"Schnee\"", "hours": [1, 2.5, nil]]),
          ]
        }
        images.append(.object(image))
        guard number(0...3) > 0 else { continue }
        for _ in 0..<number(1...5) {
          id += 1
          var members: [JSONValue.Member] = [
            .init("id", JSONValue(id)), .init("image_id", images[images.count - 1]["id"] ?? .null),
            .init("category_id", JSONValue(number(1...Self.classes.count - 1) * 2)),
          ]
          members += object(in: size, keypoints: keypoints)
          annotations.append(.object(members))
        }
      }
      let categories = Self.classes.enumerated().map { place, name -> JSONValue in
        ["id": JSONValue(2 * place + 2), "name": .string(name)]
      }
      let file: JSONValue = [
        "images": .array(images), "annotations": .array(annotations),
        "categories": .array(categories),
      ]
      try write(Array(file.text().utf8), to: "annotations/instances_\(split).json")
    }
  }

  private mutating func object(in size: ImageSize, keypoints: Bool) -> [JSONValue.Member] {
    let (width, height) = (size.width, size.height)
    func box(_ list: [Double]) -> JSONValue.Member {
      .init("bbox", .array(list.map { .number($0) }))
    }
    var members: [JSONValue.Member] = []
    switch number(0...5) {
    case 0, 1:
      let x = Double(number(-50...100 * width - 50)) / 100
      let y = Double(number(-50...100 * height - 50)) / 100
      let (w, h) = (Double(number(60...100 * width)) / 100, Double(number(60...100 * height)) / 100)
      members = [box([x, y, w, h]), .init("area", .number(w * h)), .init("iscrowd", 0)]
    case 2:
      let points = (0..<2 * number(3...6)).map { place in
        JSONValue.number(Double(number(0...100 * (place % 2 == 0 ? width : height))) / 100)
      }
      members = [.init("segmentation", [.array(points)]), .init("iscrowd", 0)]
    case 3:
      let parts = (0..<number(2...3)).map { _ in
        JSONValue.array(
          (0..<6).map { .number(Double(number(0...10 * ($0 % 2 == 0 ? width : height))) / 10) })
      }
      members = [.init("segmentation", .array(parts)), .init("iscrowd", 0)]
    default:
      var runs: [Int] = []
      var rest = width * height
      while rest > 0 {
        let run = min(rest, number(runs.isEmpty ? 0...5 : 1...max(1, width * height / 2)))
        runs.append(run)
        rest -= run
      }
      if runs.count < 2 { runs = [0, width * height] }
      members = [
        .init(
          "segmentation",
          [
            "size": [JSONValue(height), JSONValue(width)],
            "counts": .array(runs.map { JSONValue($0) }),
          ]), .init("iscrowd", JSONValue(number(0...1))),
      ]
    }
    if keypoints, number(0...1) == 0 {
      let visible = number(0...2)
      members.append(
        .init(
          "keypoints",
          [
            JSONValue(number(0...width)), .number(Double(height) / 3), JSONValue(visible), 0, 0, 0,
          ]))
      members.append(.init("num_keypoints", JSONValue(visible > 0 ? 1 : 0)))
    }
    if number(0...2) == 0 {
      members.append(.init("truncated", .bool(number(0...1) == 0)))
      members.append(.init("note", .string("ä \"q\" <x>\n2")))
    }
    return members
  }

  private func write(_ bytes: [UInt8], to path: String) throws {
    let file = folder.appending(path: path)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(bytes).write(to: file)
  }

  /// A JPEG with the EXIF orientation 6: displayed rotated by 90°.
  private static func rotated(_ jpeg: [UInt8]) -> [UInt8] {
    let exif: [UInt8] =
      Array("Exif\0\0MM\0*".utf8) + [0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, 6, 0, 0]
      + [0, 0, 0, 0]
    let length = exif.count + 2
    return Array(jpeg[..<2]) + [0xFF, 0xE1, UInt8(length >> 8), UInt8(length & 255)] + exif
      + Array(jpeg[2...])
  }
}
