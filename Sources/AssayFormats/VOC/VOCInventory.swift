import AssayCore

/// The files of a source by their roles in a Pascal VOC dataset.
struct VOCInventory {
  let tree: any SourceTree
  let files: SortedFiles
  let roles: [VOCFileRole]
  var folders: VOCFolders
  /// The masks of classes in SegmentationClassAug that are not read, because SegmentationClass has masks, too.
  private(set) var unreadClassMasks = 0
  /// The images in the folders below that of all images by their stem, for each folder of annotations.
  private var nested: [Substring: [Substring: [Int]]] = [:]

  /// The maximum number of annotations that are opened to recognize the format, and of each folder.
  private static let opened = (all: 32, folder: 4)

  /// Lists the files; none is opened.
  ///
  /// - Throws: any error that the tree throws.
  init(_ tree: any SourceTree) throws {
    self.tree = tree
    let files = SortedFiles(tree.isSingleFile ? [] : try tree.files())
    var last: (path: Substring, kind: VOCFileRole.Folder)?
    var more: [Int] = []
    var hasClassMasks = false
    var roles: [VOCFileRole] = []
    roles.reserveCapacity(files.count)
    for (index, file) in files.files.enumerated() {
      let path = SortedFiles.folder(of: file.path)
      let kind = last?.path == path ? last?.kind ?? .plain : VOCFileRole.Folder(path)
      last = (path, kind)
      let role = VOCFileRole(file.path, in: kind)
      roles.append(role)
      guard role == .classMask else { continue }
      if case .moreClassMasks = kind { more.append(index) } else { hasClassMasks = true }
    }
    if hasClassMasks {
      for index in more { roles[index] = .other }
      unreadClassMasks = more.count
    }
    self.files = files
    self.roles = roles
    folders = VOCFolders(files, roles)
  }

  /// The kinds of some XML files of all folders, by the files' indices.
  func kinds() -> [(index: Int, kind: XMLAnnotationKind)] {
    var found: [(index: Int, kind: XMLAnnotationKind)] = []
    var counts: [Substring: Int] = [:]
    for index in 0..<files.count where roles[index] == .xml {
      let folder = SortedFiles.folder(of: files[index])
      guard counts[folder, default: 0] < Self.opened.folder else { continue }
      counts[folder, default: 0] += 1
      found.append((index, XMLAnnotationKind(files[index], in: tree)))
      if found.count == Self.opened.all { break }
    }
    return found
  }

  /// The index of the image of an annotation, by its name; `nil` if there is none.
  mutating func image(ofXML index: Int) -> Int? {
    let path = files[index]
    let stem = SortedFiles.stem(of: path)
    for folder in folders.imageFolders(ofXML: SortedFiles.folder(of: path)) {
      if let image = file(folder, stem, .image) { return image }
    }
    return nil
  }

  /// The images with the name of an annotation in the folders below that of all images.
  mutating func nestedImages(ofXML index: Int) -> [Int] {
    let path = files[index]
    let folder = SortedFiles.folder(of: path)
    if nested[folder] == nil {
      var images: [Substring: [Int]] = [:]
      for below in folders.nestedImageFolders(ofXML: folder) {
        for file in files.range(below: below)
        where roles[file] == .image && SortedFiles.folder(of: files[file]) == below {
          images[SortedFiles.stem(of: files[file]), default: []].append(file)
        }
      }
      nested[folder] = images
    }
    return nested[folder]?[SortedFiles.stem(of: path)] ?? []
  }

  /// The first file with a folder, a name without its suffix, and a role; `nil` if there is none.
  func file(_ folder: String, _ stem: some StringProtocol, _ role: VOCFileRole) -> Int? {
    let path = SortedFiles.join(folder, stem)
    let name =
      path.utf8.lastIndex(of: UInt8(ascii: "/")).map {
        path[path.utf8.index(after: $0)...]
      } ?? path[...]
    return files.range(ofStem: path).first {
      roles[$0] == role && SortedFiles.stem(of: files[$0]) == name
    }
  }

  /// The indices of the masks of an image with a path, which need not exist.
  mutating func masks(ofImage path: String) -> (classes: Int?, objects: Int?) {
    let masks = folders.maskFolders(ofImages: SortedFiles.folder(of: path))
    guard !masks.classes.isEmpty || !masks.objects.isEmpty else { return (nil, nil) }
    let stem = SortedFiles.stem(of: path)
    return (
      first(masks.classes, stem, .classMask), first(masks.objects, stem, .objectMask)
    )
  }

  /// The first file in one of several folders; see ``file(_:_:_:)``.
  private func first(_ folders: [String], _ stem: Substring, _ role: VOCFileRole) -> Int? {
    for folder in folders {
      if let index = file(folder, stem, role) { return index }
    }
    return nil
  }
}
