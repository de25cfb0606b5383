import AssayCore

/// The names of the values of index masks, from a file such as `classes.txt` or from the command line.
struct ClassNames: Hashable {
  /// The name of each named value.
  private(set) var names: [UInt16: String] = [:]
  /// The name that a list for masks of 8 bits gives to 255, which is void there; `nil` if there is none.
  private(set) var nameOf255: String?
  /// The number of names of a list in order that is taken to begin at 1, though nothing says so; `nil` for others.
  private(set) var assumedFromOne: Int?

  /// The files that contain such lists, most reliable first.
  static let fileNames = ["classes.txt", "class_names.txt", "labels.txt"]

  /// The maximum number of bytes that are read from a list.
  static let byteLimit = 1 << 20
  /// The maximum number of bytes of a list for masks of 16 bits.
  private static let wideByteLimit = 16 << 20

  /// Names in order: of 0, 1, 2, … if the first is called background or void, or another one background (or `first` is
  /// 0), else of 1, 2, 3, …; a leading `__ignore__`, which labelme writes, is not a class. Names for values above
  /// 254 are omitted, with 16 bits those above 65,534.
  init(_ names: [String], first: Int? = nil, isWide: Bool = false) {
    let list = first == nil && names.first == "__ignore__" ? names.dropFirst() : names[...]
    let start = first ?? (Self.beginsAtZero(list) ? 0 : 1)
    let end = Int(isWide ? IndexClasses.void : UInt16(IndexClasses.narrowVoid))
    let pairs = list.prefix(end - start).enumerated().map { (UInt16(start + $0), $1) }
    self.init(values: Dictionary(uniqueKeysWithValues: pairs))
    if !isWide { nameOf255 = list.dropFirst(end - start).first }
    if first == nil, start == 1, list.count > 1 { assumedFromOne = list.count }
  }

  /// True if a list in order has a name that 0 has: background wherever it is, or void as the first.
  private static func beginsAtZero(_ names: ArraySlice<String>) -> Bool {
    names.contains(where: isBackground) || names.first.map(isVoid) == true
  }

  /// Names in order, those above 254 only for masks of 16 bits.
  ///
  /// - Parameter isWide: returns whether a mask has 16 bits; called only if it matters.
  /// - Throws: any error that `isWide` throws.
  init(_ names: [String], first: Int? = nil, isWide: () throws -> Bool) rethrows {
    self.init(names, first: first)
    let wide = ClassNames(names, first: first, isWide: true)
    if wide != self, try isWide() { self = wide }
  }

  /// The list in a file: one name per line, or a value and its name on every line (`3 car`,
  /// `3: car`); `nil` for any other file.
  ///
  /// - Parameters:
  ///   - first: the value of the first name; detected if `nil`.
  ///   - isWide: whether the values have 16 bits.
  init?(_ text: [UInt8], first: Int? = nil, isWide: Bool = false) {
    // Blank lines do not count, but a text of them alone would take much memory.
    guard text.count <= Self.byteLimit || text.count(where: { $0 == 0x0A }) <= Self.byteLimit,
      let text = String(validating: text, as: UTF8.self)
    else { return nil }
    let lines = Self.lines(of: text)
    guard !lines.isEmpty, lines.count <= (isWide ? 1 << 16 : 1 << 8),
      !lines.contains(where: PairPath.isImageName),
      lines.allSatisfy({ $0.utf8.count <= 1000 })
    else { return nil }
    let numbered = lines.compactMap { Self.numbered($0, isWide: isWide) }
    if numbered.count == lines.count, Set(numbered.map(\.value)).count == lines.count {
      let void = isWide ? IndexClasses.void : UInt16(IndexClasses.narrowVoid)
      let pairs = numbered.filter { $0.value < void }
      self.init(values: Dictionary(uniqueKeysWithValues: pairs))
      if !isWide { nameOf255 = numbered.first { $0.value == void }?.name }
    } else {
      self.init(lines, first: first, isWide: isWide)
    }
  }

  /// The reason why a list whose lines all begin with numbers cannot be read by them: repeated or out of
  /// range, one clause; `nil` for other lists. Read in order, the names would get other values.
  static func fault(_ text: [UInt8], isWide: Bool) -> String? {
    guard let text = String(validating: text, as: UTF8.self) else { return nil }
    let lines = lines(of: text)
    guard lines.count > 1, lines.count <= 1 << 16 else { return nil }
    var seen: Set<Substring> = []
    var fault: String?
    for line in lines {
      let sign = line.first == "-" ? 1 : 0
      let digits = line.dropFirst(sign).prefix { $0.isASCII && $0.isNumber }
      guard !digits.isEmpty, let next = line[digits.endIndex...].first, ":, \t".contains(next)
      else {
        return nil
      }
      guard fault == nil else { continue }
      if numbered(line, isWide: isWide) == nil {
        fault = "“\(line.prefix(60))” has no number from 0 to \(isWide ? 65_534 : 254) with a name"
      } else if !seen.insert(digits).inserted {
        fault = "the number \(digits.prefix(10)) is on two lines"
      }
    }
    return fault
  }

  /// The class names of a color list.
  init(_ colors: LabelColors) { self.init(values: colors.names) }

  private init(values: [UInt16: String]) { names = values }

  /// The list of a source; `nil` if none of its files is one.
  ///
  /// - Parameters:
  ///   - first: the value of the first name; detected if `nil`.
  ///   - also: additional files that may contain it.
  ///   - isWide: returns whether a mask has 16 bits; called only if the meaning of a list depends on
  ///     it.
  /// - Throws: ``FormatError/classList(_:problem:)``; any error that the tree or `isWide` throws.
  static func find(
    _ files: [SourceFile], in tree: any SourceTree, first: Int? = nil, also: [String] = [],
    isWide: () throws -> Bool
  ) throws -> ClassNames? {
    for name in fileNames + also {
      guard let file = IndexMaskPlan.file(files, called: [name]), file.size <= wideByteLimit else {
        continue
      }
      let text = try tree.readAll(file.path, limit: wideByteLimit)
      if let fault = ClassNames.fault(text, isWide: true) {
        throw FormatError.classList(file.path, problem: fault)
      }
      let narrow = file.size <= byteLimit ? ClassNames(text, first: first) : nil
      if first == nil, let names = narrow?.names, names[0] == "unlabeled", names[1] == "person",
        names[182] != nil
      {
        throw FormatError.classList(
          file.path,
          problem:
            "it is COCO-Stuff's list, where 0 is unlabeled and 1 person, but COCO-Stuff's maps in PNG "
            + "files (stuffthingmaps) have 0 for person and 255 for unlabeled; put a list of the maps' own "
            + "values in its place, 0: person and so on, and of the others “0: none, 1: person”")
      }
      let wide = ClassNames(text, first: first, isWide: true)
      if let names = try wide == narrow || !isWide() ? narrow : wide { return names }
    }
    return nil
  }

  /// True if 0 is background: no class has that value, or its class has a background name.
  var hasBackground: Bool { names[0].map(Self.isBackground) ?? true }

  private static func numbered(
    _ line: String, isWide: Bool
  ) -> (value: UInt16, name: String)? {
    let digits = line.prefix { $0.isASCII && $0.isNumber }
    let rest = line[digits.endIndex...]
    guard let value = UInt16(digits), isWide || value < 256, let first = rest.first,
      ":, \t".contains(first)
    else {
      return nil
    }
    let name = trimmed(rest.drop { ":, \t".contains($0) })
    return name.isEmpty ? nil : (value, name)
  }

  /// The lines of a list that are not blank, without blanks at their ends.
  static func lines(of text: String) -> [String] {
    text.split(whereSeparator: \.isNewline).map { trimmed($0) }.filter { !$0.isEmpty }
  }

  private static func trimmed(_ text: Substring) -> String {
    var text = text.drop(while: \.isWhitespace)
    while text.last?.isWhitespace == true { text.removeLast() }
    return String(text.first == "\u{FEFF}" ? text.dropFirst() : text)
  }

  /// Returns whether a name means background: `background`, `_background_`, `bg`.
  static func isBackground(_ name: String) -> Bool {
    ["background", "bg"].contains(name.lowercased().filter { $0 != "_" })
  }

  /// Returns whether a name means pixels that are not evaluated: `void`, `ignore`, `unlabeled`.
  static func isVoid(_ name: String) -> Bool {
    ["void", "ignore", "ignored", "unlabelled", "unlabeled"].contains(
      name.lowercased().filter { $0 != "_" })
  }
}
