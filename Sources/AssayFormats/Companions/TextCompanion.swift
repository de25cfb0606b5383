/// Recognizes tables, lists and other text files of annotations by their first lines.
enum TextCompanion {
  static func kind(_ place: CompanionPlace, _ text: String) -> CompanionKind? {
    let lines = text.split(whereSeparator: \.isNewline).prefix(21).map(String.init)
      .filter { !$0.allSatisfy(\.isWhitespace) }
    switch place.suffix {
    case ".csv", ".tsv": return table(lines)
    case ".yaml", ".yml": return yaml(text)
    case ".names": return CompanionKind(name: "YOLO class names")
    case ".data" where text.contains("names") || text.contains("train"):
      return CompanionKind(name: "YOLO data files (Darknet)")
    default: return plain(place, lines)
    }
  }

  private static func yaml(_ text: String) -> CompanionKind {
    let keys = Set(
      text.split(whereSeparator: \.isNewline).compactMap { line in
        line.first?.isLetter == true ? line.split(separator: ":").first.map(String.init) : nil
      })
    let isYOLO = keys.contains("names") && !keys.isDisjoint(with: ["train", "val", "nc", "path"])
    return isYOLO
      ? CompanionKind(name: "YOLO data files (data.yaml)")
      : CompanionKind(name: "YAML files", isAnnotation: false)
  }

  // MARK: Tables

  private static func table(_ lines: [String]) -> CompanionKind {
    guard let first = lines.first else {
      return CompanionKind(name: "CSV tables", isAnnotation: false)
    }
    let fields = split(first.lowercased())
    let names = Set(fields)
    let name: String? =
      if names.contains("region_shape_attributes") {
        "VIA annotations (CSV)"
      } else if names.contains("file_name") {
        "Hugging Face image-folder metadata"
      } else if names.contains("imageid"), names.contains("labelname") || names.contains("source") {
        "Open Images annotations (CSV)"
      } else if names.contains("5_o_clock_shadow") || names.contains("lefteye_x")
        || names == ["image_id", "partition"]
      {
        "CelebA annotations (CSV)"
      } else if names.contains("xmin") || names.contains("x_min") || names.contains("bbox") {
        "tables of boxes (CSV)"
      } else if fields.count > 100 {
        "tables of pixels (MNIST CSV)"
      } else if isBoxRow(lines.count > 1 ? lines[1] : first) {
        "tables of boxes (CSV)"
      } else if namesImage(lines.count > 1 ? lines[1] : first) {
        "tables of images and labels (CSV)"
      } else {
        nil
      }
    return name.map { CompanionKind(name: $0) }
      ?? CompanionKind(name: "CSV tables", isAnnotation: false)
  }

  private static func split(_ line: String) -> [String] {
    line.split(omittingEmptySubsequences: false) { $0 == "," || $0 == ";" || $0 == "\t" }.map {
      $0.filter { $0 != "\"" && $0 != " " && $0 != "\u{FEFF}" }
    }
  }

  /// RetinaNet's rows: an image, four numbers and a class.
  private static func isBoxRow(_ line: String) -> Bool {
    let fields = split(line)
    return fields.count >= 5 && PairPath.isImageName(fields[0])
      && fields[1...4].allSatisfy { Double($0) != nil }
  }

  private static func namesImage(_ line: String) -> Bool {
    split(line).contains(where: PairPath.isImageName)
  }

  // MARK: Lists and labels

  private static func plain(_ place: CompanionPlace, _ lines: [String]) -> CompanionKind? {
    if place.folders.contains("imagesets") {
      return CompanionKind(name: "Pascal VOC image sets")
    }
    if place.name.hasSuffix("_atr.txt") { return CompanionKind(name: "ADE20K annotations") }
    let rows = lines.map { $0.split(whereSeparator: \.isWhitespace).map(String.init) }
    guard let first = rows.first else { return nil }
    if rows.allSatisfy(isYOLO) { return .yolo }
    if rows.allSatisfy(isKITTI) { return CompanionKind(name: "KITTI labels") }
    if rows.drop(while: { $0.count < 9 }).allSatisfy(isOriented), (rows.last?.count ?? 0) >= 9 {
      return CompanionKind(name: "DOTA labels (oriented boxes)")
    }
    if lines.allSatisfy(isTracked) { return CompanionKind(name: "MOT Challenge labels") }
    if let known = face(place, rows) { return CompanionKind(name: known) }
    if rows.allSatisfy({ isSynset($0[0]) }) {
      return CompanionKind(name: "ImageNet class names")
    }
    if rows.allSatisfy({ PairPath.isImageName($0[0]) }) {
      if rows.allSatisfy({ $0.count == 1 }) { return CompanionKind(name: "lists of images") }
      return rows.allSatisfy({ $0.count == 2 && Int($0[1]) != nil })
        ? CompanionKind(name: "ImageNet lists (an image and its class)")
        : CompanionKind(name: "lists of images and labels")
    }
    if first.first == "#", lines[0].contains("label:color_rgb") {
      return CompanionKind(name: "Pascal VOC label maps")
    }
    if ["classes.txt", "labels.txt", "class_names.txt", "obj.names", "_darknet.labels"].contains(
      place.name)
    {
      return CompanionKind(name: "lists of class names")
    }
    return nil
  }

  /// CelebA's tables and LFW's lists.
  private static func face(_ place: CompanionPlace, _ rows: [[String]]) -> String? {
    if place.name.contains("celeba") || rows.contains(where: { $0.contains("5_o_Clock_Shadow") }) {
      return "CelebA annotations"
    }
    let isLFW = ["pairs", "people", "landmarks"].contains { place.name.hasPrefix($0) }
    let isTable = rows.dropFirst().allSatisfy { row in
      row.count >= 2 && row.dropFirst().contains { Int($0) != nil }
    }
    return isLFW && isTable ? "LFW annotations" : nil
  }

  /// A class and at least four numbers in 0...1.
  private static func isYOLO(_ row: [String]) -> Bool {
    guard row.count >= 5, let number = Int(row[0]), number >= 0 else { return false }
    return row.dropFirst().prefix(4).allSatisfy { field in
      Double(field).map { (-0.01...1.01).contains($0) } ?? false
    } && row.dropFirst().allSatisfy { Double($0) != nil }
  }

  /// A class and fourteen or fifteen numbers.
  private static func isKITTI(_ row: [String]) -> Bool {
    (15...16).contains(row.count) && Double(row[0]) == nil
      && row.dropFirst().allSatisfy { Double($0) != nil }
  }

  /// Eight numbers and a class.
  private static func isOriented(_ row: [String]) -> Bool {
    (9...10).contains(row.count) && row.prefix(8).allSatisfy { Double($0) != nil }
      && Double(row[8]) == nil
  }

  /// A frame, a track and a box, with commas between.
  private static func isTracked(_ line: String) -> Bool {
    let fields = line.split(separator: ",").map { $0.filter { !$0.isWhitespace } }
    return fields.count >= 7 && fields.allSatisfy { Double($0) != nil }
  }

  /// WordNet's number of a class: `n01440764`.
  private static func isSynset(_ word: String) -> Bool {
    word.utf8.count == 9 && word.first == "n" && word.dropFirst().allSatisfy(\.isNumber)
  }
}
