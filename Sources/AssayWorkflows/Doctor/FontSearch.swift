import Foundation

/// Font files in the folders where fontconfig looks.
enum FontSearch {
  /// The font that charts are drawn with where it is there.
  static let preferred = "DejaVuSans.ttf"

  /// - Parameter home: the user's folder.
  static func folders(home: String?) -> [String] {
    ["/usr/share/fonts", "/usr/local/share/fonts"]
      + (home.map { ["\($0)/.local/share/fonts", "\($0)/.fonts"] } ?? [])
  }

  /// The preferred font's file, else the first one of another in the order of paths; `nil` where there is none.
  static func best(in folders: [String]) -> String? {
    var other: String?
    for folder in folders {
      guard let paths = FileManager.default.enumerator(atPath: folder) else { continue }
      for case let path as String in paths {
        let name = path.split(separator: "/").last.map(String.init) ?? ""
        if name == preferred { return "\(folder)/\(path)" }
        guard [".ttf", ".otf", ".ttc", ".pfb"].contains(where: name.lowercased().hasSuffix) else {
          continue
        }
        let found = "\(folder)/\(path)"
        other = min(other ?? found, found)
      }
    }
    return other
  }
}
