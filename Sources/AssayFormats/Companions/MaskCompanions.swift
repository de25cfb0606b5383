import AssayCore

/// Masks beside the annotations of a format that does not read them: `masks/1.png` of `images/1.jpg`.
enum MaskCompanions {
  /// The formats that read one kind of annotations and no masks beside them. The others read masks, name
  /// them on their own, or have no files beside them.
  private static let formats: Set<DatasetFormat> = [
    .coco, .cocoLabels, .lvis, .datumaro, .voc, .cvat, .labelMe, .imageNet, .hfImageFolder,
    .createML,
    .labelStudio, .voTT, .via, .csv,
  ]

  /// Folders, in lower case, whose images belong to one of these formats: Pascal VOC's masks, COCO's panoptic
  /// segments and maps of stuff, and the renderings of some of their tools.
  private static let ownFolders = ["segmentation", "panoptic", "pixelmaps", "visualization"]

  /// The finding that names the masks; `nil` if there are none.
  static func finding(
    beside format: DatasetFormat, _ files: [SourceFile], in tree: any SourceTree
  ) -> String? {
    guard formats.contains(format) else { return nil }
    // LabelMe's XML names masks of its own.
    let isXML = format == .labelMe && files.contains { $0.path.hasSuffix(ignoringCase: ".xml") }
    guard !isXML else { return nil }
    let pictures = files.filter { PairPath.isImageName($0.path) }
    let masks = pictures.filter(isNamedAsMask)
    guard !masks.isEmpty, masks.count < pictures.count else { return nil }
    let named = Set(masks.map(\.path))
    let others = pictures.filter { !isOwn($0.path) }
    var pairs = MaskPairing(others).pairs.filter { named.contains($0.mask.path) }
    if pairs.isEmpty { pairs = byName(masks, others.filter { !named.contains($0.path) }) }
    return IndexMaskPlan.isPlausible(pairs, in: tree) ? words(pairs) : nil
  }

  /// The number of pairs and the first of them; `nil` for none.
  static func words(_ pairs: [MaskPair]) -> String? {
    pairs.first.map { first in
      (pairs.count == 1 ? "1 image looks like a mask" : "\(pairs.count) images look like masks")
        + " (\(first.mask.path) of \(first.image.path))"
    }
  }

  /// The masks that are called like an image in any folder: `masks/1.png` of `images/train/1.jpg`.
  private static func byName(_ masks: [SourceFile], _ images: [SourceFile]) -> [MaskPair] {
    var stems: [String: SourceFile] = [:]
    for image in images { stems[PairPath(image.path).stem] = image }
    return masks.compactMap { mask in
      PairPath.imageStems(ofMask: PairPath(mask.path).stem).lazy.compactMap { stems[$0] }.first
        .map { MaskPair(image: $0, mask: mask, split: nil) }
    }
  }

  private static func isOwn(_ path: String) -> Bool {
    path.lowercased().split(separator: "/").dropLast().contains { folder in
      ownFolders.contains { folder.contains($0) }
    }
  }

  private static func isNamedAsMask(_ file: SourceFile) -> Bool {
    guard ImageName.isMask(file.path), !isOwn(file.path) else { return false }
    let place = PairPath(file.path)
    return place.role != .image || PairPath.imageStems(ofMask: place.stem).count > 1
  }
}
