import AssayCore

/// The images that the JSON files of a source name, with the place of their annotations.
///
/// Every file is read once, in parallel, to find the images; the annotations are read later, image
/// by image, so that memory does not grow with the files.
struct JSONImagePlan<Format: JSONImageFormat> {
  /// An image, or an element that is left out.
  struct Item: Sendable {
    /// The index of the image in ``images``; -1 if the image does not exist.
    var image: Int32 = -1
    /// The path of an image that does not exist.
    var path: String?
    var element: JSONElement
    /// The further elements of the image: an index in ``repeats``; -1 for none.
    var more: Int32 = -1
    /// The index of the split; -1 for none.
    var split: Int16 = -1
    /// The index of the reason to leave the element out; -1 for none.
    var problem: Int32 = -1
    /// True if the image can have several such elements, each of another annotator.
    var isPart = false
    /// The key of a loose match of the image; 0 for none.
    var loose: UInt64 = 0
  }

  let tree: any SourceTree
  let format: Format
  let images: SortedFiles
  private(set) var files: [SourceFile] = []
  private(set) var items: [Item] = []
  private(set) var repeats: [[JSONElement]] = []
  private(set) var splits: [String] = []
  /// A file all of whose images another one has as well, if their annotations are put together.
  private(set) var repeated: SharedImages.Repeated?
  private(set) var problems: [JSONElementProblem] = []
  private(set) var classes: [Category] = []
  private(set) var issues: [Issue] = []
  /// The number of images that no annotation belongs to, and that are left out.
  private(set) var imagesLeftOut = 0
  private(set) var notes: [String] = []

  private var finder: JSONImageFinder
  private var partial: (count: Int, first: (name: String, path: String))?

  /// The maximum size of a file of one image, and of an object with one member per image.
  static var fileLimit: Int { 64 << 20 }
  static var objectLimit: Int { 512 << 20 }

  /// - Parameter files: the annotation files; `nil` for all JSON files of the tree.
  /// - Throws: ``FormatError`` if the source is a single file that is broken; any error that the
  ///   tree throws.
  init(
    _ format: Format, _ tree: any SourceTree, _ options: ImportOptions,
    files chosen: [SourceFile]? = nil
  ) throws {
    self.format = format
    self.tree = tree
    images = SortedFiles(try (options.images ?? tree).files())
    finder = JSONImageFinder(images, isApart: options.images != nil)
    files = try (chosen ?? JSONImageFiles.candidates(in: tree)).filter {
      !Companions.isOwnManifest($0, in: tree)
    }
    try plan(workers: options.workers)
    finish()
  }

  /// The path of an item's image; for an element that is left out, its place, which is no file.
  func path(of item: Item) -> String {
    if item.image >= 0 { return images[Int(item.image)] }
    if let path = item.path { return path }
    return "\(files[Int(item.element.file)].path)#\(item.element.pointer)"
  }

  /// Replaces the declared classes.
  mutating func declare(_ classes: [Category]) { self.classes = classes }

  // MARK: Reading

  /// A part of a file that is read at once.
  private struct Unit: Sendable {
    var file: Int
    /// A part of a long list; `nil` for a whole file.
    var batch: JSONOutline.Batch?
    /// The JSON pointer of the list, if it is a member of the file's object.
    var list: String?
    /// The classes that the file of a long list declares, with its first part.
    var classes: [Category] = []
    /// The reason why the file cannot be read.
    var problem: JSONElementProblem?
  }

  private struct Named: Sendable {
    var element: JSONElement
    var name: JSONImageName
    var isPart = false
  }

  /// The elements of a part of a file, and the classes that the file declares.
  private struct Reading: Sendable {
    var named: [Named] = []
    var classes: [Category] = []
  }

  /// Longer files are split before they are read.
  private static var shortFile: Int { 1 << 20 }

  private mutating func plan(workers: Int) throws {
    var place = 0
    var waiting: [Unit] = []
    var declared: Set<String> = []
    let (tree, format, files) = (self.tree, self.format, self.files)
    try OrderedWorkers(workers: workers).run(
      next: { () -> Unit? in
        if let unit = waiting.popLast() { return unit }
        guard place < files.count else { return nil }
        let file = files[place]
        defer { place += 1 }
        guard file.size > Self.shortFile, let sample = JSONSample(tree, file),
          let list = format.layout(of: sample).flatMap({ Self.list($0) })
        else { return Unit(file: place) }
        do {
          let batches = try JSONOutline(tree, file.path, takesList: true)[list.name]?.batches ?? []
          waiting = batches.reversed()
            .map { Unit(file: place, batch: $0, list: list.pointer) }
          if let last = waiting.indices.last {
            waiting[last].classes = format.classes(of: sample)
          }
        } catch let error as FormatError {
          if tree.isSingleFile { throw error }
          waiting = [Unit(file: place, problem: Self.problem(of: error))]
        }
        return waiting.popLast() ?? Unit(file: place, problem: nil)
      },
      transform: { _, unit in try Self.read(unit, files[unit.file], format, tree) },
      deliver: { (reading: Reading) in
        for category in reading.classes where declared.insert(category.name).inserted {
          classes.append(category)
        }
        for element in reading.named { add(element) }
      })
  }

  /// The name in a ``JSONOutline`` and the JSON pointer of a layout's list; `nil` for other layouts.
  private static func list(_ layout: JSONFileLayout) -> (name: String, pointer: String?)? {
    switch layout {
    case .list: ("", nil)
    case .listBelow(let name): (name, "/" + JSONPointer.escaped(name))
    case .image, .members: nil
    }
  }

  /// The problem of a broken list in a folder.
  private static func problem(of error: FormatError) -> JSONElementProblem {
    guard case .badJSON(_, let offset, let problem) = error else {
      return JSONElementProblem(kind: .unsupportedFile, text: "\(error); left out")
    }
    return JSONElementProblem(
      kind: .unsupportedFile, text: "broken JSON at byte \(offset): \(problem); left out")
  }

  private static func read(
    _ unit: Unit, _ file: SourceFile, _ format: Format, _ tree: any SourceTree
  ) throws -> Reading {
    let whole = JSONElement(file: Int32(unit.file), bytes: 0..<max(0, file.size))
    func problem(_ problem: JSONElementProblem) -> Reading {
      Reading(named: [Named(element: whole, name: .problem(problem.kind, problem.text))])
    }
    if let found = unit.problem { return problem(found) }
    if let batch = unit.batch {
      do {
        return Reading(
          named: try elements(of: batch, unit.list, unit.file, file, format, tree),
          classes: unit.classes)
      } catch let error as JSONError {
        return problem(JSONElementProblem(error, from: batch.bytes.lowerBound))
      }
    }
    guard let sample = JSONSample(tree, file), let layout = format.layout(of: sample) else {
      return problem(foreign(file, format, tree))
    }
    var reading = Reading(classes: format.classes(of: sample))
    do {
      switch layout {
      case .image:
        let bytes = try JSONElement.whole(file, tree, limit: fileLimit)
        reading.named = [named(whole, bytes, 0, file, nil, format)]
      case .list, .listBelow:
        guard let list = list(layout) else { break }
        for batch in try JSONOutline(tree, file.path, takesList: true)[list.name]?.batches ?? [] {
          reading.named += try elements(of: batch, list.pointer, unit.file, file, format, tree)
        }
      case .members(let path):
        reading.named = try members(path, unit.file, file, format, tree)
      }
      return reading
    } catch let error as FormatError {
      if tree.isSingleFile { throw error }
      return problem(self.problem(of: error))
    } catch let found as JSONElementProblem {
      return problem(found)
    } catch let error as JSONError {
      if tree.isSingleFile {
        throw FormatError.badJSON(file.path, offset: error.offset, problem: error.message)
      }
      return problem(JSONElementProblem(error, from: 0))
    } catch {
      if tree.isSingleFile { throw error }
      return problem(JSONElementProblem(kind: .unsupportedFile, text: "\(error); left out"))
    }
  }

  private static func elements(
    of batch: JSONOutline.Batch, _ list: String?, _ number: Int, _ file: SourceFile,
    _ format: Format, _ tree: any SourceTree
  ) throws -> [Named] {
    let bytes = try JSONElement.bytes(of: batch.bytes, in: file.path, tree)
    return try JSONPositions.elements(of: bytes).enumerated().map { place, range in
      let start = batch.bytes.lowerBound + range.lowerBound
      let element = JSONElement(
        file: Int32(number), bytes: start..<start + range.count,
        index: Int32(truncatingIfNeeded: batch.first + place), member: list)
      return named(element, Array(bytes[range]), start, file, nil, format)
    }
  }

  private static func members(
    _ path: [String], _ number: Int, _ file: SourceFile, _ format: Format, _ tree: any SourceTree
  ) throws -> [Named] {
    let bytes = try JSONElement.whole(file, tree, limit: objectLimit)
    var pointer = ""
    var start = 0
    for name in path {
      let found = try JSONPositions.members(of: bytes, at: start)?.last { $0.name == name }
      guard let found else { return [] }
      pointer += "/" + JSONPointer.escaped(name)
      start = found.value.lowerBound
    }
    return (try JSONPositions.members(of: bytes, at: start) ?? []).map { member, range in
      let element = JSONElement(
        file: Int32(number), bytes: range, member: pointer + "/" + JSONPointer.escaped(member))
      return named(element, Array(bytes[range]), range.lowerBound, file, member, format)
    }
  }

  private static func named(
    _ element: JSONElement, _ bytes: [UInt8], _ start: Int, _ file: SourceFile, _ member: String?,
    _ format: Format
  ) -> Named {
    var reading = JSONReading()
    reading.takesNotFinite = true
    reading.members = format.naming
    reading.shortened = format.embedded
    do {
      let value = try JSONValue(parsing: bytes, reading)
      guard value.members != nil else {
        let text = "expected an object, found \(value.kindName); left out"
        return Named(element: element, name: .problem(.badField, text))
      }
      return Named(
        element: element, name: format.name(of: value, file: file.path, member: member),
        isPart: format.isPart(value))
    } catch {
      let found = JSONElementProblem(error, from: start)
      return Named(element: element, name: .problem(found.kind, found.text))
    }
  }

  /// The reason why a file is not read.
  private static func foreign(
    _ file: SourceFile, _ format: Format, _ tree: any SourceTree
  ) -> JSONElementProblem {
    do {
      let bytes = try JSONElement.whole(file, tree, limit: fileLimit)
      var reading = JSONReading()
      reading.takesNotFinite = true
      reading.shortened = format.embedded
      _ = try JSONValue(parsing: bytes, reading)
    } catch let error as JSONError {
      return JSONElementProblem(error, from: 0)
    } catch let problem as JSONElementProblem {
      return problem
    } catch {
      return JSONElementProblem(kind: .unsupportedFile, text: "\(error); left out")
    }
    return JSONElementProblem(
      kind: .unsupportedFile, text: "the file is not a \(format.title); left out")
  }

  // MARK: Images

  private mutating func add(_ named: Named) {
    var item = Item(element: named.element, isPart: named.isPart)
    let file = files[Int(named.element.file)].path
    switch named.name {
    case .problem(let kind, let text):
      item.problem = Int32(problems.count)
      problems.append(JSONElementProblem(kind: kind, text: text))
    case .names(let names):
      let folder = SortedFiles.folder(of: file)
      let folders = format.folders(of: file)
      var absent: String?
      for (rank, name) in names.enumerated() {
        switch finder.find(name, beside: folder, folders) {
        case .found(let index, let isPart, let loose):
          item.image = Int32(index)
          // A further name of an upload can be that of another one.
          item.loose = rank == 0 ? loose : JSONImageFinder.key(of: names[0], beside: "")
          if isPart {
            partial = ((partial?.count ?? 0) + 1, partial?.first ?? (name, images[index]))
          }
        case .absent(let path): if rank == 0 { absent = path }
        case .outside: break
        }
        if item.image >= 0 {
          noteName(names, rank, images[Int(item.image)], named.element)
          break
        }
      }
      if item.image < 0 {
        item.path = absent
        if absent == nil {
          item.problem = Int32(problems.count)
          problems.append(
            JSONElementProblem(
              kind: .outsideRoot,
              text:
                "the image '\(names.first?.prefix(200) ?? "")' is not in the source, and its name "
                + "leaves it; left out"))
        }
      }
      let path = item.image >= 0 ? images[Int(item.image)] : item.path ?? ""
      item.split = split(
        file: file, ofOneImage: named.element.pointer.isEmpty, image: path)
    }
    items.append(item)
  }

  /// Reports an image that is found although the file names another place or another name.
  private mutating func noteName(
    _ names: [String], _ rank: Int, _ path: String, _ element: JSONElement
  ) {
    let file = files[Int(element.file)].path
    let place = IssueLocation(
      file: file, pointer: element.pointer.isEmpty ? nil : element.pointer)
    let stated = names[0]
    if JSONImageFinder.leaves(stated, from: finder.isApart ? "" : SortedFiles.folder(of: file)) {
      issues.append(
        Issue(
          .outsideRoot, .warning, at: place, sampleKey: path,
          "the image '\(stated.prefix(200))' is outside the source; taken as \(path)"))
      return
    }
    // The stems are compared without the folders: `x.json` beside `x.jpg`, which names `y.jpg`.
    let own = SortedFiles.stem(of: JSONImageFinder.last(file))
    let last = stated.split { $0 == "/" || $0 == "\\" }.last.map(String.init) ?? stated
    guard rank > 0, SortedFiles.stem(of: last) != own,
      SortedFiles.stem(of: JSONImageFinder.last(path)) == own
    else { return }
    issues.append(
      Issue(
        .missingImage, .warning, at: place, sampleKey: path,
        "the image '\(stated.prefix(200))' does not exist; \(path) is taken, which has the name of the "
          + "file"))
  }

  /// The split of an image: that of its JSON file's name, if the file is about several images, else of
  /// the image's folders, else of the JSON file's folders.
  private mutating func split(file: String, ofOneImage: Bool, image: String) -> Int16 {
    let found =
      (ofOneImage ? nil : JSONSplitName.split(ofName: SortedFiles.stem(of: file)))
      ?? YOLOFolderFacts.split(of: SortedFiles.folder(of: image))?.name
      ?? YOLOFolderFacts.split(of: SortedFiles.folder(of: file))?.name
    guard let found else { return -1 }
    if let known = splits.firstIndex(of: found) { return Int16(known) }
    guard splits.count < Int(Int16.max) else { return -1 }
    splits.append(found)
    return Int16(splits.count - 1)
  }

  /// Sorts the items, and joins or leaves out those of one image.
  private mutating func finish() {
    func precedes(_ a: Item, _ b: Item) -> Bool {
      if a.image >= 0, b.image >= 0, a.image != b.image { return a.image < b.image }
      let (first, second) = (path(of: a), path(of: b))
      if first != second { return SortedFiles.precedes(first, second) }
      let (one, two) = (a.element, b.element)
      return (one.file, one.bytes.lowerBound) < (two.file, two.bytes.lowerBound)
    }
    let found = items.sorted(by: precedes)
    var shared = SharedImages()
    var kept: [Item] = []
    kept.reserveCapacity(found.count)
    var start = 0
    while start < found.count {
      var end = start + 1
      let name = path(of: found[start])
      while end < found.count, path(of: found[end]) == name { end += 1 }
      if format.addsRepeats { shared.add(name, of: found[start..<end].map(\.element.file)) }
      add(found[start..<end], name, to: &kept)
      start = end
    }
    items = kept.sorted { SortedFiles.precedes(path(of: $0), path(of: $1)) }
    repeated = shared.repeated
    noteImages()
  }

  /// Leaves out the entries of an image that was matched loosely, if others have a better claim or
  /// as good a one: their images are missing, and are not this one.
  private mutating func settleClaims(
    _ group: ArraySlice<Item>, _ name: String, to kept: inout [Item]
  ) -> ArraySlice<Item> {
    let exact = group.filter { $0.loose == 0 }
    guard exact.count < group.count else { return group }
    if exact.isEmpty, Set(group.map(\.loose)).count == 1 { return group }
    for item in group where item.loose != 0 {
      var left = item
      left.image = -1
      left.path = nil
      left.problem = Int32(problems.count)
      problems.append(
        JSONElementProblem(
          kind: .missingImage,
          text: exact.isEmpty
            ? "the image does not exist under its name: \(name) fits only in part, and other entries "
              + "as well; left out"
            : "the image does not exist: \(name), which has the end of its name, is described by "
              + "another entry; left out"))
      kept.append(left)
    }
    return exact[...]
  }

  private mutating func add(_ all: ArraySlice<Item>, _ name: String, to kept: inout [Item]) {
    let group = all.count > 1 ? settleClaims(all, name, to: &kept) : all
    guard group.count > 1 else {
      kept += group
      return
    }
    let stem = SortedFiles.stem(of: name)
    let first =
      group.first { SortedFiles.stem(of: files[Int($0.element.file)].path) == stem }
      ?? group[group.startIndex]
    let others = group.filter { item in
      item.element.file != first.element.file || item.element.bytes != first.element.bytes
    }
    var item = first
    let place = IssueLocation(
      file: files[Int(first.element.file)].path,
      pointer: first.element.pointer.isEmpty ? nil : first.element.pointer)
    let areParts = group.allSatisfy(\.isPart)
    if format.addsRepeats || areParts {
      item.more = Int32(repeats.count)
      repeats.append(others.map(\.element))
      issues.append(
        Issue(
          .duplicateID, .warning, at: place, sampleKey: name,
          "\(name) has \(group.count) entries; "
            + (areParts
              ? "they are taken as annotations of several people"
              : "their annotations are put together")))
      kept.append(item)
      return
    }
    kept.append(item)
    for other in others {
      var left = other
      left.image = -1
      left.path = nil
      left.problem = Int32(problems.count)
      problems.append(
        JSONElementProblem(
          kind: .duplicateID, text: "\(name) is already described by \(place); left out"))
      kept.append(left)
    }
  }

  /// Notes names of which only a part was used, and reports images without annotations.
  private mutating func noteImages() {
    if let partial {
      notes.append(
        "\(partial.count) image \(partial.count == 1 ? "name was" : "names were") matched by a part "
          + "of the path ('\(partial.first.name.prefix(200))' is taken as \(partial.first.path))")
    }
    var isNamed = [Bool](repeating: false, count: images.count)
    for item in items where item.image >= 0 { isNamed[Int(item.image)] = true }
    let alone = images.files.indices.filter { !isNamed[$0] && format.isImage(images[$0]) }
    imagesLeftOut = alone.count
    if let first = alone.first {
      issues.append(
        Issue(
          .missingLabel, .error, at: IssueLocation(file: images[first]),
          alone.count == 1
            ? "1 image (\(images[first])) is not named by any \(format.title); left out"
            : "\(alone.count) images (\(images[first]), …) are not named by any \(format.title); left "
              + "out"))
    }
  }
}
