package import AssayCore
import AssayImaging

/// The frames of films: a folder with ``FrameIndex/name``, as `assay import` makes it of a video or stream; or any
/// folder of images that is named as frames.
///
/// Key and location of a sample: the path of its image. The sample has the fields `frame`, `time` and `track`.
package struct FramesImporter: DatasetImporter {
  package init() {}

  package var format: DatasetFormat { .frames }

  package var summary: String { "the frames of a video or camera, with time and number" }

  package var recognizedBy: String {
    "frames.jsonl, which assay import writes for a video or stream; a folder of images is read as frames if it is "
      + "named as such (PATH:frames)"
  }

  package func probe(_ tree: any SourceTree) throws -> Probe {
    guard !tree.isSingleFile else {
      return .noMatch("it is a single file; the frames of a video are a folder")
    }
    guard FrameIndex.isIndex(FrameIndex.name, in: tree) else {
      return .noMatch("it has no \(FrameIndex.name) with the frames of a video")
    }
    return .match("\(FrameIndex.name) lists the frames of a video or stream")
  }

  package func companions(in tree: any SourceTree) throws -> Companions? {
    guard !tree.isSingleFile else { return nil }
    let unread = Companions.candidates(try tree.files()).filter { $0.path != FrameIndex.name }
    return try Companions(unread, in: tree, isKnownOnly: true)
  }

  package func run(
    _ tree: any SourceTree, _ options: ImportOptions, deliver: (ImportedBatch) throws -> Void
  ) throws -> FinishedImport {
    guard !tree.isSingleFile else {
      throw FormatError.mismatch(name: tree.name, format: format, reason: try probe(tree).reason)
    }
    try options.refuse([.size], for: format)
    let index = try index(of: tree, options)
    let files = SortedFiles(try tree.files())
    var run = FinishedImport(outcome: ImportOutcome(), contentHash: nil)
    run.notes = index.notes
    let listed = Set(index.entries.map(\.file))
    run.imagesLeftOut =
      options.every > 1
      ? 0 : files.files.count { PairPath.isImageName($0.path) && !listed.contains($0.path) }
    if run.imagesLeftOut > 0 {
      run.notes.append(
        "\(Counted.text(run.imagesLeftOut, "image is", "images are")) in the folder and not in "
          + "\(FrameIndex.name); left out")
    }
    var pass = FramesPass(index, root: tree.name, options)
    var start = 0
    try OrderedWorkers(workers: options.workers).run(
      next: { () -> ArraySlice<FrameEntry>? in
        guard start < index.entries.count else { return nil }
        defer { start += FramesPass.batchSize }
        return index.entries[start..<min(index.entries.count, start + FramesPass.batchSize)]
      },
      transform: { _, entries in
        entries.map { entry in
          (
            entry,
            files.index(of: entry.file).map {
              ImageProbe(tree, files.files[$0], known: options.known)
            }
          )
        }
      },
      deliver: { try deliver(pass.add($0)) })
    try deliver(pass.finish())
    run.outcome = pass.outcome
    return run
  }

  /// - Throws: ``FormatError``; any error that the tree throws.
  private func index(of tree: any SourceTree, _ options: ImportOptions) throws -> FrameIndex {
    if FrameIndex.isIndex(FrameIndex.name, in: tree) {
      if options.frameRate != nil { throw FormatError.unusedOption("--fps", format: format) }
      if options.every != 1 { throw FormatError.unusedOption("--every", format: format) }
      return try FrameIndex(tree)
    }
    let index = try FrameIndex(of: tree, rate: options.frameRate, every: options.every)
    guard !index.entries.isEmpty else {
      throw FormatError.noImages(
        name: tree.name, found: try SourceContent.describe(tree),
        tables: SourceContent.tables(of: try tree.files()))
    }
    return index
  }
}

/// Makes batches of frames.
private struct FramesPass {
  private let index: FrameIndex
  private let root: String
  private let split: String?
  /// The classes that are still to be introduced; all of them are in the first batch.
  private var classes: [Category]
  private var limit = IssueLimit()
  private var issues: [Issue] = []
  private(set) var outcome = ImportOutcome()

  static let batchSize = 96

  init(_ index: FrameIndex, root: String, _ options: ImportOptions) {
    self.index = index
    self.root = root
    split = options.split
    classes = (options.classes ?? []).map { Category(name: $0) }
    outcome.ordinals = Array(classes.indices)
    for fault in index.faults {
      note(
        fault.isEnd ? .truncated : .unreadableImage, .warning, FrameIndex.name,
        "frame \(fault.frame) of \(index.source): \(fault.message)")
    }
  }

  mutating func add(_ frames: [(entry: FrameEntry, probe: ImageProbe?)]) -> ImportedBatch {
    var batch = ImportedBatch()
    for (entry, probe) in frames {
      switch probe?.size {
      case .success(let size)?:
        batch.samples.append(
          ImportedSample(
            key: entry.file, location: entry.file, split: split, size: size, stamp: probe?.stamp,
            attributes: entry.attributes))
      case .failure(let problem)?:
        note(problem.kind, .error, entry.file, problem.message)
        batch.rejected += 1
      case nil:
        note(.missingImage, .error, entry.file, "the file is missing; left out")
        batch.rejected += 1
      }
    }
    batch.read = frames.count
    outcome.read += batch.read
    outcome.rejected += batch.rejected
    outcome.accepted += batch.samples.count
    batch.issues = issues
    issues = []
    (batch.newCategories, classes) = (classes, [])
    batch.progress = Double(outcome.read) / Double(max(1, index.entries.count))
    return batch
  }

  /// The last batch: the number of issues that were not listed.
  mutating func finish() -> ImportedBatch {
    var batch = ImportedBatch()
    batch.newCategories = classes
    batch.issues = issues + limit.remainder(in: root)
    batch.progress = 1
    return batch
  }

  private mutating func note(
    _ kind: IssueKind, _ severity: Issue.Severity, _ file: String, _ message: String
  ) {
    guard limit.admits(kind) else { return }
    issues.append(Issue(kind, severity, at: IssueLocation(file: file), message))
  }
}
