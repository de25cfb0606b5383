import AssayCore

/// The classes of a Pascal VOC dataset: those of the XML files by name, those of masks by value or
/// color.
struct VOCClasses: Sendable {
  /// The classes that the source or `--classes` declares, in their order; empty for none.
  private(set) var declared: [Category] = []
  /// The meaning of the values of class masks.
  private(set) var values: IndexClasses
  /// The values of the colors of class masks.
  private(set) var colors = VOCPalette.labels
  /// The label map that was read; `nil` for none.
  private(set) var labelMap: VOCLabelMap?
  private(set) var issues: [Issue] = []
  private(set) var notes: [String] = []
  /// True if a class that is not declared is an error.
  let isClosed: Bool
  private var byName: [String: Category] = [:]

  /// - Parameters:
  ///   - inventory: the files of the source.
  ///   - given: the names of `--classes`.
  ///   - areVOC: returns whether the XML files have the classes of Pascal VOC; called if nothing
  ///     else names the values of masks.
  /// - Throws: any error that the tree throws.
  init(_ inventory: VOCInventory, given: [String]?, areVOC: () -> Bool) throws {
    isClosed = given != nil
    values = IndexClasses([:], hasBackground: true)
    let hasMasks = inventory.roles.contains(.classMask)
    if let file = Self.nearest(.labelMap, in: inventory), file.size <= VOCLabelMap.byteLimit {
      let bytes = try inventory.tree.readAll(file.path, limit: VOCLabelMap.byteLimit)
      let map = VOCLabelMap(bytes, file: file.path)
      if !map.entries.isEmpty {
        issues += map.issues
        labelMap = map
      }
    }
    if let given {
      let names = ClassNames(given)
      values = IndexClasses(names.names, hasBackground: names.hasBackground)
      // Names beyond the values of masks are classes of boxes.
      declare(given.dropFirst(names.hasBackground && names.names[0] != nil ? 1 : 0))
      if let labelMap {
        colors = LabelColors(Self.labels(of: labelMap))
        notes.append("the names of --classes replace those of \(labelMap.file)")
      }
    } else if let labelMap {
      take(labelMap)
    } else if hasMasks, let names = try Self.names(inventory) {
      values = IndexClasses(names.list.names, hasBackground: names.list.hasBackground)
      declared = values.categories.sorted { $0.key < $1.key }.map(\.value)
      notes.append("\(names.file) names the classes of SegmentationClass")
    } else if hasMasks, areVOC() {
      let names = ClassNames(VOCPalette.classes)
      values = IndexClasses(names.names, hasBackground: true)
      notes.append("the values of SegmentationClass are named as the 20 classes of Pascal VOC")
    } else if hasMasks {
      notes.append(
        "nothing names the values of SegmentationClass, so they are called \"class 1\", \"class "
          + "2\", …; a labelmap.txt (name:r,g,b::) or --classes a,b,c names them")
    }
    for category in declared where byName[category.name] == nil {
      byName[category.name] = category
    }
  }

  /// Classes of objects alone; a name that is not among them is a class of its own.
  init(objects: [String: Category]) {
    isClosed = false
    values = IndexClasses([:], hasBackground: true)
    byName = objects
  }

  /// The class of an object by its name, and whether it is declared.
  func category(named name: String) -> (category: Category, isDeclared: Bool) {
    if let category = byName[name] { return (category, true) }
    return (Category(name: name), declared.isEmpty)
  }

  private mutating func declare(_ names: some Collection<String>) {
    var seen = Set(declared.map(\.name))
    for name in names where seen.insert(name).inserted {
      let value = values.categories.first { $0.value.name == name }
      declared.append(value?.value ?? Category(name: name))
    }
  }

  /// Takes names, colors and parts of a label map.
  private mutating func take(_ map: VOCLabelMap) {
    let labels = Self.labels(of: map)
    var used: Set<UInt32> = []
    let shared = labels.filter { !used.insert($0.color).inserted }.map(\.name)
    if !shared.isEmpty {
      issues.append(
        Issue(
          .duplicateID, .warning, at: IssueLocation(file: map.file),
          "\(shared.prefix(5).joined(separator: ", ")) \(shared.count == 1 ? "has" : "have") the "
            + "color of another class, so \(shared.count == 1 ? "its" : "their") pixels in color "
            + "masks are of one of them"))
    }
    if map.entries.count > 254 {
      issues.append(
        Issue(
          .badField, .warning, at: IssueLocation(file: map.file),
          "more than 254 classes: those after them have no value in masks"))
    }
    colors = LabelColors(labels)
    values = IndexClasses(colors.names, hasBackground: true)
    declare(map.entries.map(\.name).filter { !ClassNames.isBackground($0) })
    declare(map.entries.flatMap(\.parts))
  }

  /// The colors of the values of masks; the background is value 0.
  private static func labels(of map: VOCLabelMap) -> [LabelColors.Entry] {
    var entries = map.entries
    let background = entries.firstIndex { ClassNames.isBackground($0.name) }
    var labels: [LabelColors.Entry] = []
    if let background {
      entries.insert(entries.remove(at: background), at: 0)
    } else {
      labels.append(LabelColors.Entry(color: 0, name: "background"))
    }
    for entry in entries.prefix(255 - labels.count) {
      // Datumaro colors a map without colors as VOC does.
      let color = entry.color ?? VOCPalette.colors[labels.count]
      labels.append(LabelColors.Entry(color: color, name: entry.name))
    }
    return labels
  }

  private static func nearest(_ role: VOCFileRole, in inventory: VOCInventory) -> SourceFile? {
    func depth(_ file: SourceFile) -> Int { file.path.utf8.count { $0 == UInt8(ascii: "/") } }
    return inventory.files.files.indices.filter { inventory.roles[$0] == role }
      .map { inventory.files.files[$0] }.min { depth($0) < depth($1) }
  }

  private static func names(
    _ inventory: VOCInventory
  ) throws -> (list: ClassNames, file: String)? {
    guard let file = nearest(.names, in: inventory), file.size <= ClassNames.byteLimit,
      let list = ClassNames(
        try inventory.tree.readAll(file.path, limit: ClassNames.byteLimit))
    else { return nil }
    return (list, file.path)
  }
}
