import AssayCore

/// The meaning of the features of a dataset's records: from their names, as TensorFlow's Object
/// Detection API, its image models and TensorFlow Datasets write them, or from `--columns`. It is never
/// guessed where two readings are possible.
struct TFFeatures: Sendable {
  /// The class of an image or of objects: a name, a number, or both.
  struct Class: Sendable, Equatable {
    var text: String?
    var number: String?

    var keys: [String] { [text, number].compactMap(\.self) }
  }

  /// The boxes of an image.
  enum Boxes: Sendable, Equatable {
    /// Left, top, right and bottom, or left, top, width and height, in a feature each.
    case four([String], isSized: Bool)
    /// Four numbers for each object in one feature.
    case flat(String, Order)

    enum Order: Sendable {
      case leftTopRightBottom
      /// TensorFlow Datasets' order.
      case topLeftBottomRight
      case leftTopWidthHeight
    }

    var keys: [String] {
      switch self {
      case .four(let keys, _): keys
      case .flat(let key, _): [key]
      }
    }
  }

  struct Objects: Sendable {
    var boxes: Boxes
    /// True if the coordinates are relative to the size of the image.
    var isRelative = true
    var category: Class?
    /// One encoded mask for each object.
    var masks: String?
    /// The points of all objects.
    var keypoints: Keypoints?
    /// Features with one value for each object, and the names of their attributes.
    var others: [(key: String, name: String)] = []
  }

  struct Keypoints: Sendable {
    var x: String
    var y: String
    var visibility: String?
    var text: String?

    var keys: [String] { [x, y] + [visibility, text].compactMap(\.self) }
  }

  private(set) var image: String
  private(set) var mask: String?
  private(set) var label: Class?
  private(set) var objects: Objects?
  /// The height and the width of the image.
  private(set) var size: (height: String, width: String)?
  /// The name of the image's file.
  private(set) var name: String?
  /// Features with one value for each image, and the names of their attributes.
  private(set) var attributes: [(key: String, name: String)] = []
  /// The features that are not kept.
  private(set) var ignored: [String] = []

  private static let api = "image/object/"
  private static let apiBox = ["xmin", "ymin", "xmax", "ymax"].map { api + "bbox/" + $0 }
  private static let maskNames = ["image/segmentation/class/encoded", "segmentation_mask"]
  /// Features that only repeat what the image says.
  private static let redundant: Set<String> = [
    "image/format", "image/colorspace", "image/channels", "image/key/sha256", "image/shape",
    "image/segmentation/class/format", "image/object/bbox/num", "image/object/count",
  ]

  /// - Parameter records: what the first records hold.
  /// - Throws: ``TFRecordProblem`` with the choices if several readings are possible, without images, and
  ///   for stated features that do not exist.
  init(_ records: TFFeatureCensus, _ options: ImportOptions) throws {
    let stated = try options.columns.map { try Stated($0, options.coordinates, records) }
    if let stated {
      (image, mask) = (stated.image, stated.mask)
      for key in [image, mask].compactMap(\.self) where !records.images.contains(key) {
        throw TFRecordProblem(
          "the feature “\(key)” of --columns holds no images"
            + (records.images.isEmpty ? "" : "; these do: \(Self.list(records.images))"))
      }
    } else {
      (image, mask) = try Self.pair(records)
    }
    let isStated = stated.map { $0.box != nil || $0.label != nil || $0.mask != nil } ?? false
    if let stated, isStated {
      objects = stated.box.map { Objects(boxes: $0, isRelative: stated.isRelative) }
      if let key = stated.label {
        let found =
          records.kind(key) == .bytes
          ? Class(text: key, number: nil) : Class(text: nil, number: key)
        if objects != nil { objects?.category = found } else { label = found }
      }
    } else {
      objects = Self.objects(records)
      label = try Self.label(records, objects)
    }
    if mask != nil { (label, objects) = (nil, nil) }
    finish(records)
  }

  private static func list(_ names: [String]) -> String {
    names.prefix(12).joined(separator: ", ") + (names.count > 12 ? ", …" : "")
  }

  /// The features of images and index masks.
  private static func pair(_ records: TFFeatureCensus) throws -> (String, String?) {
    let images = records.images.filter { $0 != api + "mask" }
    guard !images.isEmpty else {
      throw TFRecordProblem(
        "none of its features holds images; its features: \(list(records.keys))")
    }
    let mask = maskNames.first(where: images.contains)
    if images.contains("image/encoded") { return ("image/encoded", mask) }
    let others = images.filter { $0 != mask }
    guard others.count == 1 else {
      throw TFRecordProblem(
        "\(images.count) features hold images: \(list(images)); state the one to import with --columns "
          + "image=\(others.first ?? images[0]), and the index masks, if there are any, with mask=FEATURE"
      )
    }
    return (others[0], mask)
  }

  private static func objects(_ records: TFFeatureCensus) -> Objects? {
    if apiBox.allSatisfy({ records.kind($0) != nil && records.kind($0) != .bytes }) {
      var objects = Objects(boxes: .four(apiBox, isSized: false))
      objects.category = classes(records, text: api + "class/text", number: api + "class/label")
      // Those of ImageNet's boxes.
      if objects.category == nil {
        objects.category = classes(records, text: nil, number: api + "bbox/label")
      }
      if records.images.contains(api + "mask") { objects.masks = api + "mask" }
      let points = api + "keypoint/"
      if records.kind(points + "x") == .floats, records.kind(points + "y") == .floats {
        objects.keypoints = Keypoints(
          x: points + "x", y: points + "y",
          visibility: records.kind(points + "visibility") == .integers
            ? points + "visibility" : nil,
          text: records.kind(points + "text") == .bytes ? points + "text" : nil)
      }
      return objects
    }
    // TensorFlow Datasets' features `objects/bbox` and `objects/label`.
    guard records.kind("objects/bbox") == .floats else { return nil }
    var objects = Objects(boxes: .flat("objects/bbox", .topLeftBottomRight))
    objects.category = classes(records, text: nil, number: "objects/label")
    return objects
  }

  private static func classes(
    _ records: TFFeatureCensus, text: String?, number: String
  ) -> Class? {
    let text = text.flatMap { records.kind($0) == .bytes ? $0 : nil }
    let isText = records.kind(number) == .bytes
    let found = Class(
      text: text ?? (isText ? number : nil),
      number: records.kind(number) == .integers ? number : nil)
    return found.keys.isEmpty ? nil : found
  }

  private static func label(_ records: TFFeatureCensus, _ objects: Objects?) throws -> Class? {
    if let found = classes(records, text: "image/class/text", number: "image/class/label") {
      return found
    }
    let fields = HFMetadata.labelFields.filter { key in
      records.kind(key) == .integers
        || (records.kind(key) == .bytes && !records.images.contains(key))
    }
    guard fields.count < 2 else {
      throw TFRecordProblem(
        "\(fields.count) features hold labels: \(list(fields)); state the one to import with "
          + "--columns image=FEATURE,label=\(fields[0])")
    }
    return fields.first.flatMap { classes(records, text: nil, number: $0) }
  }

  /// Assigns the remaining features.
  private mutating func finish(_ records: TFFeatureCensus) {
    var read = Set([image, mask].compactMap(\.self) + (label?.keys ?? []))
    for (height, width) in [("image/height", "image/width"), ("height", "width")]
    where size == nil && records.kind(height) == .integers && records.kind(width) == .integers {
      size = (height, width)
      read.formUnion([height, width])
    }
    name = ["image/filename", "filename", "file_name"].first { records.kind($0) == .bytes }
    if let name { read.insert(name) }
    if var found = objects {
      read.formUnion(
        found.boxes.keys + (found.category?.keys ?? []) + (found.keypoints?.keys ?? []))
      if let masks = found.masks { read.insert(masks) }
      read.formUnion(["image/object/keypoint/num"])
      let first = found.boxes.keys[0]
      let parent =
        first.hasPrefix(Self.api)
        ? Self.api : first.split(separator: "/").dropLast().map { $0 + "/" }.joined()
      for key in records.keys where !parent.isEmpty && key.hasPrefix(parent) && !read.contains(key)
      {
        let name = String(key.dropFirst(parent.count))
        guard !name.contains("/"), !records.images.contains(key) else { continue }
        found.others.append((key, name))
        read.insert(key)
      }
      objects = found
    }
    for key in records.keys where !read.contains(key) && !Self.redundant.contains(key) {
      guard records.isScalar(key), mask == nil else {
        ignored.append(key)
        continue
      }
      let name = key.hasPrefix("image/") ? String(key.dropFirst("image/".count)) : key
      attributes.append((key, name))
    }
  }
}

extension TFFeatures {
  /// The features that `--columns` states.
  private struct Stated {
    var image: String
    var mask: String?
    var label: String?
    var box: Boxes?
    var isRelative = false

    init(
      _ columns: BoxTableColumns, _ coordinates: BoxCoordinates?, _ records: TFFeatureCensus
    ) throws {
      func name(_ column: BoxTableColumns.Column) throws -> String {
        guard case .named(let name) = column else {
          throw TFRecordProblem("--columns names the features of records, which have no numbers")
        }
        guard records.kind(name) == nil else { return name }
        let near = NearMiss.suggestion(for: name, among: records.keys)
        throw TFRecordProblem(
          "there is no feature “\(name)”, named by --columns"
            + (near.map { " (did you mean “\($0)”?)" }
              ?? "; features: \(TFFeatures.list(records.keys))"))
      }
      image = try name(columns.image)
      mask = try columns.mask.map(name)
      label = try columns.label.map(name)
      guard let stated = columns.box else { return }
      guard let coordinates else {
        throw TFRecordProblem("--columns needs --coordinates pixels or --coordinates relative")
      }
      isRelative = coordinates == .relative
      let keys = try stated.columns.map(name)
      for key in keys where records.kind(key) == .bytes {
        throw TFRecordProblem("the feature “\(key)” of --columns holds no numbers")
      }
      box =
        keys.count == 4
        ? .four(keys, isSized: stated.isSized)
        : .flat(keys[0], stated.isSized ? .leftTopWidthHeight : .leftTopRightBottom)
    }
  }
}
