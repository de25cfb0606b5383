import AssayCore

/// The folders of labels that belong to each folder of images.
///
/// For `a/images/train` that is `a/labels/train` (the last folder that is called `images` counts),
/// then the folder itself.
struct YOLOFolders {
  private static let imageWords: Set<String> = ["images", "image", "imgs", "img", "jpegimages"]
  private static let labelWords = ["labels", "label", "annotations", "annotation"]

  /// The folders that contain texts, by their path in lower case.
  private let texts: [String: [String]]
  private var known: [Substring: [String]] = [:]

  /// - Parameters:
  ///   - files: all files.
  ///   - roles: their roles.
  init(_ files: SortedFiles, _ roles: [YOLOFileRole]) {
    var found: Set<Substring> = []
    var last: Substring?
    for index in 0..<files.count where roles[index] == .text {
      let folder = SortedFiles.folder(of: files[index])
      if folder != last { found.insert(folder) }
      last = folder
    }
    texts = Dictionary(grouping: found.map(String.init).sorted()) { $0.lowercased() }
  }

  /// The folders in which the labels of a folder of images can be, most likely first.
  mutating func labels(of folder: Substring) -> [String] {
    if let found = known[folder] { return found }
    let found = search(folder)
    known[folder] = found
    return found
  }

  /// The place of the last folder that is called `images`; `nil` if there is none.
  static func imagePlace(in parts: [String]) -> Int? {
    parts.lastIndex { imageWords.contains($0.lowercased()) }
  }

  private func search(_ folder: Substring) -> [String] {
    var found: [String] = []
    var parts = folder.split(separator: "/").map(String.init)
    if let place = Self.imagePlace(in: parts) {
      for word in Self.labelWords {
        parts[place] = word
        let path = parts.joined(separator: "/")
        let folders = (texts[path.lowercased()] ?? []).filter { other in
          let names = other.split(separator: "/")
          return names.count == parts.count
            && names.indices.allSatisfy { $0 == place || names[$0] == parts[$0] }
        }
        // The same spelling comes first.
        found += folders.filter { $0 == path } + folders.filter { $0 != path }
      }
    }
    if texts[folder.lowercased()]?.contains(String(folder)) == true { found.append(String(folder)) }
    return found
  }
}
