/// The folders of a Pascal VOC dataset that belong together: `Annotations/a`, `JPEGImages/a`,
/// `SegmentationClass/a` and the like; spelling and names of the folders can differ.
struct VOCFolders {
  private static let imageWords = [
    "jpegimages", "images", "image", "imgs", "img", "pngimages", "jpgimages", "photos", "data",
  ]
  private static let annotationWords = [
    "annotations", "annotation", "xmls", "xml", "labels", "label", "anns", "ann",
  ]

  private static let words = Set(imageWords + annotationWords)

  /// The folders with files of a role, by their path in lower case.
  private struct Known {
    var folders: [String: [String]] = [:]
    /// Those folders and the folders above them with a known name.
    private var tops: [String: [String]] = [:]

    mutating func add(_ folder: Substring) {
      guard Self.add(folder, to: &folders) else { return }
      var above = folder
      while !above.isEmpty {
        let name = above.split(separator: "/").last ?? ""
        if VOCFolders.words.contains(name.lowercased()) { _ = Self.add(above, to: &tops) }
        above = SortedFiles.folder(of: String(above))
      }
    }

    private static func add(_ folder: Substring, to list: inout [String: [String]]) -> Bool {
      let key = folder.lowercased()
      guard list[key]?.contains(where: { $0 == folder }) != true else { return false }
      list[key, default: []].append(String(folder))
      return true
    }

    /// The folder of a dataset with a name of any spelling, which has such files at any depth.
    func tops(of root: String, _ name: String) -> [String] {
      let path = SortedFiles.join(root, name)
      return (tops[path.lowercased()] ?? []).filter {
        root.isEmpty ? !$0.contains("/") : $0.hasPrefix(root + "/")
      }
    }

    /// The folders with the parts of a path, in which one part has any spelling.
    func find(_ parts: [String], anySpellingAt place: Int) -> [String] {
      (folders[parts.joined(separator: "/").lowercased()] ?? []).filter { folder in
        let names = folder.split(separator: "/", omittingEmptySubsequences: true)
        return names.count == parts.count
          && names.indices.allSatisfy { $0 == place || names[$0] == parts[$0] }
      }
    }

    func has(_ folder: String) -> Bool {
      folders[folder.lowercased()]?.contains(folder) == true
    }
  }

  private var images = Known()
  private var xmls = Known()
  private var classMasks = Known()
  private var objectMasks = Known()
  /// The only folder of images; `nil` if there are several.
  private let onlyImages: String?
  private var knownImages: [Substring: [String]] = [:]
  private var knownMasks: [Substring: (classes: [String], objects: [String])] = [:]

  init(_ files: SortedFiles, _ roles: [VOCFileRole]) {
    var last: (folder: Substring, role: VOCFileRole)?
    for index in 0..<files.count {
      let role = roles[index]
      let folder = SortedFiles.folder(of: files[index])
      if let last, last.folder == folder, last.role == role { continue }
      last = (folder, role)
      switch role {
      case .image: images.add(folder)
      case .xml: xmls.add(folder)
      case .classMask: classMasks.add(folder)
      case .objectMask: objectMasks.add(folder)
      case .list, .labelMap, .names, .other: break
      }
    }
    let all = images.folders.values.joined()
    onlyImages = all.count == 1 ? all.first : nil
  }

  /// The folders in which the images of a folder of annotations can be, most likely first.
  mutating func imageFolders(ofXML folder: Substring) -> [String] {
    if let found = knownImages[folder] { return found }
    var found = images.has(String(folder)) ? [String(folder)] : []
    found += Self.siblings(of: folder, Self.annotationWords, Self.imageWords, images)
    if let onlyImages { found.append(onlyImages) }
    found = Self.unique(found)
    knownImages[folder] = found
    return found
  }

  /// The folders of images below the one beside a folder of annotations: `images/train` and `images/val` for
  /// `annotations`.
  func nestedImageFolders(ofXML folder: Substring) -> [String] {
    let parts = folder.split(separator: "/").map(String.init)
    guard let last = parts.last, Self.annotationWords.contains(last.lowercased()) else { return [] }
    let above = parts.dropLast()
    return images.folders.values.joined().filter { path in
      let names = path.split(separator: "/").map(String.init)
      return names.count > parts.count && names.prefix(above.count).elementsEqual(above)
        && Self.imageWords.contains(names[above.count].lowercased())
    }.sorted(by: SortedFiles.precedes)
  }

  /// The folder in which the image of an annotation would be: the folder of all images, and the part
  /// below it.
  static func imageFolder(
    forXML folder: Substring, images: String = "JPEGImages"
  ) -> (images: String, below: String) {
    var parts = folder.split(separator: "/").map(String.init)
    let place = parts.lastIndex { annotationWords.contains($0.lowercased()) }
    guard let place else { return (String(folder), "") }
    parts[place] = images
    return (
      parts[...place].joined(separator: "/"), parts[(place + 1)...].joined(separator: "/")
    )
  }

  /// The folder in which the missing image of an annotation would be, named as the folder of images
  /// beside it; `JPEGImages` if there is none.
  mutating func missingImageFolder(forXML folder: Substring) -> (images: String, below: String) {
    let parts = folder.split(separator: "/").map(String.init)
    let place = parts.lastIndex { Self.annotationWords.contains($0.lowercased()) }
    guard let place else { return Self.imageFolder(forXML: folder) }
    for path in imageFolders(ofXML: folder) + nestedImageFolders(ofXML: folder) {
      let names = path.split(separator: "/").map(String.init)
      guard names.count > place, names[..<place] == parts[..<place],
        Self.imageWords.contains(names[place].lowercased())
      else { continue }
      return Self.imageFolder(forXML: folder, images: names[place])
    }
    return Self.imageFolder(forXML: folder)
  }

  /// The folders in which the masks of a folder of images can be, most likely first.
  mutating func maskFolders(ofImages folder: Substring) -> (classes: [String], objects: [String]) {
    if let found = knownMasks[folder] { return found }
    func find(_ known: Known, _ words: [String]) -> [String] {
      guard !known.folders.isEmpty else { return [] }
      let parts = folder.split(separator: "/").map(String.init)
      let below = words.flatMap { known.find(parts + [$0], anySpellingAt: parts.count) }
      return Self.unique(
        Self.siblings(of: folder, Self.imageWords, words, known, isStrict: true) + below)
    }
    let found = (
      classes: find(
        classMasks, ["segmentationclass", "segmentationclasspng", "segmentationclassaug"]),
      objects: find(objectMasks, ["segmentationobject", "segmentationobjectpng"])
    )
    knownMasks[folder] = found
    return found
  }

  /// The folders of images, and of annotations, of a dataset in a folder.
  func parts(ofDataset root: String) -> (images: [String], xmls: [String]) {
    func find(_ known: Known, _ words: [String]) -> [String] {
      words.flatMap { known.tops(of: root, $0) } + (known.has(root) ? [root] : [])
    }
    return (find(images, Self.imageWords), find(xmls, Self.annotationWords))
  }

  /// The folders of a kind that differ from a folder in one part with a known name.
  ///
  /// - Parameters:
  ///   - words: the names of the part.
  ///   - others: the names that take its place.
  ///   - isStrict: whether the part must be there and be replaced.
  private static func siblings(
    of folder: Substring, _ words: [String], _ others: [String], _ known: Known,
    isStrict: Bool = false
  ) -> [String] {
    let parts = folder.split(separator: "/").map(String.init)
    var found: [String] = []
    var places = parts.indices.reversed().filter { words.contains(parts[$0].lowercased()) }
    if places.isEmpty, !isStrict, !parts.isEmpty { places = [parts.count - 1] }
    for place in places {
      for word in others {
        var other = parts
        other[place] = word
        found += known.find(other, anySpellingAt: place)
      }
      guard !isStrict else { continue }
      let base = Array(parts[..<place])
      if place < parts.count - 1 {
        for word in others { found += known.find(base + [word], anySpellingAt: place) }
      }
      for path in [base + parts[(place + 1)...], base] {
        let path = path.joined(separator: "/")
        if known.has(path) { found.append(path) }
      }
    }
    return found
  }

  private static func unique(_ folders: [String]) -> [String] {
    var seen: Set<String> = []
    return folders.filter { seen.insert($0).inserted }
  }
}
