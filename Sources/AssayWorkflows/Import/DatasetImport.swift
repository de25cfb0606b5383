package import AssayCore
package import AssayFormats
package import AssayStore
import AssayImaging
import AssayRemote
import Foundation

/// Imports a source into the catalog: detects the format, reads the source, and writes all of it or
/// nothing.
package struct DatasetImport {
  /// The result of an import.
  package struct Summary: Sendable {
    package var detection: FormatDetector.Detection
    /// True if the same input was already imported under the name, so that nothing was done.
    package var isAlreadyThere: Bool
    package var dataset: DatasetRecord
    /// The numbers of new samples, of samples whose key already existed, and of samples whose key
    /// was removed.
    package var added = 0
    package var kept = 0
    package var retired = 0
    /// The classes that are to be labeled, of images without annotations; empty if none were stated.
    package var classes: [String] = []
    /// The numbers of samples, or of regions if the source has them, by split and class.
    package var counts = ImportCounts(classes: [])
    /// The counts of the source's lists of annotations and images; `nil` if it has none.
    package var lists: ImportedLists?
    /// The numbers of FER+'s votes; `nil` without votes.
    package var votes: VoteCounts?
    package var issueCounts: [(kind: IssueKind, count: Int)] = []
    /// Notes on the classes and on excluded images, if not obvious; one sentence each, without a
    /// period.
    package var notes: [String] = []
    /// The source, if it is not local.
    package var remote: RemoteImport?
    /// The duration in seconds of wall-clock time.
    package var seconds = 0.0
  }

  private let request: ImportRequest
  private let workers: Int

  /// - Parameter workers: the number of parser threads; by default, the number of processors, up to
  ///   8.
  package init(_ request: ImportRequest, workers: Int? = nil) {
    self.request = request
    self.workers = workers ?? min(8, max(2, ProcessInfo.processInfo.activeProcessorCount))
  }

  /// Imports the source; if this throws or the process is killed, the catalog is unchanged.
  ///
  /// - Throws: ``ImportError``, ``ImportRefused``, ``SourceError``, `FormatError`, `StoreError`,
  ///   ``Interrupted``.
  package func run(catalogPath: String, progress: some ProgressSink) throws -> Summary {
    if let film = try FilmSource.find(request) {
      return try run(film, catalogPath: catalogPath, progress: progress)
    }
    return try RemoteSources.reporting(to: progress) {
      do {
        return try runFiles(catalogPath: catalogPath, progress: progress)
      } catch {
        // Files that the server did not give look like files of no format.
        if error is FormatError { try RemoteSources.checkTrouble() }
        if request.format == nil,
          case FormatError.mismatch(let name, let format, let reason) = error
        {
          throw FormatError.unfit(name: name, format: format, reason: reason)
        }
        throw error
      }
    }
  }

  /// Records the frames of a film or stream, and imports them.
  private func run(
    _ film: FilmSource, catalogPath: String, progress: some ProgressSink
  ) throws -> Summary {
    if case .standardInput = film, request.name == nil { throw FilmError.unnamed }
    let name = try checkedName(of: film.name)
    for (option, isGiven) in [
      ("--images", request.images != nil), ("--check-images", request.checksImages),
      ("--size", request.size != nil), ("--votes", request.votes != nil),
      ("--columns", request.columns != nil), ("--scan", request.scan != nil),
    ] where isGiven { throw FilmError.unusedOption(option) }
    let recorded = try FilmRecording(source: film, request: request, dataset: name)
      .run(catalogPath: catalogPath, progress: progress)
    var frames = request
    frames.name = name
    frames.path = recorded.path
    (frames.format, frames.frameRate, frames.every, frames.frameLimit) = (nil, nil, 1, nil)
    do {
      var summary = try DatasetImport(frames, workers: workers)
        .runFiles(catalogPath: catalogPath, progress: progress)
      if !summary.isAlreadyThere { summary.notes.append("the frames are in \(recorded.path)") }
      return summary
    } catch {
      if recorded.isNew { try? FileManager.default.removeItem(atPath: recorded.path) }
      throw error
    }
  }

  /// The name of the dataset.
  ///
  /// - Throws: ``ImportError/noName(source:)``, `StoreError`.
  private func checkedName(of source: String) throws -> String {
    guard let name = request.name ?? ImportRequest.defaultName(for: source) else {
      throw ImportError.noName(source: source)
    }
    try Name.checked(name)
    if let split = request.split, !Name.isValid(split) { throw ImportError.badSplit(split) }
    return name
  }

  private func runFiles(catalogPath: String, progress: some ProgressSink) throws -> Summary {
    let started = ContinuousClock.now
    let tree = ListedTree(
      try DiskSource(request.path, followsLinks: request.followsLinks))
    let name = try checkedName(of: tree.name)
    try RemoteImport.check(tree)
    guard !request.ignoresCompanions || request.format != nil else {
      throw ImportError.ignoresWithoutFormat
    }
    try PackedTables.check(tree, request.format)
    let votes = try request.votes.map { path in
      VoteOptions(table: try VoteTable.read(DiskSource(path).tree), rule: request.voteRule)
    }
    let (detection, files) = try detection(of: tree)
    if request.checksImages, !detection.format.isCOCO {
      throw FormatError.unusedOption("--check-images", format: detection.format)
    }
    if request.annotator != nil, !detection.format.namesAnnotators {
      throw FormatError.unusedOption("--annotator", format: detection.format)
    }
    if request.labelSeparator != nil, !detection.format.isMultiLabel {
      throw FormatError.unusedOption("--label-separator", format: detection.format)
    }
    if detection.format != .csv, !detection.format.embedsImages {
      if request.columns != nil {
        throw FormatError.unusedOption("--columns", format: detection.format)
      }
      if request.coordinates != nil {
        throw FormatError.unusedOption("--coordinates", format: detection.format)
      }
    }
    if votes != nil, detection.format != .fer {
      throw FormatError.unusedOption("--votes", format: detection.format)
    }
    if request.task != nil, !detection.format.isUnlabeled {
      throw FormatError.unusedOption("--task", format: detection.format)
    }
    let isFrames = detection.format == .frames
    for (option, isGiven) in [
      ("--fps", request.frameRate != nil && !isFrames),
      ("--every", request.every != 1 && !isFrames),
      ("--frames", request.frameLimit != nil),
    ] where isGiven { throw FormatError.unusedOption(option, format: detection.format) }
    let images = try ImageFolderSearch.find(request, tree, as: detection.format)
    let catalog = try Catalog.open(catalogPath, .create)
    let corrected = try CorrectedSource(
      request.path, as: name,
      isReplacement: try request.replace && catalog.findDataset(named: name) != nil,
      catalogPath: catalogPath)
    let draft = ImportDraft(
      name: name, format: detection.format, root: (images ?? tree).root,
      isSingleFile: (images ?? tree).source.isFile,
      options: optionsText(votes, (images ?? tree).source.remote, corrected.included),
      replace: request.replace,
      isMultiLabel: detection.format.isMultiLabel || votes?.rule == .multiTarget
        || request.task?.output == .labels)
    let source = InputHash(source: tree, images: images)
    let scan = try request.scan.map { try RecordParts($0, of: .scan) }
    // A scan adds hashes to what is there.
    let isScanned = scan != nil && request.replace
    if !request.checksImages, !isScanned, let known = try catalog.findDataset(named: name),
      known.format == draft.format, known.options == draft.options, let hash = known.inputHash,
      try hash == source.hash()
    {
      return Summary(
        detection: detection, isAlreadyThere: true, dataset: known,
        remote: RemoteImport(tree, images))
    }
    var summary = try write(
      draft, tree, files, images, detection, votes, scan, into: catalog, source, progress: progress)
    if request.classes != nil, detection.format.isUnlabeled,
      try !catalog.hasLabels(in: summary.dataset)
    {
      summary.classes = try catalog.taxonomy(of: summary.dataset.id).names
    }
    // Images without annotations have none that an export could have added.
    if let note = corrected.note, !isFrames, request.task == nil { summary.notes.append(note) }
    let elapsed = (ContinuousClock.now - started).components
    summary.remote = RemoteImport(tree, images)
    summary.seconds = Double(elapsed.seconds) + Double(elapsed.attoseconds) / 1e18
    return summary
  }

  /// A list of classes that `--classes` names is not a file that an import of images would drop.
  ///
  /// - Returns: the format, and the source without such a list.
  private func detection(
    of tree: ListedTree
  ) throws -> (FormatDetector.Detection, any SourceTree) {
    func detect(_ tree: any SourceTree) throws -> FormatDetector.Detection {
      try FormatDetector.detect(
        tree, forced: try request.format ?? formatOfColumns(tree),
        ignoresCompanions: request.ignoresCompanions)
    }
    do {
      return (try detect(tree), tree)
    } catch let error {
      guard case FormatError.companions(_, let format, _) = error, format.isUnlabeled,
        let rest = try TreeWithoutFiles(tree, request.classFiles)
      else { throw error }
      return (try detect(rest), rest)
    }
  }

  /// The format of a source whose columns are stated; `nil` if that is detected.
  private func formatOfColumns(_ tree: any SourceTree) throws -> DatasetFormat? {
    guard request.columns != nil else { return nil }
    let isEmbedded = try tree.files().contains {
      ParquetFile.isNamed($0.path) || TFRecordFile.isNamed($0.path)
    }
    return isEmbedded ? nil : .csv
  }

  private func write(
    _ draft: ImportDraft, _ tree: ListedTree, _ files: any SourceTree, _ images: ListedTree?,
    _ detection: FormatDetector.Detection, _ votes: VoteOptions?, _ scan: RecordParts?,
    into catalog: Catalog, _ source: InputHash, progress: some ProgressSink
  ) throws -> Summary {
    var tally = ImportCounter(keepingIssues: request.strict ? .max : 10)
    var outcome = ImportOutcome()
    var lists: ImportedLists?
    var counts: VoteCounts?
    var notes: [String] = []
    var reused = try ReusedImages(
      images ?? tree, replacing: request.replace ? catalog.findDataset(named: draft.name) : nil,
      scan: scan, in: catalog)
    var options = ImportOptions(
      split: request.split, classes: request.classes, size: request.size, workers: workers,
      images: images, checksImages: request.checksImages,
      ignoresCompanions: request.ignoresCompanions, labelSeparator: request.labelSeparator,
      columns: request.columns, coordinates: request.coordinates, known: reused.known)
    options.annotator = request.annotator
    options.task = request.task
    (options.frameRate, options.every) = (request.frameRate, request.every)
    options.votes = votes
    options.checkInterruption = {
      try Interruption.check("nothing was imported; run the same command to start again")
    }
    source.begin()
    let stored: ImportSummary
    do {
      stored = try catalog.importDataset(draft) { writer in
        var links = ImportedBatch()
        links.issues = try tree.issues() + (images?.issues() ?? [])
        try writer.write(links)
        let place = ArchivePlace(tree, images: images, draft.format)
        var (folders, remarks) = (FolderSplits(), ImportRemarks())
        tally.add(links)
        let read = UnreadFiles(files)
        let run = try Importers.importer(for: draft.format).run(read, options) { batch in
          try reused.checkInterruption()
          // Files that a failing server did not give are not missing.
          try RemoteSources.checkTrouble()
          let batch = place.complete(reused.take(folders.complete(batch)))
          remarks.add(batch)
          read.add(batch.issues)
          try writer.write(batch)
          tally.add(batch)
          progress.report(batch.progress, "importing \(draft.name)")
        }
        try reused.checkInterruption()
        try RemoteSources.checkTrouble()
        outcome = run.outcome
        try check(run, tally, draft, source: tree.name)
        lists = run.lists
        counts = run.votes
        notes =
          run.notes + remarks.notes
          + [folders.note, reused.note, try read.remark(draft.format, jsonFiles: run.jsonFiles)]
          .compactMap(\.self)
        return (outcome, try source.hash(of: run.contentHash))
      }
    } catch {
      if !(error is Interrupted) { reused.finish() }
      throw error
    }
    reused.finish()
    return Summary(
      detection: detection, isAlreadyThere: false, dataset: stored.dataset, added: stored.added,
      kept: stored.kept, retired: stored.retired, counts: tally.counts(ordinals: outcome.ordinals),
      lists: lists, votes: counts, issueCounts: tally.issueCounts, notes: notes)
  }

  /// - Throws: ``ImportError/nothingAccepted(source:format:read:issues:)``,
  ///   ``ImportError/noAnnotationKept(source:format:read:issues:)``,
  ///   ``ImportError/mostImagesLeftOut(source:format:kept:leftOut:)``, ``ImportRefused``.
  private func check(
    _ run: FinishedImport, _ tally: ImportCounter, _ draft: ImportDraft, source: String
  ) throws {
    let outcome = run.outcome
    if request.strict, !tally.issues.isEmpty {
      throw ImportRefused(
        dataset: draft.name, read: outcome.read, rejected: outcome.rejected, issues: tally.issues)
    }
    guard outcome.accepted > 0 else {
      throw ImportError.nothingAccepted(
        source: source, format: draft.format, read: outcome.read,
        issues: Array(tally.issues.prefix(5)))
    }
    let errors = tally.issues.filter { $0.severity == .error }
    if let lists = run.lists, lists.annotationsRead > 0, lists.annotationsKept == 0, !errors.isEmpty
    {
      throw ImportError.noAnnotationKept(
        source: source, format: draft.format, read: lists.annotationsRead,
        issues: Array(errors.prefix(5)))
    }
    if request.format == nil, !request.ignoresCompanions, run.imagesLeftOut > outcome.accepted {
      throw ImportError.mostImagesLeftOut(
        source: source, format: draft.format, kept: outcome.accepted, leftOut: run.imagesLeftOut)
    }
  }

  /// The options as JSON: an import with different options is a different import.
  private func optionsText(
    _ votes: VoteOptions?, _ remote: RemoteTree?, _ included: IncludedCorrections?
  ) -> String {
    var members: [JSONValue.Member] = [
      .init("split", JSONValue(request.split)),
      .init("classes", request.classes.map { .array($0.map { .string($0) }) } ?? .null),
      .init("size", JSONValue(request.size.map { "\($0.width)x\($0.height)" })),
    ]
    if let separator = request.labelSeparator {
      members.append(.init("labelSeparator", .string(separator.rawValue)))
    }
    if let columns = request.columns { members.append(.init("columns", .string(columns.text))) }
    if let coordinates = request.coordinates {
      members.append(.init("coordinates", .string(coordinates.rawValue)))
    }
    if let annotator = request.annotator { members.append(.init("annotator", .string(annotator))) }
    if let task = request.task { members.append(LabelingTask.option(task)) }
    if let votes {
      members.append(
        .init(
          "votes",
          ["rule": .string(votes.rule.rawValue), "sha256": .string(votes.table.contentHash)]))
    }
    if let rate = request.frameRate { members.append(.init("fps", .number(rate))) }
    if request.every != 1 { members.append(.init("every", JSONValue(request.every))) }
    if let images = request.images { members.append(.init("images", .string(images))) }
    if request.ignoresCompanions { members.append(.init("ignoresCompanions", true)) }
    if request.followsLinks { members.append(.init(DatasetRoot.followLinks, true)) }
    if let included { members.append(included.option) }
    if let remote { members.append(.init(RemoteSources.member, .string(remote.listing.hash))) }
    return JSONValue.object(members).text()
  }
}
