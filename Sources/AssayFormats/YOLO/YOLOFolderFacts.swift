import AssayCore

/// The folders of images of a source, and how many of their images have labels.
struct YOLOFolderFacts {
  /// One folder.
  private struct Folder {
    var images = 0
    var labeled = 0
    /// The images that no data file or list names: those with a label file, and the others.
    var unlistedLabeled = 0
    var unlistedPlain = 0
    var firstLabeled = ""
    var firstPlain = ""
    /// The folders of labels, most likely first.
    var labels: [String]
  }

  private var inventory: YOLOInventory
  private var folders: [Substring: Folder] = [:]
  /// The labeled folders with `*` for their split.
  private var patterns: Set<String> = []
  /// The folders of images that each folder of labels can belong to.
  private(set) var imageFolders: [String: [String]] = [:]

  init(_ inventory: YOLOInventory) { self.inventory = inventory }

  /// Counts an image.
  mutating func add(_ index: Int, isLabeled: Bool, isListed: Bool) {
    let path = inventory.files[index]
    let name = SortedFiles.folder(of: path)
    if folders[name] == nil {
      let labels = inventory.labelFolders(of: name)
      for folder in labels { imageFolders[folder, default: []].append(String(name)) }
      folders[name] = Folder(labels: labels)
    }
    guard var folder = folders.removeValue(forKey: name) else { return }
    folder.images += 1
    if isLabeled {
      if folder.labeled == 0 { patterns.insert(Self.pattern(of: name)) }
      folder.labeled += 1
    }
    if !isListed {
      if isLabeled {
        if folder.unlistedLabeled == 0 { folder.firstLabeled = path }
        folder.unlistedLabeled += 1
      } else {
        if folder.unlistedPlain == 0 { folder.firstPlain = path }
        folder.unlistedPlain += 1
      }
    }
    folders[name] = folder
  }

  /// Returns whether a folder is part of the dataset: one of its images has a label file, or it
  /// differs only by the split from a folder with one (`images/test` from `images/train`).
  func isPart(_ folder: Substring) -> Bool {
    if (folders[folder]?.labeled ?? 0) > 0 { return true }
    return Self.split(of: folder) != nil && patterns.contains(Self.pattern(of: folder))
  }

  /// The findings about images that are left out or have no split, one for each folder.
  ///
  /// - Parameters:
  ///   - isListed: whether a data file or lists name the images.
  ///   - file: the path of the data file.
  func issues(isListed: Bool, by file: String?) -> [Issue] {
    var issues: [Issue] = []
    for (name, folder) in folders.sorted(by: { $0.key < $1.key }) {
      let location = IssueLocation(file: name.isEmpty ? "." : String(name))
      if isListed {
        if folder.unlistedLabeled > 0 {
          issues.append(
            Issue(
              .unknownSplit, .warning, at: location,
              "\(Self.images(folder.unlistedLabeled, folder.firstLabeled)) with labels that "
                + "\(file ?? "no list") \(file == nil ? "names" : "does not name"); imported "
                + "without a split"))
        }
        if folder.unlistedPlain > 0 {
          issues.append(
            Issue(
              .missingLabel, .error, at: location,
              "\(Self.images(folder.unlistedPlain, folder.firstPlain)) without a label file that "
                + "\(file ?? "no list") \(file == nil ? "names" : "does not name"); left out"))
        }
      } else if !isPart(name) {
        issues.append(
          Issue(
            .missingLabel, .error, at: location,
            "\(Self.images(folder.unlistedPlain, folder.firstPlain)) in a folder where no image "
              + "has a label file; left out"))
      } else if let split = Self.split(of: name), split.isAmbiguous {
        issues.append(
          Issue(
            .unknownSplit, .warning, at: location,
            "several of its folders have the name of a split; '\(split.name)' is used"))
      }
    }
    return issues
  }

  /// The number of images that are left out.
  ///
  /// - Parameter isListed: whether a data file or lists name the images.
  func leftOut(isListed: Bool) -> Int {
    folders.reduce(0) { sum, item in
      isListed || !isPart(item.key) ? sum + item.value.unlistedPlain : sum
    }
  }

  private static func images(_ count: Int, _ first: String) -> String {
    count == 1 ? "1 image (\(first))" : "\(count) images (\(first), …)"
  }

  /// The folder of a path that is its split; `nil` if none has the name of one. Of several, the one
  /// next to the folder that is called `images` is used, else the first.
  static func split(of folder: Substring) -> (name: String, isAmbiguous: Bool)? {
    let parts = folder.split(separator: "/").map(String.init)
    guard let place = splitPlace(in: parts) else { return nil }
    let names = Set(parts.filter(FolderLayout.isSplit).map { $0.lowercased() })
    return (parts[place], names.count > 1)
  }

  private static func splitPlace(in parts: [String]) -> Int? {
    let places = parts.indices.filter { FolderLayout.isSplit(parts[$0]) }
    guard let images = YOLOFolders.imagePlace(in: parts) else { return places.first }
    // Of two at the same distance, the one below: `images/train` before `val/images`.
    return places.min { a, b in
      (abs(a - images), b) < (abs(b - images), a)
    }
  }

  private static func pattern(of folder: Substring) -> String {
    var parts = folder.split(separator: "/").map(String.init)
    if let place = splitPlace(in: parts) { parts[place] = "*" }
    return parts.joined(separator: "/")
  }
}
