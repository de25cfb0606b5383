import AssayCore

/// The likely meaning of the columns of a table of boxes: certain for the headers of TensorFlow and VoTT,
/// else a proposal for `--columns`.
struct BoxTableProposal: Hashable, Sendable {
  /// The text for `--columns`.
  var columns: String
  /// True for the headers of TensorFlow's object detection tutorials, of VoTT, and of assay's own export, whose meaning
  /// is certain.
  var isCertain: Bool
  /// True if a coordinate is above 1, so that it is not relative.
  var isPixels: Bool

  /// The columns of TensorFlow's header, in its order.
  static let tensorFlow = [
    "filename", "width", "height", "class", "xmin", "ymin", "xmax", "ymax",
  ]

  /// The columns of VoTT's CSV, in its order.
  static let voTT = ["image", "xmin", "ymin", "xmax", "ymax", "label"]

  /// The columns of assay's own CSV of objects, in its order.
  static let own = ["image", "split", "class", "xmin", "ymin", "xmax", "ymax"]

  static let images: Set<String> = [
    "image", "img", "filename", "file_name", "file", "path", "image_path", "img_path", "filepath",
    "file_path", "image_name", "image_file", "image_filename", "image_id", "imageid", "img_name",
  ]
  static let labels: Set<String> = [
    "label", "class", "class_name", "classname", "label_name", "labelname", "category", "name",
    "category_name", "object", "target", "class_id", "classid", "category_id", "cell_type", "dx",
  ]
  private static let corners = [
    ["xmin", "ymin", "xmax", "ymax"], ["x_min", "y_min", "x_max", "y_max"],
    ["x1", "y1", "x2", "y2"], ["x0", "y0", "x1", "y1"], ["left", "top", "right", "bottom"],
    ["bbox_x1", "bbox_y1", "bbox_x2", "bbox_y2"], ["xtl", "ytl", "xbr", "ybr"],
    ["roi.x1", "roi.y1", "roi.x2", "roi.y2"],
  ]
  private static let sizes = [
    ["x", "y", "w", "h"], ["x", "y", "width", "height"], ["bbox_x", "bbox_y", "bbox_w", "bbox_h"],
    ["bbox_x", "bbox_y", "bbox_width", "bbox_height"], ["left", "top", "width", "height"],
    ["xmin", "ymin", "w", "h"],
  ]

  /// `nil` if the table does not look like one of boxes.
  init?(_ head: TableHead) {
    let own = BoxTableForm.delimiter(of: head.file)
    for delimiter in [own, CSVFields.comma, 0x3B, 0x09] {
      if let found = Self(head, delimiter, isNamed: delimiter != own) {
        self = found
        return
      }
    }
    return nil
  }

  private init?(_ head: TableHead, _ delimiter: UInt8, isNamed: Bool) {
    let fields = CSVFields.texts(of: head.lines[0], delimiter: delimiter)
    guard fields.count >= 3 else { return nil }
    let rows = head.lines.dropFirst().map { CSVFields.texts(of: $0, delimiter: delimiter) }
      .filter { $0.count == fields.count }
    var suffix = ""
    if isNamed {
      suffix =
        ",delimiter=" + (delimiter == 0x3B ? "semicolon" : delimiter == 0x09 ? "tab" : "comma")
    }
    let plain = fields.map { $0.lowercased() }
    func name(_ place: Int) -> String { Self.name(of: place, in: fields) }
    func places(_ names: [String]) -> [Int]? {
      let found = names.compactMap { plain.firstIndex(of: $0) }
      return found.count == names.count ? found : nil
    }
    if let image = plain.firstIndex(where: Self.images.contains) {
      var box: (key: String, places: [Int])?
      if let found = Self.corners.lazy.compactMap({ places($0) }).first { box = ("box", found) }
      if box == nil, let found = Self.sizes.lazy.compactMap({ places($0) }).first {
        box = ("boxwh", found)
      }
      if box == nil, let place = plain.firstIndex(where: { $0 == "bbox" || $0 == "box" }) {
        box = ("boxwh", [place])
      }
      guard let box else { return nil }
      var text = "image=\(name(image))"
      if let label = plain.firstIndex(where: Self.labels.contains) {
        text += ",label=\(name(label))"
      }
      text += ",\(box.key)=" + box.places.map(name).joined(separator: ":")
      let isTensorFlow = !isNamed && Set(fields).isSuperset(of: Self.tensorFlow)
      if isTensorFlow { text += ",width=width,height=height" }
      let isOwn = !isNamed && fields == Self.own
      if isOwn { text += ",split=split" }
      isCertain = isTensorFlow || isOwn || (!isNamed && fields == Self.voTT)
      columns = text + suffix
      isPixels = Self.isAboveOne(rows, box.places)
      return
    }
    // RetinaNet: path,x1,y1,x2,y2,class without a header.
    let all = [fields] + rows
    guard PairPath.isImageName(fields[0]), fields.count >= 6,
      let row = all.first(where: { $0[1...4].allSatisfy { PlainNumber.parse($0[...]) != nil } }),
      all.allSatisfy({ $0[1...4].allSatisfy { $0.isEmpty || PlainNumber.parse($0[...]) != nil } })
    else { return nil }
    isCertain = false
    columns = "image=1,box=2:3:4:5,label=6" + suffix
    isPixels = Self.isAboveOne([row], [1, 2, 3, 4])
  }

  /// A column as `--columns` states it: by its name in the header, or by its number if the name would
  /// mean something else there.
  static func name(of place: Int, in fields: [String]) -> String {
    let isPlain =
      !fields[place].contains { ",=:".contains($0) } && Int(fields[place]) == nil
      && !fields[place].isEmpty && fields.count(where: { $0 == fields[place] }) == 1
    return isPlain ? fields[place] : String(place + 1)
  }

  private static func isAboveOne(_ rows: [[String]], _ places: [Int]) -> Bool {
    rows.contains { row in
      places.contains { place in
        (PlainNumber.list(row[place]) ?? []).contains { $0 > 1.01 }
      }
    }
  }

  /// The options to add to the command, as typed.
  var options: String {
    "--columns \(columns) --coordinates \(isPixels ? "pixels" : "pixels|relative")"
  }
}
