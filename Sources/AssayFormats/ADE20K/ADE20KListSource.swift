import AssayCore
import AssayImaging

/// The images of ADE20K's full releases of 2016 and 2017, for ``RegionImport``.
struct ADE20KListSource: RegionSource {
  let name: String
  let items: [ADE20KListLayout.Item]
  let classes: [Category] = []
  let issues: [Issue]
  let imagesLeftOut: Int

  private let tree: any SourceTree
  private let files: SortedFiles

  init(_ tree: any SourceTree, _ layout: ADE20KListLayout) {
    self.tree = tree
    files = layout.files
    name = tree.name
    items = layout.items
    issues = layout.issues
    imagesLeftOut = layout.imagesLeftOut
  }

  func path(of item: ADE20KListLayout.Item) -> String { item.path }

  func split(of item: ADE20KListLayout.Item) -> String? { item.split }

  func read(_ item: ADE20KListLayout.Item, image: ImageProbe?) -> LabeledImage {
    var reading = ADE20KListReading(item, image)
    // Another problem with the image is reported by the import.
    if let image, case .failure = image.size {
      reading.result.isRejected = true
      return reading.result
    }
    do {
      let bytes = try tree.readAll(reading.list, limit: ADE20KList.byteLimit)
      let list = ADE20KList(bytes)
      reading.take(list)
      for level in Set(list.entries.map(\.level)).sorted() where !reading.result.isRejected {
        let path = item.stem + ADE20KLevel.ending(level)
        let bytes =
          files.index(of: path) == nil
          ? nil : try tree.readAll(path, limit: ADE20KLevel.byteLimit)
        reading.read(list.entries.filter { $0.level == level }, level, path, bytes)
      }
    } catch {
      reading.reject(.unsupportedFile, reading.list, "\(error)")
    }
    return reading.result
  }
}

/// Combines the list and the masks of one image.
private struct ADE20KListReading {
  var result = LabeledImage()
  let list: String
  private let item: ADE20KListLayout.Item
  private let image: ImageProbe?
  private var size: ImageSize?
  /// The number of the class with each name, and the name with each number.
  private var numbers: [String: Int] = [:]
  private var names: [Int: String] = [:]

  init(_ item: ADE20KListLayout.Item, _ image: ImageProbe?) {
    self.item = item
    self.image = image
    list = item.stem + ADE20KList.ending
    if let image, case .success(let found) = image.size { size = found }
  }

  private mutating func note(
    _ kind: IssueKind, _ severity: Issue.Severity, _ file: String, line: Int? = nil, _ text: String
  ) {
    result.issues.append(
      Issue(
        kind, severity, at: IssueLocation(file: file, line: line), sampleKey: item.path, text))
  }

  mutating func reject(_ kind: IssueKind, _ file: String, _ reason: String) {
    result.isRejected = true
    note(kind, .error, file, "\(reason); the image is left out")
  }

  mutating func take(_ found: ADE20KList) {
    result.annotationsRead = found.count
    for problem in found.problems {
      note(
        problem.kind, problem.isError ? .error : .warning, list, line: problem.line, problem.text)
    }
  }

  /// Adds the regions of one level. Without its masks, the image is left out for the objects, and the
  /// level for parts.
  ///
  /// - Parameter bytes: the file of the level's masks; `nil` if there is none.
  mutating func read(_ entries: [ADE20KList.Entry], _ level: Int, _ path: String, _ bytes: [UInt8]?)
  {
    let count = Counted.text(entries.count, "line", "lines") + " of level \(level)"
    do {
      guard let bytes else {
        return fail(level, .unpairedMask, list, "\(path.fileName) with the \(count) is not there")
      }
      let header = try ImageCodec.header(of: bytes)
      guard ADE20KLevel.isPossible(header) else {
        return fail(level, .unsupportedFile, path, "the mask is no PNG of colors with 8 bits")
      }
      guard let orientation = ImageProbe.orientation(ofMask: header, size: size, image: image)
      else {
        return fail(
          level, .maskSize, path,
          "the mask is \(header.orientedSize), and the image is \(size.map { "\($0)" } ?? "unknown")"
        )
      }
      let raster = orientation.apply(to: try ImageCodec.decode(bytes, as: .rgb8))
      size = size ?? ImageSize(width: raster.width, height: raster.height)
      result.statedSize = size
      let masks = ADE20KLevel(raster)
      let sorted = entries.map(\.number).sorted()
      guard let instances = masks.instances(numbered: sorted) else {
        return fail(
          level, .maskValue, path,
          "the mask has \(Counted.text(masks.instances.count, "instance", "instances")), and the list "
            + "\(count), so it is unknown which is which")
      }
      if sorted.count != masks.instances.count, !isPlausible(entries, instances) {
        return fail(
          level, .maskValue, path,
          "the mask has fewer instances than the list \(count), and the numbers of their classes do "
            + "not fit")
      }
      if masks.strays > 0 {
        note(
          .maskValue, .warning, path,
          Counted.text(masks.strays, "pixel has", "pixels have")
            + " a class and no instance; read as background")
      }
      for entry in entries { add(entry, instances[entry.number], path) }
    } catch {
      fail(level, .unreadableImage, path, "\(error)")
    }
  }

  private mutating func fail(_ level: Int, _ kind: IssueKind, _ file: String, _ reason: String) {
    guard level > 0 else { return reject(kind, file, reason) }
    note(kind, .error, file, "\(reason); the parts of level \(level) are left out")
  }

  /// Returns whether each class has one number, and each number one class.
  private func isPlausible(
    _ entries: [ADE20KList.Entry], _ instances: [Int: ADE20KLevel.Instance]
  ) -> Bool {
    var (numbers, names) = (self.numbers, self.names)
    for entry in entries where entry.problem == nil {
      guard let number = instances[entry.number]?.number, number > 0 else { continue }
      if numbers[entry.name] ?? number != number { return false }
      if names[number] ?? entry.name != entry.name { return false }
      numbers[entry.name] = number
      names[number] = entry.name
    }
    return true
  }

  private mutating func add(
    _ entry: ADE20KList.Entry, _ instance: ADE20KLevel.Instance?, _ mask: String
  ) {
    if let problem = entry.problem {
      return note(problem.kind, .error, list, line: entry.line, problem.text)
    }
    let title = "\(entry.level == 0 ? "object" : "part") \(entry.number) (\(entry.name.prefix(40)))"
    guard let instance else {
      return note(
        .badShape, .error, list, line: entry.line,
        "\(title) has no pixel in \(mask.fileName); left out")
    }
    if instance.others > 0 {
      note(
        .maskValue, .warning, mask,
        "\(title): \(Counted.text(instance.others, "pixel has", "pixels have")) the number of another "
          + "class; the list names the class")
    }
    var category = Category(name: entry.name)
    if instance.number > 0 {
      let known = numbers[entry.name] ?? instance.number
      if known != instance.number {
        note(
          .maskValue, .warning, mask,
          "\(title): the class has the number \(instance.number), and \(known) elsewhere in the image"
        )
      }
      numbers[entry.name] = known
      names[known] = names[known] ?? entry.name
      category.sourceID = .integer(Int64(known))
    }
    var region = LabeledRegion(
      category: category, shape: .mask(instance.mask),
      at: IssueLocation(file: list, line: entry.line), title: title)
    // The numbers of each level begin again with 1.
    region.sourceID =
      entry.level == 0
      ? .integer(Int64(entry.number)) : .text("\(entry.level)/\(entry.number)")
    if !entry.rawName.isEmpty, entry.rawName != entry.name {
      region.attributes.append(.init("raw_name", .string(entry.rawName)))
    }
    region.attributes.append(.init("part_level", JSONValue(entry.level)))
    if let isOccluded = entry.isOccluded {
      region.attributes.append(.init("occluded", .bool(isOccluded)))
    }
    if !entry.attributes.isEmpty {
      region.attributes.append(
        .init("attributes", .array(entry.attributes.map { .string($0) })))
    }
    result.regions.append(region)
  }
}
