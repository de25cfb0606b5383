import AssayCore

/// The images that the manifests of a source name, and the places of their lines.
struct GroundTruthLayout {
  /// An image and its line.
  struct Item: Sendable {
    /// The index of the image's file; -1 if it does not exist.
    var image: Int32
    /// The path of an image that does not exist.
    var path: String?
    var manifest: Int32
    var bytes: Range<Int>
    var line: Int
  }

  /// A manifest and the attributes that are read.
  struct Manifest: Sendable {
    var path: String
    var split: String?
    /// The names of the attributes with boxes, or sets of labels, and with the class of the image.
    var regions: String?
    var label: String?
  }

  let images: SortedFiles
  private(set) var manifests: [Manifest] = []
  private(set) var items: [Item] = []
  private(set) var classes: [Category] = []
  private(set) var issues: [Issue] = []
  private(set) var notes: [String] = []
  /// The number of annotations in lines that are left out.
  private(set) var lost = 0
  /// The number of images that no line names, and that are left out.
  private(set) var imagesLeftOut = 0

  private let format: DatasetFormat
  private var limit = IssueLimit()
  private var finder: JSONImageFinder
  private var partial: (count: Int, name: String, path: String)?
  /// The classes by id, and the ids by class.
  private var names: [Int: String] = [:]
  private var hasSeveralNames = false
  /// The line that describes an image.
  private struct Claim {
    var location: IssueLocation
    /// The key of a loose match; 0 for none.
    var loose: UInt64
    /// The index in ``items``; `nil` if no line is kept.
    var item: Int?
    /// The number of its annotations.
    var count: Int
  }

  /// The first line of each image.
  private var taken: [String: Claim] = [:]
  /// The indices of items whose image is that of another line.
  private var displaced: Set<Int> = []

  /// True if there are several manifests.
  private var hasSeveral = false
  /// The manifests that describe an image, by the image's name in them; empty for a single manifest.
  private var described: [String: Set<Int32>] = [:]

  /// - Throws: ``FormatError``; any error that the tree throws.
  init(
    _ files: GroundTruthFiles, _ tree: any SourceTree, as format: DatasetFormat,
    images apart: (any SourceTree)?
  ) throws {
    self.format = format
    images = SortedFiles(try (apart ?? tree).files())
    finder = JSONImageFinder(images, isApart: apart != nil)
    hasSeveral = files.manifests.count > 1
    for manifest in files.manifests { try read(manifest.file.path, tree) }
    try refuseRepeats(tree.name)
    finish(files, isApart: apart != nil || tree.isSingleFile)
    issues += limit.remainder(in: tree.name)
  }

  /// Refuses a manifest all of whose images another one has as well: a job writes one for each of its steps.
  private func refuseRepeats(_ name: String) throws {
    var shared = SharedImages()
    for (image, files) in described.sorted(by: { $0.key < $1.key }) { shared.add(image, of: files) }
    if let repeated = shared.repeated {
      throw repeated.error(name, format) { manifests[$0].path }
    }
  }

  private mutating func note(
    _ kind: IssueKind, _ severity: Issue.Severity, _ location: IssueLocation, _ text: String
  ) {
    if limit.admits(kind) { issues.append(Issue(kind, severity, at: location, text)) }
  }

  // MARK: Lines

  private struct Usage {
    var kind: GroundTruthKind
    var count = 0
    var order: Int
    var line: Int
  }

  private mutating func read(_ path: String, _ tree: any SourceTree) throws {
    let number = Int32(manifests.count)
    var used: [String: Usage] = [:]
    var others: [String: Int] = [:]
    try LineScan.run(tree, path) { line in
      let location = IssueLocation(file: path, line: line.number)
      let value: JSONValue
      do {
        value = try GroundTruthLine.value(line.bytes)
      } catch {
        note(.badField, .error, location, "broken JSON: \(error); the line is left out")
        return
      }
      guard let found = GroundTruthLine(value) else {
        let what = value.members == nil ? "is no object" : "names no image ('source-ref')"
        note(.missingField, .error, location, "the line \(what); left out")
        return
      }
      for attribute in found.attributes {
        var usage =
          used[attribute.name]
          ?? Usage(kind: attribute.kind, order: used.count, line: line.number)
        usage.count += 1
        used[attribute.name] = usage
        addClasses(attribute)
      }
      for name in found.others where others.count < 64 || others[name] != nil {
        others[name] = others[name] ?? line.number
      }
      add(found, line, number, location)
    }
    choose(path, used)
    for (name, line) in others.sorted(by: { ($0.value, $0.key) < ($1.value, $1.key) }) {
      note(
        .unsupportedField, .warning, IssueLocation(file: path, line: line),
        "'\(name.prefix(60))' has no metadata, so it is not kept")
    }
  }

  private mutating func addClasses(_ attribute: GroundTruthLine.Attribute) {
    guard attribute.kind.isRead(by: format) else { return }
    for member in attribute.metadata.member("class-map")?.members ?? [] {
      if let id = Int(member.name), let name = member.value.text { add(id, name) }
    }
    if let name = attribute.metadata.member("class-name")?.text,
      let id = attribute.value.whole ?? attribute.value.text.flatMap({ Int($0) })
    {
      add(id, name)
    }
  }

  private mutating func add(_ id: Int, _ name: String) {
    guard !name.isEmpty, names.count < PixelTableMerge.classLimit || names[id] != nil else {
      return
    }
    if let known = names[id], known != name { hasSeveralNames = true }
    names[id] = names[id] ?? name
  }

  private mutating func add(
    _ found: GroundTruthLine, _ line: LineScan.Line, _ manifest: Int32, _ location: IssueLocation
  ) {
    let count = Self.annotationCount(found, format)
    let folder = SortedFiles.folder(of: location.file)
    if hasSeveral { described[found.source, default: []].insert(manifest) }
    let stated = LabelStudioName.path(of: found.source)
    var item = Item(
      image: -1, manifest: manifest, bytes: line.offset..<line.offset + line.length,
      line: line.number)
    var loose: UInt64 = 0
    for (rank, name) in stated.enumerated() {
      let match = finder.find(name, beside: folder)
      if case .found(let index, let isPart, let key) = match {
        item.image = Int32(index)
        loose = rank == 0 ? key : JSONImageFinder.key(of: stated[0], beside: "")
        if isPart {
          partial = (
            (partial?.count ?? 0) + 1, partial?.name ?? name, partial?.path ?? images[index]
          )
        }
        break
      }
      if case .absent(let path) = match, rank == 0 { item.path = path }
    }
    guard item.image >= 0 || item.path != nil else {
      lost += count
      note(
        .outsideRoot, .error, location,
        "the image '\(found.source.prefix(200))' is not in the source, and its name leaves it; left "
          + "out")
      return
    }
    let path = self.path(of: item)
    var claim = Claim(location: location, loose: loose, item: items.count, count: count)
    if let first = taken[path] {
      guard first.loose != claim.loose else {
        lost += count
        note(
          .duplicateID, .error, location,
          "\(path) is already described by \(first.location); left out")
        return
      }
      // A match by a part of the name yields to another line: its own image is missing.
      if first.loose != 0, first.item != nil { displace(first, path) }
      if claim.loose != 0 {
        claim.item = nil
        displace(claim, path)
        if first.loose != 0 { taken[path]?.item = nil }
        return
      }
    }
    taken[path] = claim
    items.append(item)
  }

  private mutating func displace(_ claim: Claim, _ path: String) {
    if let item = claim.item, !displaced.insert(item).inserted { return }
    lost += claim.count
    note(
      .missingImage, .error, claim.location,
      "the image does not exist under its name: \(path) fits only in part, and another line as well; "
        + "left out")
  }

  /// The number of annotations in a line that the format reads.
  private static func annotationCount(_ line: GroundTruthLine, _ format: DatasetFormat) -> Int {
    line.attributes.reduce(0) { sum, attribute in
      switch attribute.kind {
      case .boxes where format == .groundTruth:
        sum + (attribute.value.member("annotations")?.elements?.count ?? 0)
      case .labels where format == .groundTruthLabels:
        sum + (attribute.value.elements?.count ?? 0)
      default: sum
      }
    }
  }

  /// Chooses the attributes of a manifest that are read: of several of one kind the one with the most
  /// lines, and of these the last one, which adjusted the others.
  private mutating func choose(_ path: String, _ used: [String: Usage]) {
    var manifest = Manifest(path: path, split: Self.split(of: path))
    func best(_ kind: GroundTruthKind) -> String? {
      used.filter { $0.value.kind == kind }
        .max { ($0.value.count, $0.value.order) < ($1.value.count, $1.value.order) }?.key
    }
    manifest.regions = best(format == .groundTruthLabels ? .labels : .boxes)
    manifest.label = format == .groundTruthLabels ? nil : best(.label)
    manifests.append(manifest)
    for (name, usage) in used.sorted(by: { $0.value.order < $1.value.order })
    where name != manifest.regions && name != manifest.label {
      let chosen = usage.kind == .label ? manifest.label : manifest.regions
      let why =
        usage.kind.isRead(by: format)
        ? "'\(chosen ?? "")' is read, which has as many lines or more"
        : usage.kind == .masks
          ? "their colors are PNG files of their own; make COCO JSON or index masks of them"
          : usage.kind == .labels
            ? "import PATH:\(DatasetFormat.groundTruthLabels.rawValue) for a dataset of these"
            : usage.kind == .boxes || usage.kind == .label
              ? "import PATH:\(DatasetFormat.groundTruth.rawValue) for a dataset of these"
              : "this kind is not read"
      note(
        .unsupportedField, .warning, IssueLocation(file: path, line: usage.line),
        "'\(name.prefix(60))' has \(usage.kind.words) in "
          + "\(Counted.text(usage.count, "line", "lines")), which are not kept: \(why)")
    }
  }

  /// The split of a manifest's name, else of its folder.
  private static func split(of path: String) -> String? {
    let stem = SortedFiles.stem(of: JSONImageFinder.last(path))
    let words = stem.split { "_-. ".contains($0) }.map(String.init)
    let folders = SortedFiles.folder(of: path).split(separator: "/").reversed().map(String.init)
    return (words + folders).first(where: FolderLayout.isSplit)
  }

  // MARK: Images

  /// The path of an item's image.
  func path(of item: Item) -> String {
    item.image >= 0 ? images[Int(item.image)] : item.path ?? ""
  }

  private mutating func finish(_ files: GroundTruthFiles, isApart: Bool) {
    if !hasSeveralNames, Set(names.values).count == names.count {
      classes = names.sorted { $0.key < $1.key }.map {
        Category(name: $0.value, sourceID: .integer(Int64($0.key)))
      }
    }
    let found = items.enumerated().filter { !displaced.contains($0.offset) }.map {
      (item: $0.element, path: path(of: $0.element))
    }
    items = found.sorted { SortedFiles.precedes($0.path, $1.path) }.map(\.item)
    if let partial {
      notes.append(
        "\(Counted.text(partial.count, "image name was", "image names were")) matched by a part of the "
          + "path ('\(partial.name.prefix(200))' is taken as \(partial.path))")
    }
    guard !isApart else { return }
    let alone = images.files.indices.filter {
      PairPath.isImageName(images[$0]) && taken[images[$0]] == nil
    }
    imagesLeftOut = alone.count
    if let first = alone.first {
      note(
        .missingLabel, .error, IssueLocation(file: images[first]),
        alone.count == 1
          ? "1 image (\(images[first])) is in no manifest; left out"
          : "\(alone.count) images (\(images[first]), …) are in no manifest; left out")
    }
    taken = [:]
  }
}
