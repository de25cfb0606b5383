import AssayCore

/// Writes CVAT's XML for images, version 1.1: `annotations.xml` and `images/`; splits are subsets.
///
/// The tracks of a film are elements `track` after the images, as in CVAT's XML for video; their frames are the
/// ids of the images.
struct CVATWriter: DatasetExporter {
  let capabilities: ExportCapabilities
  private let dataset: ExportDataset
  /// The skeletons of classes whose objects are all such.
  private let skeletons: [Int: CVATSkeleton]

  init(_ dataset: ExportDataset) {
    self.dataset = dataset
    var can = ExportCapabilities()
    can.shapes = [.box, .polygon, .mask, .polyline, .points, .tag]
    can.labels = .set
    can.attributes = .plain
    can.reservedAttributes = [
      "label", "points", "xtl", "ytl", "xbr", "ybr", "cx", "cy", "rx", "ry", "rle", "left", "top",
      "width", "height", "rotation", "annotation_type",
    ]
    can.rotatedBoxes = true
    can.trimsTexts = true
    can.numbers = .corners
    can.classNames = .xml
    can.unusedClasses = true
    can.classOrder = true
    can.needsSizes = true
    var skeletons: [Int: CVATSkeleton] = [:]
    for (ordinal, category) in dataset.classes.enumerated()
    where !dataset.otherThanKeypoints.contains(ordinal) {
      skeletons[ordinal] = CVATSkeleton(of: category)
    }
    self.skeletons = skeletons
    can.keypoints = .ofPoints(
      counts: skeletons.mapValues(\.points.count), isApart: !dataset.keypointClasses.isEmpty)
    can.keypointClasses = dataset.keypointClasses
    can.groupAttribute = "group_id"
    can.tracks = Set(dataset.tracks.map(\.number))
    can.classFields = .named(skeletons.isEmpty ? [] : ["keypoints", "skeleton"])
    capabilities = can
  }

  func imageFolder(split: Int, label: Int?) -> String {
    SortedFiles.join("images", dataset.splits[split].folder).trimmedSlash
  }

  var tables: [ExportTable] {
    let attributes = dataset.attributes.filter {
      !Self.own.contains($0) && !capabilities.reservedAttributes.contains($0)
    }.sorted().map {
      "<attribute>\(XMLText.element("name", $0))<mutable>False</mutable>"
        + "<input_type>text</input_type><default_value></default_value><values></values></attribute>"
    }.joined()
    let labels = dataset.classes.enumerated().map { ordinal, category in
      let skeleton = skeletons[ordinal]
      return "      <label>\(XMLText.element("name", category.name))"
        + "<type>\(skeleton == nil ? "any" : "skeleton")</type><attributes>\(attributes)"
        + "</attributes>\(skeleton?.drawing ?? "")</label>\n"
        + (skeleton?.labels(of: category.name) ?? "")
    }.joined()
    let tracks = dataset.tracks
    let size = dataset.frameSize.map {
      "<original_size><width>\($0.width)</width><height>\($0.height)</height></original_size>"
    }
    // Datumaro finds the images of subsets only if a project lists them.
    let subsets = tracks.isEmpty ? dataset.splits.compactMap(\.name) : []
    let kind = subsets.isEmpty ? "task" : "project"
    let listed =
      subsets.isEmpty
      ? ""
      : "\n    <subsets>" + subsets.map { XMLText.element("subset", $0) }.joined() + "</subsets>"
    let opening = """
      <?xml version="1.0" encoding="utf-8"?>
      <annotations>
        <version>1.1</version>
        <meta><\(kind)>
          \(XMLText.element("name", dataset.name))<size>\(count)</size>\
      <mode>\(tracks.isEmpty ? "annotation" : "interpolation")</mode>\(size ?? "")
          <labels>
      \(labels)    </labels>\(listed)
        </\(kind)></meta>

      """
    var sections = [ExportTable.Section(opening, separator: "")]
    for (place, track) in tracks.enumerated() {
      let subset = dataset.splits.first?.name.map { " subset=\"\(XMLText.escaped($0))\"" }
      sections.append(
        .init(
          (place == 0 ? "" : Self.trackEnd)
            + "  <track id=\"\(track.number)\" label=\"\(label(track.category))\" "
            + "source=\"manual\"\(subset ?? "")>\n",
          separator: "", images: (track.frames.first ?? 0)..<(track.frames.last ?? 0) + 1))
    }
    return [
      ExportTable(
        path: "annotations.xml", split: nil, sections: sections,
        closing: (tracks.isEmpty ? "" : Self.trackEnd) + "</annotations>\n")
    ]
  }

  private static let trackEnd = "  </track>\n"

  private var count: Int { dataset.splits.reduce(0) { $0 + $1.images } }

  var notes: [String] { dataset.trackNotes }

  func rows(_ image: ExportImage, table: Int, section: Int) -> [UInt8] {
    guard let size = image.size else { return [] }
    if section > 0 { return rows(image, of: dataset.tracks[section - 1]) }
    let name = image.path.hasPrefix("images/") ? String(image.path.dropFirst(7)) : image.path
    let subset = dataset.splits[image.split].name.map { " subset=\"\(XMLText.escaped($0))\"" }
    var text =
      "  <image id=\"\(image.number)\" name=\"\(XMLText.escaped(name))\"\(subset ?? "")"
      + " width=\"\(size.width)\" height=\"\(size.height)\">\n"
    for label in image.labels {
      text += "    <tag label=\"\(self.label(label))\" source=\"manual\">\n    </tag>\n"
    }
    for object in image.objects where object.track(in: capabilities.tracks) == nil {
      text += self.text(of: object)
    }
    return Array((text + "  </image>\n").utf8)
  }

  /// The shapes of a track on a frame: that of its object, and one that is outside on the next frame if the
  /// object is not there.
  private func rows(_ image: ExportImage, of track: ExportTrack) -> [UInt8] {
    let object = image.objects.first { $0.track(in: [track.number]) != nil }
    guard let object else { return [] }
    var text = self.text(of: object, frame: image.number)
    if track.ends(at: image.number, of: count) {
      text += self.text(of: object, frame: image.number + 1, isOutside: true)
    }
    return Array(text.utf8)
  }

  private func label(_ category: Int) -> String {
    XMLText.escaped(dataset.classes[category].name)
  }

  /// - Parameters:
  ///   - frame: the frame of a shape of a track; `nil` for a shape of an image.
  ///   - isOutside: whether the object has left the frame.
  private func text(of object: ExportObject, frame: Int? = nil, isOutside: Bool = false) -> String {
    var (tag, shape) = Self.shape(of: object)
    var points = ""
    if let skeleton = skeletons[object.category], let keypoints = object.keypoints {
      (tag, shape) = ("skeleton", "")
      points = skeleton.elements(keypoints)
    }
    var own: [String: String] = ["source": "manual"]
    if object.shape != .tag {
      // A skeleton's points are occluded, each for itself.
      if points.isEmpty { own["occluded"] = "0" }
      own["z_order"] = "0"
    }
    for attribute in object.attributes where Self.own.contains(attribute.name) {
      let isTrue = attribute.value == true
      own[attribute.name] =
        attribute.value == false ? "0" : isTrue ? "1" : Self.text(attribute.value)
    }
    let unwritten: Set<String> = [
      ExportObject.keypointsName, ExportObject.keypointCountName, RotatedBox.attribute,
    ]
    let attributes = (isOutside ? [] : object.attributes).filter {
      !Self.own.contains($0.name) && !unwritten.contains($0.name)
        && (frame.map($0.isSaid(byTrackAt:)) ?? nil) == nil
    }.map {
      "      <attribute name=\"\(XMLText.escaped($0.name))\">\(Self.text($0.value))</attribute>\n"
    }.joined()
    return
      "    <\(tag) "
      + (frame.map { "frame=\"\($0)\" keyframe=\"1\" outside=\"\(isOutside ? 1 : 0)\" " }
        ?? "label=\"\(label(object.category))\" ")
      + own.sorted { $0.key < $1.key }.map { "\($0.key)=\"\($0.value)\" " }.joined()
      + "\(shape)>\n\(points)\(attributes)"
      + "    </\(tag)>\n"
  }

  /// The attributes that CVAT has for every shape.
  private static let own: Set<String> = ["group_id", "occluded", "source", "z_order"]

  private static func text(_ value: JSONValue) -> String {
    XMLText.escaped(value.text ?? value.text())
  }

  private static func shape(of object: ExportObject) -> (tag: String, attributes: String) {
    func points(_ list: [Double]) -> String {
      stride(from: 0, to: list.count - 1, by: 2).map {
        ExportNumber.exact(list[$0]) + "," + ExportNumber.exact(list[$0 + 1])
      }.joined(separator: ";")
    }
    func corners(of box: Box) -> String {
      edges([
        ExportNumber.exact(box.x), ExportNumber.exact(box.y),
        ExportNumber.edge(from: box.x, length: box.width),
        ExportNumber.edge(from: box.y, length: box.height),
      ])
    }
    if let rotated = RotatedBox(object)?.written {
      return ("box", edges(rotated.edges) + " rotation=\"\(rotated.degrees)\"")
    }
    let box = object.box
    switch object.shape {
    case .box: return ("box", corners(of: box))
    case .polygons(let polygons):
      return ("polygon", "points=\"\(points(polygons.first ?? []))\"")
    case .lines(let lines): return ("polyline", "points=\"\(points(lines.first ?? []))\"")
    case .points(let list): return ("points", "points=\"\(points(list))\"")
    case .tag: return ("tag", "")
    case .mask(let mask):
      let bounds = mask.boundingBox ?? box
      return (
        "mask",
        "rle=\"\(runs(of: mask, in: bounds).map(String.init).joined(separator: ", "))\" "
          + "left=\"\(Int(bounds.x))\" top=\"\(Int(bounds.y))\" width=\"\(Int(bounds.width))\" "
          + "height=\"\(Int(bounds.height))\""
      )
    }
  }

  private static func edges(_ texts: [String]) -> String {
    zip(["xtl", "ytl", "xbr", "ybr"], texts).map { "\($0)=\"\($1)\"" }.joined(separator: " ")
  }

  /// The lengths of runs in a box, row by row, beginning with unset pixels.
  private static func runs(of mask: Mask, in box: Box) -> [Int] {
    let raster = mask.raster(inside: 1)
    var runs: [Int] = []
    var (value, length): (UInt8, Int) = (0, 0)
    for y in Int(box.y)..<Int(box.y + box.height) {
      for x in Int(box.x)..<Int(box.x + box.width) {
        let next = raster.elements[y * raster.width + x]
        if next == value {
          length += 1
        } else {
          runs.append(length)
          (value, length) = (next, 1)
        }
      }
    }
    return runs + [length]
  }
}
