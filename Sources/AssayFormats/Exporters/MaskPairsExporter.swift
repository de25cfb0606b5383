import AssayCore

/// Names for pairs of image and mask that ``MasksImporter`` reads back: `images/KEY.png` and
/// `masks/KEY.png`.
package struct MaskPairsExporter {
  /// The folder of the images, the folder of the masks, and the list of class names.
  package static let images = "images"
  package static let masks = "masks"
  package static let classes = "classes.txt"
  /// The list of class names with a color each.
  package static let colors = "label_colors.txt"

  private var used: Set<String> = []

  package init() {}

  /// The path of a sample's image below both folders: its key with `.png` in place of its suffix;
  /// with the suffix kept before `.png` if another key differs only in its suffix. Characters that
  /// are invalid in a path, or would hide it, become `_`.
  package mutating func path(for key: String) -> String {
    let parts = key.split(separator: "/").map { Self.safe(String($0)) }
    let whole = parts.isEmpty ? "_" : parts.joined(separator: "/")
    var candidates = [Self.withoutSuffix(whole), whole]
    var number = 2
    while true {
      for candidate in candidates where used.insert(candidate.lowercased()).inserted {
        return candidate + ".png"
      }
      candidates = ["\(whole)-\(number)"]
      number += 1
    }
  }

  /// The content of `classes.txt`: background, then the classes in the order of their values.
  package static func list(of classes: [String]) -> [UInt8] {
    let names =
      ["background"] + classes.map { $0.split(whereSeparator: \.isNewline).joined(separator: " ") }
    return Array((names.joined(separator: "\n") + "\n").utf8)
  }

  /// The content of `label_colors.txt`: background, then the classes in the order of their values, each
  /// `R G B name` with the color of its value in Pascal VOC; `nil` if a name cannot be stated there, or
  /// if masks have 16 bits per value.
  package static func colorList(of classes: [String]) -> [UInt8]? {
    guard classes.count <= IndexMap.Depth.narrowLimit, classes.allSatisfy({ listed($0) == $0 })
    else { return nil }
    let lines = (["background"] + classes).enumerated().map { value, name in
      let color = VOCPalette.colors[value]
      return "\(color >> 16) \(color >> 8 & 255) \(color & 255) \(name)\n"
    }
    return Array(lines.joined().utf8)
  }

  /// The name of a class in `label_colors.txt`, or with 16 bits in `classes.txt`: words with single
  /// blanks, without commas and `#`. A class that is not void has no name that means void; in
  /// `classes.txt`, which lists of images look like, none has an image's name.
  static func listed(_ category: Category, _ depth: IndexMap.Depth) -> String {
    let name = listed(category.name)
    let isTaken =
      !category.isVoid && ClassNames.isVoid(name) || depth.isWide && PairPath.isImageName(name)
    return isTaken ? name + " class" : name
  }

  private static func listed(_ name: String) -> String {
    let words = name.split { $0 == "," || $0.isWhitespace }
    let safe = String(words.joined(separator: " ").map { $0 == "#" ? "_" : $0 })
    return safe.isEmpty ? "_" : safe
  }

  private static func safe(_ part: String) -> String {
    let part = String(part.map { $0 == "\0" ? "_" : $0 })
    return part.hasPrefix(".") ? "_" + part.dropFirst() : part
  }

  private static func withoutSuffix(_ path: String) -> String {
    guard PairPath.isImageName(path), let dot = path.lastIndex(of: ".") else { return path }
    let stem = path[..<dot]
    return stem.isEmpty || stem.hasSuffix("/") ? path : String(stem)
  }
}
