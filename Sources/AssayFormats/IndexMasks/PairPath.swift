import AssayImaging

/// The role of an image file in a set of images and masks, from its path.
package struct PairPath: Hashable {
  /// The role of the file by its folder's name.
  enum Role: Hashable {
    case image
    case mask
    /// A mask if the folder with this path, which has the same name without the ending (`train` for
    /// `trainannot`), contains images; its own name is then the split.
    case maskOf(folder: String, name: String)
  }

  var role: Role
  /// The folders above, without the one that names the role: equal for an image and its mask.
  var folder: String
  /// The name without its suffix.
  var stem: String

  private static let imageWords: Set<String> = [
    "images", "image", "imgs", "img", "jpegimages", "pngimages", "photos", "pictures", "inputs",
    "input", "rgb", "701_stillsraw_full",
  ]
  private static let maskWords: Set<String> = [
    "masks", "mask", "labels", "label", "annotations", "annotation", "annots", "annot",
    "segmentationclass", "segmentationclasspng", "segmentations", "segmentation", "groundtruth",
    "ground_truth", "gt", "labeledapproved_full",
  ]
  private static let folderEndings = [
    "_annotations", "_annotation", "_annot", "annot", "_masks", "_mask", "_labels", "_label", "_gt",
  ]
  private static let stemEndings = [
    "_mask", "_masks", "-mask", "_label", "_labels", "_annotation", "_annot", "_segmentation",
    "_seg", "_gt", "_l", "_p",
  ]

  /// - Parameter path: relative to the root, `/` between components.
  init(_ path: String) {
    var folders = path.split(separator: "/").map(String.init)
    let file = folders.popLast() ?? ""
    stem = Self.stem(of: file)
    let words = folders.map { $0.lowercased() }
    if let place = words.firstIndex(where: {
      Self.imageWords.contains($0) || Self.maskWords.contains($0)
    }) {
      role = Self.imageWords.contains(words[place]) ? .image : .mask
      folders.remove(at: place)
      folder = folders.joined(separator: "/")
      return
    }
    folder = folders.joined(separator: "/")
    role = .image
    for place in words.indices.reversed() {
      let ending = Self.folderEndings.first {
        words[place].hasSuffix($0) && words[place].count > $0.count
      }
      guard let ending else { continue }
      folders[place] = String(folders[place].dropLast(ending.count))
      role = .maskOf(folder: folders.joined(separator: "/"), name: folders[place])
      return
    }
  }

  /// The possible stems of a mask's image: the mask's own, and the one without an ending such as
  /// `_mask`.
  static func imageStems(ofMask stem: String) -> [String] {
    let lower = stem.lowercased()
    let ending = stemEndings.first { lower.hasSuffix($0) && lower.count > $0.count }
    return [stem] + (ending.map { [String(stem.dropLast($0.count))] } ?? [])
  }

  /// Returns whether a file has the suffix of an image that assay reads.
  package static func isImageName(_ path: String) -> Bool { ImageKind(named: path) != nil }

  /// A file's name without its suffix.
  static func stem(of file: String) -> String {
    guard let dot = file.lastIndex(of: "."), dot != file.startIndex else { return file }
    return String(file[..<dot])
  }
}
