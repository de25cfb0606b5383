import AssayCore

/// The files of a source by their roles in a YOLO dataset.
struct YOLOInventory {
  let tree: any SourceTree
  let files: SortedFiles
  var roles: [YOLOFileRole]
  /// The data files that were read, nearest to the root first.
  private(set) var dataFiles: [YOLODataFile] = []
  /// The first data file that is invalid.
  private(set) var fault: FormatError?
  private var folders: YOLOFolders

  /// The maximum number of YAML and data files, and of lists of names, that are opened.
  private static let opened = 256
  /// The number of bytes that tell what a text is.
  static let headBytes = 4096

  /// Lists the files and reads the data files; labels are not opened.
  ///
  /// - Throws: any error that the tree throws.
  init(_ tree: any SourceTree) throws {
    self.tree = tree
    let files = SortedFiles(tree.isSingleFile ? [] : try tree.files())
    var roles = files.files.map { YOLOFileRole($0.path) }
    // A file called labels.txt can also hold labels or a list of images.
    let named = Self.nearest(of: files) { index in
      roles[index] == .names && files[index].utf8.suffix(4).elementsEqual(".txt".utf8)
    }
    for index in named {
      guard let head = Self.head(of: files[index], in: tree) else { continue }
      if YOLOTextLines.looksLikeLabels(head.bytes, isWhole: head.isWhole)
        || YOLOTextLines.looksLikeImageList(head.bytes, isWhole: head.isWhole)
      {
        roles[index] = .text
      }
    }
    self.files = files
    self.roles = roles
    folders = YOLOFolders(files, roles)
    for index in Self.nearest(of: files, where: { roles[$0] == .yaml || roles[$0] == .darknet }) {
      do throws(FormatError) {
        if let file = try Self.dataFile(files.files[index], roles[index], in: tree) {
          dataFiles.append(file)
        }
      } catch {
        fault = fault ?? error
      }
    }
  }

  /// A data file; `nil` for another file, and for one that cannot be read.
  private static func dataFile(
    _ file: SourceFile, _ role: YOLOFileRole, in tree: any SourceTree
  ) throws(FormatError) -> YOLODataFile? {
    do {
      return try YOLODataFile.read(tree, file, role)
    } catch let error as FormatError {
      throw error
    } catch {
      return nil
    }
  }

  /// The first files of a kind, nearest to the root first.
  private static func nearest(
    of files: SortedFiles, where isWanted: (Int) -> Bool
  ) -> [Int] {
    func depth(_ index: Int) -> Int { files[index].utf8.count { $0 == UInt8(ascii: "/") } }
    let found = (0..<files.count).filter(isWanted).map { (index: $0, depth: depth($0)) }
    return found.sorted { ($0.depth, $0.index) < ($1.depth, $1.index) }.prefix(opened).map(\.index)
  }

  /// The lists of class names, nearest to the root first.
  var namesFiles: [Int] { Self.nearest(of: files) { roles[$0] == .names } }

  /// The texts with the name of a split that are lists of images, nearest to the root first.
  var imageLists: [Int] {
    Self.nearest(of: files) { index in
      roles[index] == .text && FolderLayout.isSplit(String(SortedFiles.stem(of: files[index])))
    }.filter { isImageList($0) }
  }

  /// Returns whether a text is a list of images.
  func isImageList(_ index: Int) -> Bool {
    guard let head = Self.head(of: files[index], in: tree) else { return false }
    return YOLOTextLines.looksLikeImageList(head.bytes, isWhole: head.isWhole)
  }

  /// The beginning of a file; `nil` if it cannot be read.
  static func head(
    of path: String, in tree: any SourceTree
  ) -> (bytes: [UInt8], isWhole: Bool)? {
    var head = [UInt8](repeating: 0, count: headBytes)
    guard let count = try? SourceContent.readHead(tree, path, into: &head) else { return nil }
    head.removeLast(head.count - count)
    return (head, count < headBytes)
  }

  /// The folders in which the labels of a folder of images can be, most likely first.
  mutating func labelFolders(of folder: Substring) -> [String] { folders.labels(of: folder) }

  /// The index of the label file of an image, which need not exist; `nil` if it has none.
  mutating func label(ofImage path: String) -> Int? {
    let candidates = folders.labels(of: SortedFiles.folder(of: path))
    guard !candidates.isEmpty else { return nil }
    let name = SortedFiles.stem(of: path) + ".txt"
    for folder in candidates {
      if let index = files.index(of: SortedFiles.join(folder, name)), roles[index] == .text {
        return index
      }
    }
    return nil
  }
}
