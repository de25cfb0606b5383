/// The meaning of names in ImageNet's trees.
enum ImageNetName {
  /// Returns whether a word is WordNet's number of a class: `n01440764`.
  static func isSynset(_ word: some StringProtocol) -> Bool {
    let bytes = word.utf8
    return bytes.count == 9 && bytes.first == UInt8(ascii: "n")
      && bytes.dropFirst().allSatisfy { (0x30...0x39).contains($0) }
  }

  /// The last folder above an image that is a synset; `nil` if there is none.
  static func synset(of path: String) -> Substring? {
    path.split(separator: "/").dropLast().last(where: isSynset)
  }

  /// The split of an image: the first folder that is called like one, or like a part of one, else the
  /// one in ILSVRC's file names (`ILSVRC2012_val_00000001.JPEG`); `nil` if neither names one.
  static func split(of path: String) -> String? {
    let parts = path.split(separator: "/")
    for folder in parts.dropLast() {
      if FolderLayout.isSplit(String(folder)) { return String(folder) }
      if let split = split(ofPart: folder) { return split }
    }
    let words = (parts.last ?? "").split(separator: "_")
    guard words.count == 3, words[0].hasPrefix("ILSVRC"), FolderLayout.isSplit(String(words[1]))
    else { return nil }
    return String(words[1])
  }

  /// The split that a folder is a part of: `train` for `train.X2`, as Kaggle's ImageNet-100 has it; `nil`
  /// for other folders.
  private static func split(ofPart folder: Substring) -> String? {
    guard let dot = folder.lastIndex(of: ".") else { return nil }
    let (name, part) = (String(folder[..<dot]), folder[folder.index(after: dot)...])
    guard part.first == "X", part.dropFirst().allSatisfy(\.isNumber) else { return nil }
    return FolderLayout.isSplit(name) ? name : nil
  }

  /// Returns whether an image is called like one of ILSVRC's test images, whose classes are not public.
  static func isTestImage(_ path: String) -> Bool {
    let words = SortedFiles.stem(of: path).split(separator: "_")
    return words.count == 3 && words[0].hasPrefix("ILSVRC") && words[1] == "test"
  }

  /// Returns whether a folder can contain images without being a class.
  static func isNeutral(_ folder: some StringProtocol) -> Bool {
    folder.isEmpty || folder.hasPrefix("ILSVRC") || FolderLayout.isSplit(String(folder))
      || ["images", "image", "img", "data", "CLS-LOC"].contains(String(folder))
  }

  /// Returns whether a file has the boxes of an image: `Annotations/CLS-LOC/val/….xml`.
  static func isAnnotation(_ path: String) -> Bool {
    path.hasSuffix(".xml") && "/\(path)".containsBytes(of: "/Annotations/CLS-LOC/")
  }

  /// The file with the boxes of an image: `Annotations/CLS-LOC/val/x.xml` of
  /// `Data/CLS-LOC/val/x.JPEG`; `nil` for images elsewhere.
  static func annotation(ofImage path: String) -> String? {
    var parts = path.split(separator: "/").map(String.init)
    guard let place = parts.dropLast().lastIndex(of: "CLS-LOC"), place > 0,
      parts[place - 1] == "Data"
    else { return nil }
    parts[place - 1] = "Annotations"
    parts[parts.count - 1] = SortedFiles.stem(of: path) + ".xml"
    return parts.joined(separator: "/")
  }

  /// The number of a validation image: 1 for `ILSVRC2012_val_00000001.JPEG`; `nil` for other names.
  static func validationNumber(of path: String) -> Int? {
    let words = SortedFiles.stem(of: path).split(separator: "_")
    guard words.count == 3, words[0].hasPrefix("ILSVRC"), words[1] == "val",
      words[2].utf8.count == 8
    else { return nil }
    return Int(words[2])
  }
}

/// The role of a file in a source of ImageNet, from its name.
enum ImageNetRole: Hashable {
  case image
  /// A list of images and classes, if its content is one, with its split.
  case list(split: String)
  /// Tiny ImageNet's list of images, synsets and boxes, with its split.
  case annotations(split: String)
  /// Kaggle's table of images, synsets and boxes.
  case solution
  /// The numbers of the validation images' classes.
  case groundTruth
  /// TensorFlow's list of the validation images' synsets, in the order of the images.
  case validationSynsets
  /// A table that names synsets and gives their order.
  case synsets
  /// WordNet's names of all synsets.
  case words
  /// A JSON of synsets and their names, if its content is one.
  case wordsJSON
  /// A list of class names, for classes that are numbers.
  case classNames
  /// The table of wrong labels that Imagenette has for tests of noise.
  case noisyLabels
  /// Boxes of Tiny ImageNet's training images.
  case boxes
  /// A file of the dataset without labels that assay needs.
  case known
  case other

  private static let synsetFiles: Set<String> = [
    "loc_synset_mapping.txt", "synset_words.txt", "synsets.txt", "wnids.txt",
    "imagenet_class_index.json", "imagenet1000_clsidx_to_labels.txt",
  ]
  private static let knownFiles: Set<String> = [
    "loc_sample_submission.csv", "loc_train_solution.csv", "meta.mat", "meta_clsloc.mat",
    "meta.bin", "det_synset_words.txt",
    "ilsvrc2012_validation_blacklist.txt", "ilsvrc2014_clsloc_validation_blacklist.txt",
  ]

  init(_ path: String) {
    guard !PairPath.isImageName(path) else {
      self = .image
      return
    }
    let parts = path.lowercased().split(separator: "/")
    let name = parts.last.map(String.init) ?? ""
    if Self.synsetFiles.contains(name) {
      self = .synsets
    } else if name == "words.txt" {
      self = .words
    } else if ["classes.txt", "class_names.txt", "labels.txt"].contains(name)
      || (name.hasPrefix("categories_places") && name.hasSuffix(".txt"))
    {
      self = .classNames
    } else if name == "loc_val_solution.csv" {
      self = .solution
    } else if name.hasSuffix("validation_ground_truth.txt") {
      self = .groundTruth
    } else if name.hasSuffix("validation_synset_labels.txt") {
      self = .validationSynsets
    } else if name == "labels.json" {
      self = .wordsJSON
    } else if name.hasPrefix("noisy_image"), name.hasSuffix(".csv") {
      self = .noisyLabels
    } else if Self.knownFiles.contains(name)
      || (parts.dropLast().contains("imagesets") && parts.contains("cls-loc"))
    {
      self = .known
    } else {
      self = Self.text(name)
    }
  }

  private static func text(_ name: String) -> ImageNetRole {
    guard name.hasSuffix(".txt") else { return .other }
    let stem = String(name.dropLast(4))
    if stem.hasSuffix("_boxes"), ImageNetName.isSynset(stem.dropLast(6)) { return .boxes }
    // Datumaro's name for images without a split.
    if stem == "default" || stem == ImageLists.union { return .list(split: stem) }
    let words = stem.split { "_-. ".contains($0) }.map(String.init)
    let splits = words.filter(FolderLayout.isSplit)
    guard splits.count == 1, let split = splits.first else { return .other }
    return words.last == "annotations" ? .annotations(split: split) : .list(split: split)
  }
}
