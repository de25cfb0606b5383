/// Recognizes tables, lists and other text files of annotations by their first lines.
enum TextCompanion {
  static func kind(_ place: CompanionPlace, _ text: String) -> CompanionKind? {
    let lines = text.split(whereSeparator: \.isNewline).prefix(21).map(String.init)
      .filter { !$0.allSatisfy(\.isWhitespace) }
    switch place.suffix {
    case ".csv", ".tsv": return table(lines)
    case ".yaml", ".yml": return yaml(text)
    case ".names": return .yoloNames
    case ".data" where text.contains("names") || text.contains("train"):
      return .darknetData
    default: return plain(place, lines)
    }
  }

  private static func yaml(_ text: String) -> CompanionKind {
    let keys = Set(
      text.split(whereSeparator: \.isNewline).compactMap { line in
        line.first?.isLetter == true ? line.split(separator: ":").first.map(String.init) : nil
      })
    let isYOLO = keys.contains("names") && !keys.isDisjoint(with: ["train", "val", "nc", "path"])
    return isYOLO ? .yoloData : CompanionKind(other: "YAML files")
  }

  // MARK: Tables

  private static func table(_ lines: [String]) -> CompanionKind {
    guard let first = lines.first else {
      return CompanionKind(other: "CSV tables")
    }
    let fields = split(first.lowercased())
    let names = Set(fields)
    let known: CompanionKind? =
      if names.contains("region_shape_attributes") {
        .viaTable
      } else if names.isSuperset(of: ["annotation_id", "annotator", "lead_time"]) {
        .labelStudioTable
      } else if names.contains("file_name") {
        .hfMetadata
      } else if names.contains("imageid"), names.contains("labelname") || names.contains("source") {
        .openImages
      } else if names.contains("5_o_clock_shadow") || names.contains("lefteye_x")
        || names == ["image_id", "partition"]
      {
        .celebATable
      } else if !names.isDisjoint(with: ["encodedpixels", "rle_mask", "rle"])
        || names == ["id", "encoding"]
      {
        .runLengthTables
      } else if names.contains("xmin") || names.contains("x_min") || names.contains("bbox") {
        .boxTables
      } else if fields.count > 100 {
        .pixelTables
      } else if isBoxRow(lines.count > 1 ? lines[1] : first) {
        .boxTables
      } else if namesImage(lines.count > 1 ? lines[1] : first) {
        .labelTables
      } else {
        nil
      }
    return known ?? CompanionKind(other: "CSV tables")
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
      return .vocSets
    }
    if place.name.hasSuffix("_atr.txt") { return .ade20K }
    let rows = lines.map { $0.split(whereSeparator: \.isWhitespace).map(String.init) }
    guard let first = rows.first else { return nil }
    if rows.allSatisfy(isYOLO) { return .yolo }
    if rows.allSatisfy(isKITTI) { return .kitti }
    if rows.allSatisfy(isKITTITrack) { return .kittiTracks }
    if rows.drop(while: { $0.count < 9 }).allSatisfy(isOriented), (rows.last?.count ?? 0) >= 9 {
      return .dota
    }
    if let known = numbered(place, lines) { return known }
    if let known = face(place, rows) { return known }
    if rows.allSatisfy({ isSynset($0[0]) }) { return .imageNetNames }
    if isWIDER(rows) { return .wider }
    if isCUB(place, rows) { return .cub }
    if rows.allSatisfy({ PairPath.isImageName($0[0]) }) {
      if rows.allSatisfy({ $0.count == 1 }) { return .imageLists }
      if rows.allSatisfy({ $0.dropFirst().allSatisfy(isCornerBox) }) { return .kerasYOLO }
      return rows.allSatisfy({ $0.count == 2 && Int($0[1]) != nil }) ? .imageNetLists : .labelLists
    }
    if first.first == "#", lines[0].contains("label:color_rgb") { return .vocMaps }
    if ["classes.txt", "labels.txt", "class_names.txt", "obj.names", "_darknet.labels"].contains(
      place.name)
    {
      return .classNames
    }
    return nil
  }

  /// CelebA's tables and LFW's lists.
  private static func face(_ place: CompanionPlace, _ rows: [[String]]) -> CompanionKind? {
    if place.name.contains("celeba") || rows.contains(where: { $0.contains("5_o_Clock_Shadow") }) {
      return .celebA
    }
    let isLFW = ["pairs", "people", "landmarks"].contains { place.name.hasPrefix($0) }
    let isTable = rows.dropFirst().allSatisfy { row in
      row.count >= 2 && row.dropFirst().contains { Int($0) != nil }
    }
    return isLFW && isTable ? .lfw : nil
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

  /// A frame, a track, a class and fourteen or fifteen numbers.
  private static func isKITTITrack(_ row: [String]) -> Bool {
    row.count > 2 && Int(row[0]) != nil && Int(row[1]) != nil && isKITTI(Array(row.dropFirst(2)))
  }

  /// Rows of numbers with commas between: VisDrone's, MOT Challenge's, and ICDAR's, which end in a text.
  private static func numbered(_ place: CompanionPlace, _ lines: [String]) -> CompanionKind? {
    let rows = lines.map { line in
      var fields = line.split(separator: ",", omittingEmptySubsequences: false).map {
        $0.filter { !$0.isWhitespace && $0 != "\u{FEFF}" }
      }
      // VisDrone's rows can end in a comma.
      if fields.last == "" { fields.removeLast() }
      return fields
    }
    func numbers(_ row: [String]) -> Int { row.prefix { Double($0) != nil }.count }
    // A box, a score, a class, truncation and occlusion; not a frame and a track in front.
    if rows.allSatisfy({ $0.count == 8 && numbers($0) == 8 }) { return .visDrone }
    if rows.allSatisfy({ $0.count >= 7 && numbers($0) == $0.count }) { return .mot }
    // ICDAR 2015: four corners and the text; 2013: a box and the text in quotation marks.
    let isCorners = rows.allSatisfy { $0.count >= 9 && numbers($0) >= 8 }
    let isNamed = place.name.hasPrefix("gt_")
    return isCorners || (isNamed && lines.allSatisfy(isQuotedRegion)) ? .icdar : nil
  }

  /// Four or eight numbers, with blanks or commas between, and a text in quotation marks.
  private static func isQuotedRegion(_ line: String) -> Bool {
    guard let quote = line.firstIndex(of: "\"") else { return false }
    let numbers = line[..<quote].split { $0 == "," || $0.isWhitespace }
      .map { $0.filter { $0 != "\u{FEFF}" } }
    return [4, 8].contains(numbers.count) && numbers.allSatisfy { Double($0) != nil }
  }

  /// An image, the number of its faces, and a row of ten numbers for each.
  private static func isWIDER(_ rows: [[String]]) -> Bool {
    guard rows.count > 2, rows[0].count == 1, PairPath.isImageName(rows[0][0]),
      rows[1].count == 1, Int(rows[1][0]) != nil
    else { return false }
    return rows[2].count >= 10 && rows[2].allSatisfy { Int($0) != nil }
  }

  /// The lists of CUB-200: the number of an image, and its file, class, part or box.
  private static func isCUB(_ place: CompanionPlace, _ rows: [[String]]) -> Bool {
    guard rows.allSatisfy({ $0.count > 1 && Int($0[0]) != nil }) else { return false }
    let lists = ["image_class_labels.txt", "train_test_split.txt", "bounding_boxes.txt"]
    return lists.contains(place.name)
      || place.name == "images.txt" && rows.allSatisfy { PairPath.isImageName($0[1]) }
  }

  /// `x1,y1,x2,y2,class`.
  private static func isCornerBox(_ word: String) -> Bool {
    let fields = word.split(separator: ",")
    return fields.count == 5 && fields.allSatisfy { Double($0) != nil }
  }

  /// WordNet's number of a class: `n01440764`.
  private static func isSynset(_ word: String) -> Bool {
    word.utf8.count == 9 && word.first == "n" && word.dropFirst().allSatisfy(\.isNumber)
  }
}
