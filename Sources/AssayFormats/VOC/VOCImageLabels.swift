import AssayCore

/// The labels of images in lists per class: `ImageSets/Main/cat_train.txt` with lines such as
/// `2008_000008  1` (-1: the image is not one of the class, 0: it only has difficult objects).
///
/// The lists of the challenges repeat the classes of the objects; a label whose class an object of the
/// image has is not kept twice. Datumaro and CVAT write labels that are independent of the objects.
struct VOCImageLabels: Sendable {
  /// A line of a list.
  private struct Entry {
    /// The index of the class in ``names``.
    var name: Int32
    var list: Int32
    var line: Int32
    /// False for an image with difficult objects only.
    var isLabel: Bool
  }

  /// A label of an image.
  struct Label: Sendable {
    var name: String
    var location: IssueLocation
  }

  private(set) var issues: [Issue] = []
  private var names: [String] = []
  /// The lines by the index of the image, or of the annotation without one.
  private var entries: [Int32: [Entry]] = [:]
  private var files: [String] = []
  private var limit = IssueLimit()
  /// True if the lists contradict the objects, so that they are labels of their own.
  private(set) var areIndependent = false

  private static let byteLimit = 256 << 20
  /// The number of annotations that are compared with the lists.
  private static let sampled = 64

  /// Reads the lists.
  ///
  /// - Throws: any error that the tree throws.
  init(_ inventory: VOCInventory, _ lists: VOCLists) throws {
    var places: [String: Int32] = [:]
    for list in lists.classLists {
      let place = places[list.className] ?? Int32(names.count)
      if places.updateValue(place, forKey: list.className) == nil { names.append(list.className) }
      try read(list, place, inventory)
    }
    issues += limit.remainder(in: inventory.tree.name)
    areIndependent = contradictsObjects(inventory)
  }

  var isEmpty: Bool { entries.isEmpty }

  /// Returns whether an image, or an annotation without one, has a label.
  func hasLabel(_ index: Int32) -> Bool {
    index >= 0 && entries[index]?.contains { $0.isLabel } == true
  }

  /// The labels of an image that its objects do not repeat, each once.
  ///
  /// - Parameter objects: the classes of the objects in the image.
  func labels(ofImage image: Int32, xml: Int32, objects: Set<String>) -> [Label] {
    var seen: Set<Int32> = []
    let found = (image >= 0 ? entries[image] ?? [] : []) + (xml >= 0 ? entries[xml] ?? [] : [])
    return found.filter { $0.isLabel && seen.insert($0.name).inserted }.compactMap { entry in
      let name = names[Int(entry.name)]
      guard areIndependent || !objects.contains(name) else { return nil }
      return Label(
        name: name,
        location: IssueLocation(file: files[Int(entry.list)], line: Int(entry.line)))
    }
  }

  private mutating func read(
    _ list: VOCLists.ClassList, _ name: Int32, _ inventory: VOCInventory
  ) throws {
    let file = inventory.files[list.index]
    let folders = inventory.folders.parts(ofDataset: list.root)
    let number = Int32(files.count)
    files.append(file)
    let text = String(
      decoding: try inventory.tree.readAll(file, limit: Self.byteLimit), as: UTF8.self)
    var unknown: (count: Int, first: String, line: Int)?
    for (place, line) in text.split(
      omittingEmptySubsequences: false, whereSeparator: \.isNewline
    ).enumerated() {
      let line = String(line).trimmingBlanks
      guard !line.isEmpty, !line.hasPrefix("#"),
        let gap = line.lastIndex(where: { $0 == " " || $0 == "\t" })
      else { continue }
      let flag = line[line.index(after: gap)...]
      guard flag == "1" || flag == "+1" || flag == "0" else { continue }
      let image = String(line[..<gap]).trimmingBlanks
      guard let index = Self.find(image, folders, inventory) else {
        unknown = ((unknown?.count ?? 0) + 1, unknown?.first ?? image, unknown?.line ?? place + 1)
        continue
      }
      entries[Int32(index), default: []].append(
        Entry(name: name, list: number, line: Int32(clamping: place + 1), isLabel: flag != "0"))
    }
    guard let unknown, limit.admits(.missingImage) else { return }
    issues.append(
      Issue(
        .missingImage, .error, at: IssueLocation(file: file, line: unknown.line),
        "\(unknown.count) \(unknown.count == 1 ? "label is" : "labels are") of images with neither a "
          + "file nor an annotation ('\(unknown.first)'); left out"))
  }

  /// The index of an image with a name in a list, else of its annotation; `nil` if there is neither.
  private static func find(
    _ text: String, _ folders: (images: [String], xmls: [String]), _ inventory: VOCInventory
  ) -> Int? {
    for name in VOCSplits.names(in: text) where !name.split(separator: "/").contains("..") {
      for folder in folders.images {
        if let index = inventory.file(folder, name, .image) { return index }
      }
      for folder in folders.xmls {
        if let index = inventory.file(folder, name, .xml) { return index }
      }
    }
    return nil
  }

  /// Returns whether an object of the first annotations is of a class whose list denies it.
  private func contradictsObjects(_ inventory: VOCInventory) -> Bool {
    guard !entries.isEmpty else { return false }
    var inventory = inventory
    let known = Set(names)
    var compared = 0
    for index in 0..<inventory.files.count where inventory.roles[index] == .xml {
      let image = inventory.image(ofXML: index).map { Int32($0) } ?? -1
      guard let found = entries[image] ?? entries[Int32(index)],
        let root = try? VOCAnnotation.root(inventory.files.files[index], in: inventory.tree)
      else { continue }
      let listed = Set(found.map { names[Int($0.name)] })
      for object in root.all("object") {
        if let name = object.text(of: "name"), known.contains(name), !listed.contains(name) {
          return true
        }
      }
      compared += 1
      if compared == Self.sampled { return false }
    }
    return false
  }
}
