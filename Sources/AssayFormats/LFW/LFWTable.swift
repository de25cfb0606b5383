import AssayCore

/// One of LFW's lists, by its name.
enum LFWTable: Hashable, Sendable {
  /// Five points of the face per image.
  case landmarks
  /// Pairs of images of one or of two people.
  case pairs
  /// People and the numbers of their images; with a split for the development sets.
  case people(split: String?)

  /// The list of a path; `nil` for other files.
  init?(_ path: String) {
    let isTable = Self.isTable(path)
    if Self.isFold(path) {
      self = .pairs
      return
    }
    guard isTable || path.hasSuffix(ignoringCase: ".txt") else { return nil }
    switch path.fileName.lowercased().dropLast(4) {
    case "landmarks" where !isTable: self = .landmarks
    case "pairs", "pairsdevtrain", "pairsdevtest": self = .pairs
    case "matchpairsdevtrain", "matchpairsdevtest", "mismatchpairsdevtrain",
      "mismatchpairsdevtest":
      guard isTable else { return nil }
      self = .pairs
    case "people", "lfw-names": self = .people(split: nil)
    case "lfw_allnames" where isTable: self = .people(split: nil)
    case "peopledevtrain": self = .people(split: "train")
    case "peopledevtest": self = .people(split: "test")
    default: return nil
    }
  }

  /// Returns whether a list is one of Kaggle's CSV files.
  static func isTable(_ path: String) -> Bool { path.hasSuffix(ignoringCase: ".csv") }

  /// Returns whether a list has the pairs of one of the ten folds, which `pairs.txt` has, too:
  /// `pairs_01.txt`.
  static func isFold(_ path: String) -> Bool {
    let name = path.fileName.lowercased()
    let digits = name.dropFirst("pairs_".count).dropLast(".txt".count)
    return name.hasPrefix("pairs_") && name.hasSuffix(".txt") && digits.count == 2
      && digits.allSatisfy(\.isNumber)
  }

  /// Returns whether a file is Kaggle's description of the lists.
  static func isReadme(_ path: String) -> Bool { path.fileName.lowercased() == "lfw_readme.csv" }

  /// A line of a list.
  enum Line: Hashable {
    /// A number of lines or folds.
    case header
    case landmarks(image: String, points: [Double])
    case pair(String, Int, String, Int)
    case person(String, count: Int)
    /// Another line, with the problem.
    case invalid(String)
  }

  /// Reads a line without blanks at its ends.
  ///
  /// - Parameter isTable: whether commas separate the fields, as in ``isTable(_:)``.
  func read(_ line: String, isTable: Bool = false) -> Line {
    var fields: [String]
    if isTable {
      fields = CSVFields.texts(of: Array(line.utf8)).map(LabelSeparator.trimmed)
      while fields.last?.isEmpty == true { fields.removeLast() }
      if fields.first?.lowercased() == "name", fields.count < 2 || Int(fields[1]) == nil {
        return .header
      }
    } else {
      fields = line.split { $0 == "\t" || $0 == " " }.map(String.init)
    }
    if fields.count <= 2, fields.allSatisfy({ Int($0) != nil }) { return .header }
    switch self {
    case .landmarks:
      let points = fields.dropFirst().compactMap { Double($0) }
      guard fields.count == 11, points.count == 10, points.allSatisfy(\.isFinite),
        PairPath.isImageName(fields[0])
      else { return .invalid("expected an image and 10 numbers") }
      return .landmarks(image: fields[0], points: points)
    case .pairs:
      if fields.count == 3, let a = Int(fields[1]), let b = Int(fields[2]) {
        return .pair(fields[0], a, fields[0], b)
      }
      if fields.count == 4, let a = Int(fields[1]), let b = Int(fields[3]) {
        return .pair(fields[0], a, fields[2], b)
      }
      return .invalid("expected a name and two numbers, or a name and a number twice")
    case .people:
      guard fields.count == 2, let count = Int(fields[1]), count >= 0,
        fields[0].utf8.count <= LabelReader.nameLimit
      else { return .invalid("expected a name and the number of its images") }
      return .person(fields[0], count: count)
    }
  }

  /// Returns whether most lines in the beginning of a file are those of this list.
  func fits(_ tree: any SourceTree, _ path: String) -> Bool {
    var head = [UInt8](repeating: 0, count: 4096)
    guard let count = try? SourceContent.readHead(tree, path, into: &head),
      !head[..<count].contains(0)
    else { return false }
    var lines = String(decoding: head[..<count], as: UTF8.self)
      .split(whereSeparator: \.isNewline).map { LabelSeparator.trimmed(String($0)) }
    if count == head.count, lines.count > 1 { lines.removeLast() }
    lines.removeAll { $0.isEmpty }
    let read = lines.map { self.read($0, isTable: Self.isTable(path)) }
    let good = read.count { line in
      if case .invalid = line { false } else { line != .header }
    }
    return good > 0 && 2 * good >= read.count { $0 != .header }
  }
}

/// The names of LFW's images: `George_W_Bush/George_W_Bush_0001.jpg`.
enum LFWName {
  /// The person of an image, which is its folder; `nil` if it is in none.
  static func person(of path: String) -> String? {
    let folder = SortedFiles.folder(of: path).split(separator: "/").last
    return folder.map(String.init)
  }

  /// Returns whether an image is called like its folder, with a number.
  static func isNamed(_ path: String) -> Bool {
    guard let person = person(of: path) else { return false }
    let stem = SortedFiles.stem(of: path)
    guard stem.hasPrefix(person + "_") else { return false }
    let digits = stem.dropFirst(person.count + 1)
    return !digits.isEmpty && digits.utf8.allSatisfy { (0x30...0x39).contains($0) }
  }

  /// The name of an image without folder and suffix.
  static func stem(_ person: String, _ number: Int) -> String {
    let digits = String(number)
    return "\(person)_" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }
}
