import AssayCore

/// The classes of a dataset in Cityscapes' layout, by name, id and training id.
struct CityscapesClasses: Sendable {
  /// The meaning of a name or a value.
  struct Meaning: Sendable {
    var category: Category
    /// True if single objects of the class are told apart.
    var hasInstances: Bool
    /// False if label images do not contain the class: its polygons cover nothing.
    var isDrawn = true
    /// True for pixels without an object.
    var isBackground = false
  }

  /// All classes, in order.
  private(set) var declared: [Category] = []
  private var byID: [Int: Meaning] = [:]
  private var byName: [String: Meaning] = [:]
  private var byTrainID: [Int: Meaning] = [:]
  private(set) var issues: [Issue] = []

  /// The maximum size of a file of class names, and the maximum number of classes.
  private static let byteLimit = 1 << 20
  private static let limit = 1000
  /// The file of names and colors that Datumaro writes.
  static let colorFile = "label_colors.txt"

  /// The official table.
  init() {
    for label in CityscapesLabel.all {
      let category = label.made(called: label.name, id: label.id)
      let meaning = Meaning(
        category: category, hasInstances: label.hasInstances, isDrawn: label.id >= 0)
      declared.append(category)
      byName[label.name] = meaning
      if label.id >= 0 { byID[label.id] = meaning }
      if (0..<255).contains(label.trainID) { byTrainID[label.trainID] = meaning }
    }
    byTrainID[255] = byID[0]
  }

  /// Classes by their numbers, from 0. A name of the official table keeps its properties.
  init(_ names: [String], issues: [Issue] = []) {
    self.issues = issues
    let table = Dictionary(
      CityscapesLabel.all.map { (CityscapesLabel.plain($0.name), $0) },
      uniquingKeysWith: { first, _ in first })
    for (id, name) in names.enumerated() {
      if let known = byName[name] {
        byID[id] = known
        byTrainID[id] = known
        continue
      }
      let meaning: Meaning
      if let label = table[CityscapesLabel.plain(name)] {
        meaning = Meaning(
          category: label.made(called: name, id: id), hasInstances: label.hasInstances,
          isDrawn: label.id >= 0)
      } else {
        let category = Category(
          name: name, sourceID: .integer(Int64(id)), isVoid: ClassNames.isVoid(name))
        meaning = Meaning(
          category: category, hasInstances: true, isBackground: id == 0 && name == "background")
      }
      byID[id] = meaning
      byTrainID[id] = meaning
      byName[name] = meaning
      if !meaning.isBackground { declared.append(meaning.category) }
    }
  }

  /// The classes of a source: those of `label_colors.txt` or `dataset_meta.json` nearest to its root,
  /// else the official ones.
  ///
  /// - Throws: ``FormatError/table(_:line:problem:)`` for a list that names no classes; any error that
  ///   the tree throws.
  static func find(_ files: [SourceFile], in tree: any SourceTree) throws -> CityscapesClasses {
    if let names = try DatumaroMeta.names(files, in: tree) { return CityscapesClasses(names) }
    if let file = IndexMaskPlan.file(files, called: [colorFile]) {
      return try colors(try tree.readAll(file.path, limit: byteLimit), file: file.path)
    }
    return CityscapesClasses()
  }

  /// The classes of `label_colors.txt`: `R G B name` or `name` per line. Colors may repeat, so they
  /// number nothing. Without a black class a class `background` comes first, as in Datumaro.
  private static func colors(
    _ bytes: [UInt8], file: String
  ) throws(FormatError) -> CityscapesClasses {
    var names: [String] = []
    var issues: [Issue] = []
    var (hasColors, hasBlack) = (false, false)
    for (number, line) in String(decoding: bytes, as: UTF8.self).split(
      omittingEmptySubsequences: false, whereSeparator: \.isNewline
    ).enumerated() {
      let words = line.split(whereSeparator: \.isWhitespace).map(String.init)
      guard let first = words.first, !first.hasPrefix("#") else { continue }
      let color = words.count > 3 ? words[..<3].compactMap { UInt8($0) } : []
      let name =
        color.count == 3 ? words[3...].joined(separator: " ") : words.joined(separator: " ")
      if color.count == 3 {
        hasColors = true
        if color == [0, 0, 0] { hasBlack = true }
      }
      if names.contains(name) {
        issues.append(
          Issue(
            .duplicateID, .warning, at: IssueLocation(file: file, line: number + 1),
            "the class '\(name)' is listed twice; both numbers mean it"))
      }
      names.append(name)
      guard names.count <= limit else { throw .tooManyClasses(file, limit: limit) }
    }
    guard !names.isEmpty else {
      throw .table(file, line: 1, problem: "expected a color and a class name per line, found none")
    }
    if hasColors, !hasBlack { names.insert("background", at: 0) }
    return CityscapesClasses(names, issues: issues)
  }

  /// The meaning of a value in a label image.
  func meaning(ofID id: Int) -> Meaning? { byID[id] }

  /// The meaning of a value in an image of training ids.
  func meaning(ofTrainID id: Int) -> Meaning? { byTrainID[id] }

  /// The class of an object's name, and true if it is a group of objects (`cargroup`); `nil` for an
  /// unknown name.
  func meaning(of name: String) -> (meaning: Meaning, isGroup: Bool)? {
    if let found = byName[name] { return (found, false) }
    guard name.hasSuffix("group"), let found = byName[String(name.dropLast(5))], found.hasInstances
    else { return nil }
    return (found, true)
  }

  /// The class of the pixels without an object; `nil` if they are background.
  var unlabeled: Category? {
    guard let first = byID[0] else { return nil }
    return first.isBackground || !first.category.isVoid ? nil : first.category
  }
}
