import AssayCore

/// Writes Ultralytics' layout of YOLO: `images/SPLIT/x.jpg`, `labels/SPLIT/x.txt`, `data.yaml`.
///
/// Every image has a label file, an empty one if it has no objects.
struct YOLOWriter: DatasetExporter {
  let capabilities: ExportCapabilities
  private let dataset: ExportDataset
  private let variant: ExportVariant
  /// The mirrored order of the keypoints; `nil` if no class states one that fits, or two differ.
  private let flips: [Int]?
  /// The number of keypoints of every object of ``ExportVariant/pose``.
  private var keypointCount: Int { max(1, dataset.keypoints) }

  /// The writer of a variant; without one, keypoints are written as `pose`, polygons and masks as
  /// `segment`, boxes as `detect`.
  static func writer(
    _ dataset: ExportDataset, _ variant: ExportVariant?
  ) -> any DatasetExporter {
    let chosen = variant ?? (dataset.keypoints > 0 ? .pose : dataset.hasShapes ? .segment : .detect)
    if chosen == .classify { return ClassFolderWriter(dataset) }
    return YOLOWriter(dataset, chosen)
  }

  private init(_ dataset: ExportDataset, _ variant: ExportVariant) {
    self.dataset = dataset
    self.variant = variant
    var can = ExportCapabilities()
    switch variant {
    case .segment, .obb: can.shapes = [.polygon]
    case .detect, .pose, .classify: can.shapes = [.box]
    }
    can.isRotated = variant == .obb
    let count = max(1, dataset.keypoints)
    let stated = Set(dataset.classes.compactMap(\.keypointFlips).filter { $0.count == count })
    flips = stated.count == 1 ? stated.first : nil
    can.keypoints = variant == .pose ? .fixed(count) : .none
    if variant == .pose { can.classFields = .keypointNames(count, flips: flips) }
    can.numbers = .relative
    can.clips = true
    can.mergesDuplicates = true
    can.unusedClasses = true
    can.classOrder = true
    can.splits = .known(YOLODataFile.splitKeys)
    can.onlySplit = "train"
    can.missingSplitFolder = FolderLayout.withoutSplit
    can.needsFiles = true
    can.needsSizes = true
    can.usesDisplayedSize = true
    capabilities = can
  }

  func imageFolder(split: Int, label: Int?) -> String { folder("images", split) }

  private func folder(_ kind: String, _ split: Int) -> String {
    SortedFiles.join(kind, dataset.splits[split].folder).trimmedSlash
  }

  func path(ofImage image: ExportImage) -> String? {
    "\(folder("labels", image.split))/\(image.stem).txt"
  }

  func bytes(ofImage image: ExportImage) -> [UInt8] {
    guard let size = image.size else { return [] }
    let (width, height) = (Double(size.width), Double(size.height))
    var text = ""
    for object in image.objects {
      text += "\(object.category)"
      if case .polygons(let polygons) = object.shape {
        for (place, value) in polygons.joined().enumerated() {
          text += " " + ExportNumber.rounded(value / (place.isMultiple(of: 2) ? width : height))
        }
      } else {
        let box = object.box
        for value in [
          (box.x + box.width / 2) / width, (box.y + box.height / 2) / height, box.width / width,
          box.height / height,
        ] {
          text += " " + ExportNumber.rounded(value)
        }
      }
      if variant == .pose {
        for (place, value) in (object.keypoints ?? []).enumerated() {
          let part = place % 3 == 0 ? value / width : place % 3 == 1 ? value / height : value
          text += " " + ExportNumber.rounded(part)
        }
      }
      text += "\n"
    }
    return Array(text.utf8)
  }

  var fixedFiles: [(path: String, bytes: [UInt8])] {
    var text = "# written by assay\n"
    var folders: [String: [String]] = [:]
    for (place, split) in dataset.splits.enumerated() {
      guard let name = split.name else { continue }
      folders[name, default: []].append(JSONValue.string(folder("images", place)).text())
    }
    for key in YOLODataFile.splitKeys {
      guard let list = folders[key], let first = list.first else {
        // Ultralytics reads no file without these two keys.
        if !folders.isEmpty, ["train", "val"].contains(key) { text += "\(key):  # no images\n" }
        continue
      }
      text += "\(key): " + (list.count == 1 ? first : "[\(list.joined(separator: ", "))]") + "\n"
    }
    if variant == .pose { text += poseKeys }
    text += "nc: \(dataset.classes.count)\nnames:\n"
    for (place, category) in dataset.classes.enumerated() {
      text += "  \(place): \(JSONValue.string(category.name).text())\n"
    }
    if dataset.classes.isEmpty { text += "  {}\n" }
    return [("data.yaml", Array(text.utf8))]
  }
}

extension YOLOWriter {
  /// The keys of the data file about keypoints.
  private var poseKeys: String {
    var text = "kpt_shape: [\(keypointCount), 3]\n"
    if let flips { text += "flip_idx: [\(flips.map(String.init).joined(separator: ", "))]\n" }
    var names = ""
    for (place, category) in dataset.classes.enumerated() {
      guard let list = category.keypointNames, list.count == keypointCount else { continue }
      let texts = list.map { JSONValue.string($0).text() }
      names += "  \(place): [\(texts.joined(separator: ", "))]\n"
    }
    return names.isEmpty ? text : text + "kpt_names:\n" + names
  }
}

extension String {
  /// The path without a slash at its end.
  var trimmedSlash: String { hasSuffix("/") ? String(dropLast()) : self }
}
