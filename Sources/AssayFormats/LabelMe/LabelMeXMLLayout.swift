import AssayCore

/// The images and annotations of a dataset of the original LabelMe tool: `Annotations/F/a.xml` of
/// `Images/F/a.jpg`, or side by side, with `Masks` and `Scribbles`.
struct LabelMeXMLLayout: Sendable {
  /// One image and its annotation.
  struct Item: Sendable {
    var path: String
    /// The index of the annotation.
    var xml: Int
    var split: String?
    /// The reason why the annotation is left out; `nil` if it is read.
    var rejection: Issue?
  }

  let tree: any SourceTree
  let files: SortedFiles
  /// Sorted by path.
  private(set) var items: [Item] = []
  private(set) var issues: [Issue] = []
  /// The number of images that no annotation belongs to, and that are left out.
  private(set) var imagesLeftOut = 0
  /// The files that may contain annotations and are not read.
  private(set) var unread: [SourceFile] = []
  /// An annotation of each dataset, sorted by the datasets' folders.
  private(set) var examples: [String] = []

  private var limit = IssueLimit()
  /// The annotation of each image.
  private var owners: [String: Int] = [:]

  /// The folders whose images are no images of the dataset.
  private static let others: Set<String> = ["masks", "scribbles"]

  /// - Throws: any error that the tree throws.
  init(_ tree: any SourceTree) throws {
    self.tree = tree
    files = SortedFiles(tree.isSingleFile ? [] : try tree.files())
    let roles = Self.roles(files)
    var folders = VOCFolders(files, roles)
    var alone: [Int] = []
    for index in 0..<files.count where roles[index] == .xml {
      if let image = image(of: index, roles, &folders) {
        add(index, files[image])
      } else {
        alone.append(index)
      }
    }
    let orphans = try VOCOrphans(alone, files, in: tree, isKind: LabelMeXMLReader.isLabelMe)
    var foreign: Set<Int> = []
    for orphan in orphans.orphans {
      guard orphan.isKind else {
        foreign.insert(orphan.index)
        continue
      }
      add(orphan.index, path(of: orphan, roles, &folders))
    }
    items.sort { SortedFiles.precedes($0.path, $1.path) }
    unread = files.files.indices.filter { index in
      roles[index] == .xml
        ? foreign.contains(index)
        : FileNameKind(files[index]) == .unknown
    }.map { files.files[$0] }
    noteImages(roles)
    var roots: [String: String] = [:]
    for item in items {
      let root = DatasetRoots.root(of: SortedFiles.folder(of: files[item.xml])) ?? ""
      roots[root] = roots[root] ?? files[item.xml]
    }
    examples = roots.sorted { $0.key < $1.key }.map(\.value)
    issues += limit.remainder(in: tree.name)
  }

  private static func roles(_ files: SortedFiles) -> [VOCFileRole] {
    var last: (folder: Substring, isOther: Bool)?
    return files.files.map { file in
      let folder = SortedFiles.folder(of: file.path)
      let isOther =
        last?.folder == folder
        ? last?.isOther ?? false
        : folder.split(separator: "/").contains { others.contains($0.lowercased()) }
      last = (folder, isOther)
      let role = VOCFileRole(file.path, in: .plain)
      return role == .image && isOther ? .other : role
    }
  }

  private mutating func add(_ xml: Int, _ path: String) {
    let folder = SortedFiles.folder(of: path)
    var item = Item(path: path, xml: xml, split: YOLOFolderFacts.split(of: folder)?.name)
    if let first = owners[path] {
      item.rejection = Issue(
        .duplicateID, .error, at: IssueLocation(file: files[xml]),
        "\(files[first]) is the annotation of the same image (\(path)); left out")
      // No path of a file: the image is another item.
      item.path = files[xml] + "#"
    } else {
      owners[path] = xml
    }
    items.append(item)
  }

  /// The image with the name of an annotation; `nil` if there is none.
  private func image(
    of xml: Int, _ roles: [VOCFileRole], _ folders: inout VOCFolders
  ) -> Int? {
    let stem = SortedFiles.stem(of: files[xml])
    for folder in folders.imageFolders(ofXML: SortedFiles.folder(of: files[xml])) {
      let found = files.range(ofStem: SortedFiles.join(folder, stem)).first {
        roles[$0] == .image && SortedFiles.stem(of: files[$0]) == stem
      }
      if let found { return found }
    }
    return nil
  }

  /// The path of the image that an annotation names, which need not exist.
  private mutating func path(
    of orphan: VOCOrphans.Orphan, _ roles: [VOCFileRole], _ folders: inout VOCFolders
  ) -> String {
    let xml = files[orphan.index]
    let folder = SortedFiles.folder(of: xml)
    let stem = SortedFiles.stem(of: xml)
    let stated = orphan.filename.flatMap { StatedPath($0) }
    let below = orphan.folder.flatMap { StatedPath($0) }
    if stated?.isOutside == true || below?.isOutside == true, limit.admits(.outsideRoot) {
      issues.append(
        Issue(
          .outsideRoot, .warning, at: IssueLocation(file: xml),
          "the annotation names an image outside of the folder; only the last part is looked for"))
    }
    let name = stated?.path ?? "\(stem).jpg"
    for base in folders.imageFolders(ofXML: folder) + [String(folder)] {
      let inner = below.map { SortedFiles.join(base, SortedFiles.join($0.path, name)) }
      for path in [SortedFiles.join(base, name)] + [inner].compactMap(\.self) {
        if let index = files.index(of: path), roles[index] == .image { return path }
      }
    }
    let images = VOCFolders.imageFolder(forXML: folder, images: "Images")
    return SortedFiles.join(images.images, SortedFiles.join(images.below, name))
  }

  /// Reports images without an annotation, one issue for each folder.
  private mutating func noteImages(_ roles: [VOCFileRole]) {
    var groups: [String: (count: Int, first: String)] = [:]
    for index in 0..<files.count where roles[index] == .image && owners[files[index]] == nil {
      let folder = String(SortedFiles.folder(of: files[index]))
      let known = groups[folder]
      groups[folder] = ((known?.count ?? 0) + 1, known?.first ?? files[index])
    }
    imagesLeftOut = groups.values.reduce(0) { $0 + $1.count }
    for (folder, group) in groups.sorted(by: { $0.key < $1.key }) where limit.admits(.missingLabel)
    {
      issues.append(
        Issue(
          .missingLabel, .error, at: IssueLocation(file: folder.isEmpty ? "." : folder),
          "\(group.count == 1 ? "1 image" : "\(group.count) images") (\(group.first)) without an "
            + "annotation (.xml); left out"))
    }
  }
}
