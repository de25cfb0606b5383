import AssayCore

/// The NumPy arrays that labelme's `labelme2voc.py` writes of each mask: `SegmentationClassNpy/x.npy` of
/// `SegmentationClass/x.png`, in older versions `SegmentationClass/x.npy` of `SegmentationClassPNG/x.png`.
struct MaskArrays {
  /// The paths of the arrays.
  private(set) var paths: Set<String> = []
  private var first: String?

  private static let folders = ["segmentationclass", "segmentationobject"]

  init(_ files: [SourceFile]) {
    let arrays = files.filter { $0.path.hasSuffix(ignoringCase: ".npy") }
    guard !arrays.isEmpty else { return }
    let masks = Set(files.compactMap { Self.place(of: $0.path, suffix: ".png", ending: "png") })
    for file in arrays {
      guard let place = Self.place(of: file.path, suffix: ".npy", ending: "npy"),
        masks.contains(place)
      else { continue }
      first = first ?? file.path
      paths.insert(file.path)
    }
  }

  /// The note that names them; `nil` if there are none.
  var note: String? {
    first.map { first in
      paths.count == 1
        ? "\(first) is labelme's copy of a mask as an array; not read"
        : "\(paths.count) files (\(first), …) are labelme's copies of masks as arrays; not read"
    }
  }

  /// The folder of a file without its ending, and the file's name without its suffix; `nil` for files
  /// elsewhere.
  private static func place(of path: String, suffix: String, ending: String) -> String? {
    guard path.hasSuffix(ignoringCase: suffix) else { return nil }
    let folder = path.folderPath
    var name = (folder.split(separator: "/").last ?? "").lowercased()
    let above = folder.dropLast(name.count)
    if name.hasSuffix(ending) { name.removeLast(ending.count) }
    guard folders.contains(name) else { return nil }
    return above + name + "/" + SortedFiles.stem(of: path)
  }
}
