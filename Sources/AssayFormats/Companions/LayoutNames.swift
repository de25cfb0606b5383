/// Names of folders and files that belong to a dataset's layout and are not classes.
enum LayoutNames {
  /// Folders that are never classes, in lower case, and their layout.
  private static let folders: [String: String] = [
    "jpegimages": "Pascal VOC", "imagesets": "Pascal VOC", "segmentationclass": "Pascal VOC",
    "segmentationclasspng": "Pascal VOC", "segmentationobject": "Pascal VOC",
    "annotations": "Pascal VOC, COCO or ADE20K", "annotation": "Pascal VOC, COCO or ADE20K",
    "images": "YOLO, COCO or a set of masks", "labels": "YOLO or a set of masks",
    "masks": "a set of masks", "gtfine": "Cityscapes", "gtcoarse": "Cityscapes",
    "leftimg8bit": "Cityscapes", "obj_train_data": "YOLO (Darknet)",
    "obj_valid_data": "YOLO (Darknet)", "obj_test_data": "YOLO (Darknet)", "image_2": "KITTI",
    "image_3": "KITTI", "label_2": "KITTI", "velodyne": "KITTI", "img_align_celeba": "CelebA",
    "scribbles": "LabelMe", "trainannot": "CamVid", "valannot": "CamVid", "testannot": "CamVid",
    "segmentationclassaug": "Pascal VOC", "stuffthingmaps": "COCO-Stuff",
    "stuffthingmaps_trainval2017": "COCO-Stuff",
    "groundtruth": "a set of masks", "ground_truth": "a set of masks",
    "bounding_box_train": marketLayout, "bounding_box_test": marketLayout, "gt_bbox": marketLayout,
    "traina": pairLayout, "trainb": pairLayout, "testa": pairLayout, "testb": pairLayout,
  ]
  private static let marketLayout =
    "Market-1501, whose persons are the first numbers of the file names"
  private static let pairLayout = "two sets of images to translate into each other"
  /// Folders that are not classes if all folders are of this kind.
  private static let weak: Set<String> = [
    "image", "img", "imgs", "mask", "label", "rgb", "gt", "jpg", "jpeg", "png", "webp", "tif",
    "tiff", "bmp",
    "photos", "pictures", "pics", "data", "dataset", "raw", "frames", "default",
  ]
  private static let endings = [
    "_gtfine_labelids.png": "Cityscapes", "_gtfine_color.png": "Cityscapes",
    "_gtfine_instanceids.png": "Cityscapes", "_leftimg8bit.png": "Cityscapes",
  ]

  /// Returns whether a folder of this name is never a class.
  static func isLayoutFolder(_ name: String) -> Bool { folders[name.lowercased()] != nil }

  /// Returns whether none of the names is a class.
  static func areNoClasses(_ names: [String]) -> Bool {
    !names.isEmpty
      && names.allSatisfy { folders[$0.lowercased()] != nil || weak.contains($0.lowercased()) }
  }

  /// Returns whether one of the names is a layout folder, or none of them is a class.
  static func holdLayoutFolder(_ names: [String]) -> Bool {
    names.contains { folders[$0.lowercased()] != nil } || areNoClasses(names) || arePaired(names)
  }

  /// Words of two folders that hold two images of each scene, such as `DIV2K_train_HR` and `DIV2K_train_LR_bicubic`.
  private static let paired: [Set<String>] = [
    ["hr", "lr"], ["input", "target"], ["input", "gt"], ["hazy", "gt"],
  ]

  /// Words of further folders beside such a pair, with versions of the same images.
  private static let versions: Set<String> = ["upsampled", "bicubic", "sr", "x2", "x3", "x4", "x8"]

  /// Returns whether two names are those of folders with the images that a model gets and those that it should give,
  /// and the others, if any, those of versions of them.
  private static func arePaired(_ names: [String]) -> Bool {
    guard (2...4).contains(names.count) else { return false }
    let all = names.map { name in
      Set(name.lowercased().split { !$0.isLetter && !$0.isNumber }.map(String.init))
    }
    let isPart = { (words: Set<String>) in paired.contains { !$0.isDisjoint(with: words) } }
    guard all.allSatisfy({ isPart($0) || !versions.isDisjoint(with: $0) }) else { return false }
    let words = all.filter { all.count == 2 || versions.isDisjoint(with: $0) }
    guard words.count == 2 else { return false }
    return paired.contains { pair in
      pair == Set(words.flatMap { pair.intersection($0) })
        && words.allSatisfy { pair.intersection($0).count == 1 }
    }
  }

  /// The one folder that contains all images, if it is not a class: a layout folder, or one that contains
  /// only several folders with images, or folders of splits, also below folders that only contain the
  /// next one (`data/v1` of `data/v1/train/cat`). `nil` for any other tree.
  static func inner(classes: [String], images: [String]) -> String? {
    guard classes.count == 1, let name = classes.first,
      images.allSatisfy({ $0.hasPrefix(name + "/") })
    else { return nil }
    if isLayoutFolder(name) { return name }
    let flat = areNoClasses(classes) ? name : nil
    let folders = PathFolders.all(of: images)
    var inner = name
    while true {
      var below: Set<Substring> = []
      var isDeep = true
      for folder in folders {
        guard folder.utf8.count > inner.utf8.count else { return flat }
        let rest = folder.dropFirst(inner.count + 1)
        let next = rest.prefix { $0 != "/" }
        if next.endIndex == rest.endIndex { isDeep = false }
        below.insert(next)
      }
      guard below.count == 1, let next = below.first else { return inner }
      if FolderLayout.isSplit(String(next)) { return isDeep ? inner : flat }
      inner += "/" + next
    }
  }

  /// The parts of a dataset that a folder can contain beside each other.
  enum Role { case images, masks }

  /// The part of a dataset that a folder of this name contains; `nil` if the name says nothing.
  static func role(_ name: String) -> Role? {
    let name = name.lowercased()
    return maskFolders.contains(name) ? .masks : imageFolders.contains(name) ? .images : nil
  }

  /// Folders of masks or annotations, in lower case.
  private static let maskFolders: Set<String> = [
    "annotations", "annotation", "labels", "masks", "segmentationclass", "segmentationclasspng",
    "segmentationclassaug", "stuffthingmaps", "stuffthingmaps_trainval2017",
    "segmentationobject", "gtfine", "gtcoarse", "scribbles", "trainannot", "valannot", "testannot",
    "groundtruth", "ground_truth", "label_2", "masks_png", "pedmasks", "segmim",
  ]
  /// Folders of images, in lower case; images inside them are not masks, at any depth.
  private static let imageFolders: Set<String> = [
    "images", "image", "imgs", "img", "jpegimages", "pngimages", "leftimg8bit", "rgb", "image_2",
    "image_3", "images_png",
  ]

  /// Returns whether the nearest layout folder above an image is a folder of masks, or the name
  /// ends like a Cityscapes mask.
  static func isMask(_ path: String) -> Bool {
    let lower = path.lowercased()
    if endings.contains(where: { $0.value == "Cityscapes" && lower.hasSuffix($0.key) }),
      !isPhoto(lower)
    {
      return true
    }
    let folder = lower.split(separator: "/").dropLast().map(String.init).last {
      maskFolders.contains($0) || imageFolders.contains($0)
    }
    return folder.map(maskFolders.contains) ?? false
  }

  /// Returns whether an image is called like a photo of Cityscapes.
  static func isPhoto(_ path: String) -> Bool {
    path.hasSuffix(ignoringCase: "_leftimg8bit.png")
  }

  /// The findings from the names of classes and images, one per line; empty if there are none.
  static func findings(classes: [String], images: [String]) -> [String] {
    var findings: [String] = []
    let isWeak = areNoClasses(classes)
    let odd = classes.filter {
      folders[$0.lowercased()] != nil || (isWeak && weak.contains($0.lowercased()))
    }
    if !odd.isEmpty {
      let layouts = Set(odd.compactMap { folders[$0.lowercased()] }).sorted()
      findings.append(
        "the \(odd.count == 1 ? "folder" : "folders") \(odd.prefix(6).joined(separator: ", ")) "
          + "\(odd.count == 1 ? "is" : "are") part of a dataset's layout"
          + (layouts.isEmpty ? "" : " (\(layouts.joined(separator: "; ")))")
          + ", not \(odd.count == 1 ? "a class" : "classes")")
    } else if arePaired(classes) {
      findings.append(
        "the folders \(classes.joined(separator: " and ")) are called as the two images of each pair that a model "
          + "translates into each other (super-resolution, restoration), so they are no classes; import one of them, "
          + "or both without labels with PATH:image-folder --ignore-companions")
    }
    // All of the endings, and those of ADE20K's masks.
    let pictures = images.filter { $0.hasSuffix(ignoringCase: ".png") }
    for (ending, layout) in endings.sorted(by: { $0.key < $1.key }) {
      let found = pictures.filter { $0.hasSuffix(ignoringCase: ending) }
      guard let first = found.first else { continue }
      findings.append(
        "\(found.count) \(found.count == 1 ? "image is" : "images are") called as in \(layout) "
          + "(\(first))")
    }
    let brushes = pictures.filter(isBrush)
    if let first = brushes.first {
      findings.append(
        "\(brushes.count) \(brushes.count == 1 ? "image is a mask" : "images are masks") as Label Studio exports them "
          + "(\(first)); its JSON export has these masks with their images: PATH:label-studio")
    }
    if let (segmented, image) = adePair(pictures, images) {
      findings.append("\(segmented) looks like the ADE20K mask of \(image)")
    }
    return findings
  }

  /// Returns whether a file is called like a mask of Label Studio's export of brush labels:
  /// `task-1-annotation-2-by-3-tag-cat-0.png`.
  static func isBrush(_ path: String) -> Bool {
    let name = String(path.fileName)
    return name.hasPrefix("task-") && name.containsBytes(of: "-annotation-")
      && name.containsBytes(of: "-tag-")
  }

  /// ADE20K's `x_seg.png` beside `x.jpg`.
  private static func adePair(
    _ pictures: [String], _ images: [String]
  ) -> (mask: String, image: String)? {
    let masks = pictures.filter { $0.hasSuffix(ignoringCase: "_seg.png") }
    guard !masks.isEmpty else { return nil }
    let all = Set(images)
    for mask in masks.prefix(1000) {
      let image = mask.dropLast("_seg.png".count) + ".jpg"
      if all.contains(String(image)) { return (mask, String(image)) }
    }
    return nil
  }
}
