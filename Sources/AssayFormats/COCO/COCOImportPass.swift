import AssayCore
import CSimdJSON

/// The state of an import of COCO files that is shared by its files.
struct COCOImportPass {
  private let tree: any SourceTree
  private let images: any SourceTree
  private let layout: COCOLayout
  private let options: ImportOptions
  private let parsers: [COCOParser]
  /// All files below the images' root.
  private let listed: Set<String>
  private let folders: COCOSplitFolders
  /// The number of bytes of all files, and of those already processed.
  private let totalBytes: Int
  private var doneBytes = 0
  private var keys: Set<String> = []
  private var categories = COCOCategories()
  private var introduced = 0
  private(set) var outcome = ImportOutcome()
  private(set) var lists = ImportedLists()
  private var sizes = COCOSizeComparison()
  private var unlisted: UnlistedImages?

  init(_ tree: any SourceTree, _ layout: COCOLayout, _ options: ImportOptions) throws {
    self.tree = tree
    self.layout = layout
    self.options = options
    images = options.images ?? tree
    parsers = try (0..<options.workers).map { _ in try COCOParser() }
    let paths = images.isSingleFile ? [] : try images.files().map(\.path)
    listed = Set(paths)
    folders =
      layout.parts.contains { $0.split != nil } ? COCOSplitFolders(paths) : COCOSplitFolders()
    totalBytes = layout.parts.reduce(0) { $0 + $1.file.size }
  }

  /// Delivers the issues of the source as a whole.
  mutating func start(_ deliver: (ImportedBatch) throws -> Void) throws {
    var batch = ImportedBatch()
    for (file, reason) in layout.others {
      batch.issues.append(
        Issue(
          .unsupportedFile, .warning, at: IssueLocation(file: file.path),
          "\(file.path) \(reason); left out"))
    }
    if !batch.issues.isEmpty { try deliver(batch) }
  }

  /// The notes on the import as a whole, one sentence each without a period.
  var notes: [String] {
    [
      options.checksImages ? nil : sizes.note(of: lists.imagesFound),
      unlisted?.note(by: "JSON file"),
    ]
    .compactMap(\.self)
  }

  /// Delivers the issue of the images that no file lists.
  mutating func finish(_ deliver: (ImportedBatch) throws -> Void) throws {
    guard !images.isSingleFile else { return }
    func stem(_ path: String) -> Substring {
      let name = path[(path.lastIndex(of: "/").map(path.index(after:)) ?? path.startIndex)...]
      return name[..<(name.lastIndex(of: ".") ?? name.endIndex)]
    }
    // A PNG called like a listed image of another format, or in a folder `panoptic_…`, holds segments or
    // classes of pixels.
    lazy var stems = Set(keys.lazy.filter { !$0.hasSuffix(ignoringCase: ".png") }.map(stem))
    let files = try images.files().filter {
      !$0.path.hasSuffix(ignoringCase: ".png") || keys.contains($0.path)
        || !($0.path.contains("panoptic") || stems.contains(stem($0.path)))
    }
    let unlisted = UnlistedImages(files, listed: keys)
    self.unlisted = unlisted
    guard let issue = unlisted.issue(.warning, by: "JSON file") else { return }
    var batch = ImportedBatch()
    batch.issues = [issue]
    batch.progress = 1
    try deliver(batch)
  }

  /// True if the files are LVIS.
  private var isLVIS: Bool { layout.wanted == .lvis }

  /// Reads one file.
  mutating func read(
    _ part: COCOLayout.Part, _ deliver: (ImportedBatch) throws -> Void
  ) throws {
    let path = part.file.path
    // Locating the lists takes a tenth of the time of reading them.
    let scan = Double(part.file.size) / 10
    let outline = try JSONOutline(tree, path, batchBytes: options.blockBytes * 2) { _ in }
    var issues = OddityIssueList(path)
    var findings = OddityIssues(path)
    try note(outline, part, &findings)
    guard let imageList = outline["images"] else {
      throw FormatError.notCOCO(path, problem: "'images' is missing, so it is not a COCO file")
    }
    for name in ["images", "annotations", "categories"] {
      if let member = outline[name], !member.isArray, member.kind != UInt8(ascii: "n") {
        throw FormatError.notCOCO(
          path,
          problem: "'\(name)' must be a list (byte \(member.bytes.lowerBound))"
            + (name == "annotations"
              ? "; if it is an object whose members are the annotations (LIVECell), jq '.annotations |= [.[]]' "
                + "\(ShellText.quoted(path)) > list.json makes one of it" : ""))
      }
    }
    let (source, parser, annotations) = (self.tree, parsers[0], list(outline, "annotations"))
    let classes = try categories.add(
      list(outline, "categories"), source, path, &findings,
      isNeeded: part.content != .imageInfo && part.content != .captions
    ) {
      try Self.annotatedCategories(annotations, source, path, parser)
    }
    let isLabels = part.content == .labels
    var labels: COCOImageLabels?
    if isLabels {
      labels = try COCOImageLabels(annotations, source, path, classes, parser, &findings)
    }
    var relative = COCORelativeBoxes()
    let known = try readImages(
      imageList, part, &labels, &relative, &issues, &findings, scan, deliver)
    if let annotations, !isLabels {
      try readAnnotations(annotations, part, known, classes, &relative, &issues, scan, deliver)
    }
    try relative.check(path)
    var last = ImportedBatch()
    last.issues = issues.remainder()
    doneBytes += part.file.size
    last.progress = progress(0)
    try deliver(last)
    outcome.ordinals = Array(categories.categories.indices)
  }

  private func list(_ outline: JSONOutline, _ name: String) -> JSONOutline.Member? {
    outline[name].flatMap { $0.isArray ? $0 : nil }
  }

  /// The categories that annotations reference.
  private static func annotatedCategories(
    _ member: JSONOutline.Member?, _ tree: any SourceTree, _ path: String, _ parser: COCOParser
  ) throws -> Set<SourceID> {
    var ids: Set<SourceID> = []
    for span in member?.batches ?? [] {
      try parser.parse(assay_coco_truth_boxes, tree, path, span.bytes) { batch in
        guard let records = batch.annotations else { return }
        for place in 0..<batch.count {
          guard let id = batch.id(records[place].category) else { continue }
          // Annotations can spell a number as a text, or a text as a number, in a category id.
          ids.insert(id)
          switch id {
          case .integer(let value): ids.insert(.text(String(value)))
          case .text(let text): if let value = Int64(text) { ids.insert(.integer(value)) }
          }
        }
      }
    }
    return ids
  }

  private func progress(_ bytes: Double) -> Double {
    totalBytes == 0 ? 1 : min(1, (Double(doneBytes) + bytes) / Double(totalBytes))
  }

  /// Reports missing and repeated members of the file, and checks the syntax of members that are
  /// not read.
  private func note(
    _ outline: JSONOutline, _ part: COCOLayout.Part, _ findings: inout OddityIssues
  ) throws {
    let path = part.file.path
    let names = outline.members.map(\.name)
    let absent = ["info", "licenses"].filter { !names.contains($0) }
    if !absent.isEmpty {
      findings.note(
        .noInfo, nil,
        "\(absent.map { "'\($0)'" }.joined(separator: " and ")) \(absent.count == 1 ? "is" : "are") missing; nothing here needs \(absent.count == 1 ? "it" : "them"), pycocotools may"
      )
    }
    if outline["annotations"] == nil, part.content != .imageInfo {
      findings.note(.noInfo, nil, "there are no 'annotations'; the images are kept without")
    }
    for name in Set(names) where names.count(where: { $0 == name }) > 1 {
      findings.note(
        .repeatedList, "/\(name)", "'\(name)' occurs more than once; the last one is read")
    }
    // Members that are not read must still be valid JSON.
    let parser = parsers[0]
    for member in outline.members
    where !["images", "annotations", "categories"].contains(member.name) {
      guard member.bytes.count <= JSONOutline.elementLimit else { continue }
      try parser.parse(assay_coco_images, tree, path, member.bytes) { _ in }
    }
  }

  private mutating func readImages(
    _ member: JSONOutline.Member, _ part: COCOLayout.Part, _ labels: inout COCOImageLabels?,
    _ relative: inout COCORelativeBoxes, _ issues: inout OddityIssueList,
    _ findings: inout OddityIssues, _ scan: Double,
    _ deliver: (ImportedBatch) throws -> Void
  ) throws -> COCOImageIndex {
    let folder = try imageFolder(member, part)
    let reader = COCOImageReader(
      tree: tree, path: part.file.path, images: images, folder: folder,
      checksImages: options.checksImages, parsers: parsers, isLVIS: isLVIS,
      compared: COCOSizeSample(
        of: member.elements, limit: max(1, COCOSizeSample.limit / layout.parts.count)))
    let earlier = layout.parts.prefix { $0.file.path != part.file.path }.map(\.file.path)
    var merge = COCOImageMerge(
      file: part.file.path, split: part.split ?? options.split, isFirst: earlier.isEmpty)
    var spans = member.batches[...]
    var done = 0.0
    // Reported at the end, so that the order does not depend on how the list was split.
    var own = OddityIssues(part.file.path)
    if folder.dropped > 0 {
      own.note(
        .oddFileName, "/images",
        "the first \(folder.dropped == 1 ? "folder" : "\(folder.dropped) folders") of the file names do not exist; names are taken without"
      )
    }
    var withLists = 0
    try OrderedWorkers(workers: options.workers).run(
      next: { spans.popFirst() },
      transform: { worker, span in (span, try reader.read(span, worker: worker)) },
      deliver: { span, found in
        let before = (merge.read, merge.kept)
        var batch = ImportedBatch()
        introduce(&batch)
        batch.samples = merge.add(found, keys: &keys, &own)
        if let image = merge.shared {
          throw FormatError.sharedImages(
            name: tree.name, format: layout.format, file: part.file.path, others: earlier,
            image: image)
        }
        withLists += found.records.count { $0.hasLists && !$0.isLeftOut }
        relative.add(batch.samples)
        sizes += found.sizes
        if labels != nil {
          for place in batch.samples.indices {
            batch.samples[place].categories =
              labels?.take(batch.samples[place].sourceID, &own) ?? []
            lists.annotationsKept += batch.samples[place].categories.count
          }
        }
        batch.issues = issues.take(findings) + issues.take(found.findings)
        findings = OddityIssues(part.file.path)
        batch.read = merge.read - before.0
        batch.rejected = batch.read - (merge.kept - before.1)
        done += Double(span.bytes.count)
        batch.progress = progress(scan + done * 0.9)
        outcome.read += batch.read
        outcome.rejected += batch.rejected
        outcome.accepted += batch.samples.count
        try deliver(batch)
      })
    lists.images += merge.kept
    lists.imagesFound += merge.found
    merge.noteMissing(&own)
    lists.annotationsRead += labels?.read ?? 0
    labels?.noteUntaken(merge.index, &own)
    if withLists > 0 { noteLists(withLists, &own) }
    var batch = ImportedBatch()
    introduce(&batch)
    batch.issues = issues.take(findings) + issues.take(own)
    try deliver(batch)
    return merge.index
  }

  /// Adds the classes that no batch has delivered yet.
  private mutating func introduce(_ batch: inout ImportedBatch) {
    batch.newCategories = Array(categories.categories[introduced...])
    introduced = categories.categories.count
  }

  /// Reports LVIS's lists of classes, which no evaluation uses yet.
  private func noteLists(_ count: Int, _ findings: inout OddityIssues) {
    findings.note(
      .lvisLists, "/images",
      "\(count) \(count == 1 ? "image lists" : "images list") the classes that are known to be absent ('neg_category_ids') or not all marked ('not_exhaustive_category_ids'): evaluations do not use these lists, so a detection of a class that was not verified in its image counts as a false positive, other than in LVIS's own evaluation"
    )
  }

  /// Some of the names in a file's list of images, or of maps in its list of annotations.
  private func someNames(
    _ member: JSONOutline.Member, _ kind: assay_coco_kind, _ path: String,
    _ name: (assay_coco_batch, Int) -> String?
  ) throws -> [String] {
    guard let first = member.batches.first else { return [] }
    return try parsers[0].parse(kind, tree, path, first.bytes) { batch in
      stride(from: 0, to: batch.count, by: max(1, batch.count / 256)).compactMap {
        name(batch, $0)
      }
    }
  }

  /// Finds the image folder from the names of the first images.
  private func imageFolder(
    _ member: JSONOutline.Member, _ part: COCOLayout.Part
  ) throws -> COCOImageFolder {
    let names = try someNames(member, COCOImageReader.kind(isLVIS: isLVIS), part.file.path) {
      batch, place in
      guard let image = batch.images?[place] else { return nil }
      let (name, state) = batch.name(of: image)
      return state.isUsable ? name : nil
    }
    let isApart = options.images != nil
    let choice = COCOFolderChoice(for: part, in: folders, listed: listed, isApart: isApart)
    let folder = COCOImageFolder(
      for: names, in: part.folders, listed: listed, choosing: choice, takesEnds: true)
    guard folder.candidates.isEmpty else {
      throw FormatError.ambiguousImages(
        part.file.path, folder.candidates, isApart: isApart)
    }
    return folder
  }

  private mutating func readAnnotations(
    _ member: JSONOutline.Member, _ part: COCOLayout.Part, _ known: COCOImageIndex,
    _ classes: COCOCategories.Index, _ relative: inout COCORelativeBoxes,
    _ issues: inout OddityIssueList, _ scan: Double, _ deliver: (ImportedBatch) throws -> Void
  ) throws {
    let reader = try reader(member, part, known, classes)
    let isPanoptic = part.content == .panoptic
    var spans = member.batches[...]
    var ids = COCOIDSet()
    var own = OddityIssues(part.file.path)
    var segments = 0
    try OrderedWorkers(workers: options.workers).run(
      next: { spans.popFirst() },
      transform: { worker, span in try reader.read(span, worker: worker) },
      deliver: { found in
        // Ids of segments are unique within their image only.
        for annotation in found.annotations where !isPanoptic {
          guard let id = annotation.sourceID, !ids.insert(id) else { continue }
          own.note(
            .repeatedID, "/annotations/\(annotation.ordinal)/id",
            "annotation \(id): another one has this id too; both are kept")
        }
        var batch = ImportedBatch()
        introduce(&batch)
        batch.issues = issues.take(found.findings)
        lists.annotationsRead += found.read
        lists.annotationsKept += found.annotations.count
        relative.add(found.annotations)
        batch.progress = progress(scan + Double(found.end) * 0.9)
        batch.annotations = found.annotations
        if isPanoptic {
          for place in batch.annotations.indices { batch.annotations[place].ordinal += segments }
          segments += found.annotations.count
        }
        batch.geometry = found.geometry
        try deliver(batch)
      })
    var batch = ImportedBatch()
    introduce(&batch)
    batch.issues = issues.take(own)
    if !batch.issues.isEmpty || !batch.newCategories.isEmpty { try deliver(batch) }
  }

  /// The reader of the annotations of a file's content.
  private mutating func reader(
    _ member: JSONOutline.Member, _ part: COCOLayout.Part, _ known: COCOImageIndex,
    _ classes: COCOCategories.Index
  ) throws -> any COCOListReader {
    let base = COCOAnnotationReader(
      tree: tree, path: part.file.path, images: known, categories: classes, parsers: parsers,
      hasCrowds: !isLVIS)
    switch part.content {
    case .captions:
      return COCOCaptionReader(
        base: base, category: categories.place(of: COCOCaptionReader.className))
    case .panoptic:
      return COCOPanopticReader(base: base, folder: try panopticFolder(member, part))
    default: return base
    }
  }

  /// Finds the folder of the PNG files of a panoptic file, in the source or below the images' root.
  private func panopticFolder(
    _ member: JSONOutline.Member, _ part: COCOLayout.Part
  ) throws -> COCOPanopticFolder {
    let path = part.file.path
    let names = try someNames(member, assay_coco_annotations, path) { batch, place in
      guard let record = batch.annotations?[place] else { return nil }
      return (try? JSONValue(parsing: batch.text(record.attributes)))?["file_name"]?.text
    }
    if let found = COCOPanopticFolder(for: names, of: path, in: images, listed: listed) {
      return found
    }
    if options.images != nil, !tree.isSingleFile {
      let own = Set(try tree.files().map(\.path))
      if let found = COCOPanopticFolder(for: names, of: path, in: tree, listed: own) {
        return found
      }
    }
    guard !names.isEmpty else {
      return COCOPanopticFolder(tree: images, folder: COCOImageFolder(folder: "", listed: listed))
    }
    for root in [images] + (options.images != nil && !tree.isSingleFile ? [tree] : []) {
      if let found = try COCOPanopticFolder(for: names, of: path, packedIn: root) { return found }
    }
    let stem = SortedFiles.stem(of: path)
    throw FormatError.notCOCO(
      path,
      problem: """
        it lists panoptic segments, and their PNG files were not found (\(stem)/\(names[0])); the folder \
        \(stem) or its archive \(stem).zip must be below the imported folder, or below the one of --images DIR, which then holds the \
        images, too
        """)
  }
}
