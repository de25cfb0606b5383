package import AssayCore

extension ExportFormat {
  /// The format that a format of imports is written as; `nil` if it is not written.
  package init?(writing format: DatasetFormat) {
    guard
      let found = Self.allCases.first(where: {
        $0.importFormat(nil) == format && $0 != .cocoPanoptic
      })
    else { return nil }
    self = found
  }

  /// The content that the format does not hold of any dataset, in words; of a format with variants the content that none
  /// of them holds.
  package var notHeld: [String] {
    var dataset = ExportDataset(name: "", classes: [], splits: [])
    (dataset.keypoints, dataset.hasObjectIDs, dataset.hasImageIDs) = (17, true, true)
    let forms = variants.isEmpty ? [nil] : variants.map(Optional.some)
    let lists = forms.map {
      DatasetExporters.exporter(for: self, $0, dataset).capabilities.notHeld
    }
    let first = lists.first ?? []
    return first.filter { word in lists.allSatisfy { $0.contains(word) } }
      // Captions have a file of their own there, which holds nothing else.
      .map { self == .coco && $0 == "captions" ? "captions beside objects" : $0 }
  }
}

extension ExportCapabilities {
  /// The content that cannot be held, in words, whatever the dataset.
  fileprivate var notHeld: [String] {
    var words: [String] = []
    switch labels {
    case .none: words.append("labels of images")
    case .one: words.append("sets of labels")
    case .set: break
    }
    if !shapes.contains(.tag) {
      words.append("fields of labels")
      if !captions { words.append("captions") }
    }
    words += shapes.isEmpty ? ["objects"] : ofObjects
    func add(_ isHeld: Bool, _ word: String) { if !isHeld { words.append(word) } }
    add(imageIDs, "ids of images")
    add(imageFields, "fields of images")
    add(classIDs, "ids of classes")
    add(supercategories, "superclasses")
    add(classOrder, "the order of classes")
    add(unusedClasses, "unused classes")
    if case .none = splits { words.append("splits") }
    return words
  }

  /// The parts of objects that cannot be held.
  private var ofObjects: [String] {
    let names: [(ShapeKind, String)] = [
      (.box, "boxes"), (.polygon, "polygons"), (.mask, "masks"), (.polyline, "lines"),
      (.points, "points"),
    ]
    var words = names.filter { !shapes.contains($0.0) }.map(\.1)
    func add(_ isHeld: Bool, _ word: String) { if !isHeld { words.append(word) } }
    add(flattening == nil, "instances or overlaps")
    add(parts || !shapes.contains(.polygon), "several polygons of an object")
    if case .none = keypoints { words.append("keypoints") }
    add(crowds, "crowds")
    switch attributes {
    case .none: words.append("attributes")
    case .named: words.append("most attributes")
    case .plain: words.append("attributes that are lists or objects")
    case .any: break
    }
    add(areas, "stated areas")
    add(objectIDs, "ids of annotations")
    if case .whole = numbers { words.append("parts of pixels") }
    add(!clips, "what lies outside of the image")
    return words
  }
}
