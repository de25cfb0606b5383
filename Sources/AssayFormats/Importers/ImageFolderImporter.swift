package import AssayCore
import AssayImaging

/// Images in one folder per class (`cat/1.png`), or in one per split and class
/// (`train/cat/1.png`).
///
/// A file's format is determined by its first bytes, never by its name. Key and location of a
/// sample: its path. Size: the displayed size of the image, from the header alone.
package struct ImageFolderImporter: DatasetImporter {
  package init() {}

  package var format: DatasetFormat { .imageFolder }

  package var summary: String { "images, one folder per class" }

  package var recognizedBy: String {
    "a folder with JPEG, PNG, WebP, TIFF, BMP or PNM files below it: class/x.jpg; split/class/x.jpg if the first "
      + "folders are named train, val, test, …, or by such a word (seg_train); or class/split/x.jpg"
  }

  package func probe(_ tree: any SourceTree) throws -> Probe {
    guard !tree.isSingleFile else {
      return .noMatch("it is a single file, not a folder")
    }
    let files = try tree.files()
    guard try holdsImages(tree, files) else {
      let tables = SourceContent.tables(of: files)
      return .noMatch(
        "no image is among its \(Counted.text(files.count, "file", "files"))"
          + (tables.isEmpty
            ? "" : "; to import a CSV file, name it: \(tables.prefix(8).joined(separator: ", "))"))
    }
    let reason = FolderLayout(Self.likelyImages(files)).reason
    return .match("it holds images; " + reason)
  }

  /// Returns whether one of the first files, those with an image suffix first, is an image.
  private func holdsImages(_ tree: any SourceTree, _ files: [SourceFile]) throws -> Bool {
    for isNamed in [true, false] {
      let tried = files.lazy.filter { PairPath.isImageName($0.path) == isNamed }.prefix(64)
      if try tried.contains(where: { try Self.isImage(tree, $0) }) { return true }
    }
    return false
  }

  /// The files without those that Ultralytics writes beside a folder of images: `train.cache` of `train`.
  private static func withoutTrainerCaches(_ files: [SourceFile]) -> [SourceFile] {
    func isCache(_ file: SourceFile) -> Bool { file.path.hasSuffix(".cache") }
    guard files.contains(where: isCache) else { return files }
    let sorted = SortedFiles(files)
    return files.filter { file in
      !isCache(file) || sorted.range(below: String(file.path.dropLast(".cache".count))).isEmpty
    }
  }

  package func companions(in tree: any SourceTree) throws -> Companions? {
    let files = try tree.files()
    guard !tree.isSingleFile, try holdsImages(tree, files) else { return nil }
    let paths = Self.likelyImages(files)
    let layout = FolderLayout(paths)
    let classes = layout.classes(of: paths)
    let unread = try Companions.candidates(Self.withoutTrainerCaches(files)).filter {
      try !Self.isImage(tree, $0) && !Self.lists(classes, $0, in: tree)
    }
    // An export of assay has all that its manifest says, and its images keep their names.
    let isExport = files.contains {
      $0.path == "manifest.json" && Companions.isOwnManifest($0, in: tree)
    }
    var signs = LayoutNames.findings(
      classes: classes, images: isExport ? paths.filter { !LayoutNames.isPhoto($0) } : paths)
    signs += LayoutNames.findings(classes: layout.oddSplits, images: [])
    let splits = layout.splitsAsClasses(paths)
    if !splits.isEmpty {
      signs.append(
        "the \(splits.count == 1 ? "folder" : "folders") \(splits.prefix(6).joined(separator: ", ")) "
          + (splits.count == 1
            ? "is called like a split and only holds folders with images, so "
            : "are called like splits and only hold folders with images, so ")
          + "\(splits.count == 1 ? "it is no class" : "they are no classes"); to import them as splits, "
          + "call them train, val, test, …, and move other images out of the folder")
    }
    let inner = LayoutNames.inner(classes: classes, images: paths)
    let folderSigns = FolderSigns(layout, paths)
    if inner == nil || !folderSigns.withMasks.isEmpty { signs += folderSigns.findings }
    let inside = layout.namesInside(paths)
    if signs.isEmpty, !inside.isEmpty {
      signs.append(
        "folders of the same names (\(inside.prefix(4).joined(separator: ", "))"
          + "\(inside.count > 4 ? ", …" : "")) are in several of the folders "
          + "\(classes.prefix(4).joined(separator: ", "))\(classes.count > 4 ? ", …" : ""), so either may "
          + "be the classes; for the outer ones name the format (PATH:image-folder --ignore-companions), for the inner ones "
          + "import each outer folder, and `assay merge` them")
    }
    if signs.isEmpty, let scenes = SceneFolders.finding(layout, paths, classes: classes) {
      signs.append(scenes)
    }
    if let twins = MaskTwins.finding(paths, in: tree) { signs.append(twins) }
    if let masks = UnreadMasks.finding(files, images: paths) { signs.append(masks) }
    if let inner, signs.isEmpty {
      signs.append(
        "all images lie in folders below “\(inner)”, "
          + (classes == [inner] ? "which" : "and “\(classes[0])”") + " would be the only class")
    }
    if let folders = MaskFolders(layout, paths, in: tree) {
      signs.append(folders.finding)
    }
    var companions = try Companions(unread, in: tree, signs: signs)
    if companions.findings == signs, signs.count == 1 { companions.inner = inner }
    return companions
  }

  /// Returns whether a file lists the folders' own names, one per line, so that nothing is lost without it.
  private static func lists(
    _ classes: [String], _ file: SourceFile, in tree: any SourceTree
  ) throws -> Bool {
    guard ClassNames.fileNames.contains(CompanionPlace(file.path).name),
      file.size <= ClassNames.byteLimit
    else { return false }
    let text = String(
      decoding: try tree.readAll(file.path, limit: ClassNames.byteLimit), as: UTF8.self)
    let names = ClassNames.lines(of: text)
    return !names.isEmpty && Set(names) == Set(classes)
  }

  package func run(
    _ tree: any SourceTree, _ options: ImportOptions, deliver: (ImportedBatch) throws -> Void
  ) throws -> FinishedImport {
    guard !tree.isSingleFile else {
      throw FormatError.mismatch(name: tree.name, format: format, reason: "it is a single file")
    }
    try options.refuse([.size], for: format)
    var files = try tree.files().filter { FileNameKind($0.path) != .harmless }
    guard try holdsImages(tree, try tree.files()) else {
      throw FormatError.noImages(
        name: tree.name, found: try SourceContent.describe(tree),
        tables: SourceContent.tables(of: files))
    }
    files = Self.withoutTrainerCaches(files)
    var paths = Self.likelyImages(files)
    var layout = FolderLayout(paths)
    var notes: [String] = []
    if let task = options.task, layout.hasClasses,
      !isTold(task, by: layout.classes(of: paths), options)
    {
      layout.hasClasses = false
      notes.append(
        "the folders are not classes (--task \(task.rawValue)); the images have no labels")
    }
    // Folders such as images/ are not classes, just as the annotations beside them are not read.
    if options.ignoresCompanions {
      let classes = layout.classes(of: paths)
      let found = layout
      let folders = MaskFolders(found, paths, in: tree)
      let isOneDataset = try companions(in: tree)?.datasets.isEmpty ?? true
      if LayoutNames.holdLayoutFolder(classes) || folders != nil || !isOneDataset
        || LayoutNames.inner(classes: classes, images: paths) != nil
        || !layout.splitsAsClasses(paths).isEmpty || FolderSigns(layout, paths).areNoClasses
        || classes.count == 1 || (!classes.isEmpty && classes.allSatisfy(FolderLayout.namesSplit))
      {
        layout.hasClasses = false
        notes.append("the folders are not classes; the images have no labels")
      }
      files = try files.filter { try PairPath.isImageName($0.path) || Self.isImage(tree, $0) }
      let masks = MaskImages.find(files, folders, found, in: tree)
      if let first = masks.min() {
        files.removeAll { masks.contains($0.path) }
        paths.removeAll { masks.contains($0) }
        notes.append(
          "\(masks.count) \(masks.count == 1 ? "mask was" : "masks were") left out (\(first)"
            + "\(masks.count == 1 ? "" : ", …")): --ignore-companions imports the images alone")
        if layout.hasClasses, layout.classes(of: paths).count == 1 {
          layout.hasClasses = false
          notes.append("the folder is no class; the images have no labels")
        }
      }
    }
    let named = layout.classes(of: paths)
    if named.count == 1, let name = named.first, options.classes == nil, paths.count > 1 {
      notes.append(
        "all images have the one class “\(name)”; if the folder is no class, import it alone: "
          + "assay import \(ShellText.below(layout.splits == .outer ? "SPLIT/\(name)" : name))")
    }
    if named.isEmpty, options.classes == nil, let note = NamedClasses.note(paths) {
      notes.append(note)
    }
    let nested = layout.nested(paths)
    if let first = nested.first {
      notes.append(
        "the images of \(nested.count) nested \(nested.count == 1 ? "folder" : "folders") "
          + "(\(nested.prefix(3).joined(separator: ", "))\(nested.count > 3 ? ", …" : "")) have the "
          + "class of the outer folder (\(layout.outer(ofNested: first))); to make a class of each, "
          + "move the nested folders up")
    }
    notes += ClassSpellings(paths, layout).repeated.map(\.message)
    var merge = ImageFolderMerge(
      root: tree.name, layout: layout, paths: paths, total: files.count, options: options)
    var start = 0
    try OrderedWorkers(workers: options.workers).run(
      next: { () -> ArraySlice<SourceFile>? in
        guard start < files.count else { return nil }
        defer { start += ImageFolderMerge.batchSize }
        return files[start..<min(files.count, start + ImageFolderMerge.batchSize)]
      },
      transform: { _, files in files.map { ImageProbe(tree, $0, known: options.known) } },
      deliver: { probes in try deliver(merge.add(probes)) })
    try deliver(merge.finish())
    var run = FinishedImport(outcome: merge.outcome, contentHash: nil)
    run.notes = notes
    return run
  }

  /// Returns whether folders tell what is labeled. What is drawn in the images and sets of labels they do not, and labels
  /// only if a folder is one of the given classes, by name or number.
  private func isTold(_ task: ModelTask, by folders: [String], _ options: ImportOptions) -> Bool {
    guard task.output == .label else { return false }
    guard let classes = options.classes else { return true }
    return folders.contains { classes.contains($0) || Int($0) != nil }
  }

  /// The paths of the files with an image suffix, or of all files if there are none.
  private static func likelyImages(_ files: [SourceFile]) -> [String] {
    let paths = files.map(\.path)
    let named = paths.filter(PairPath.isImageName)
    return named.isEmpty ? paths : named
  }

  private static func isImage(_ tree: any SourceTree, _ file: SourceFile) throws -> Bool {
    var bytes = [UInt8](repeating: 0, count: ImageKind.detectedLength)
    // An unreadable file is an issue of the import, not a reason against the format.
    let count =
      (try? bytes.withUnsafeMutableBytes { try tree.read(file.path, at: 0, into: $0) }) ?? 0
    return bytes.withUnsafeBytes {
      ImageKind.detect(UnsafeRawBufferPointer(rebasing: $0[..<count]))
    }
      != nil
  }
}
