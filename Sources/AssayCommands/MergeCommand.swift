package import ArgumentParser
import AssayCore
import AssayWorkflows
import Foundation

/// `assay merge`: makes one dataset of several, or one run of its parts.
package struct MergeCommand: ParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "merge",
    abstract: "Merge datasets into one, or the parts of a run.",
    discussion: """
      assay merge faces film/train --name all --map 'car,truck=vehicle'

      assay merge a.json:coco b --to yolo DIR

      With --name, datasets of the catalog (or parts and views of them) become a new dataset that every command \
      takes. Splits, labels, annotations and their fields are kept, and images stay where they are. \
      Classes are united by name; those of the first dataset come first. Names that differ only by case, \
      blanks, “_” or “-” stay two classes, with a note. Ids of images, classes and annotations are kept \
      if no two datasets use one for different things.

      The merged dataset is a copy of the ground truth: the imported one, or with --corrected the corrected \
      one. Later corrections of the sources do not change it. Datasets with annotations of objects do not \
      merge with datasets of image labels, nor sets of labels with single labels.

      With --to, files and folders are merged into a folder of another format, without the catalog, as \
      assay convert does for one.

        assay merge parts --name r1

      With one folder in place of the datasets, the parts of a run that assay predict --shard wrote into it \
      become a run of the catalog: the same that one machine would make. An incomplete, mixed or damaged set is \
      refused with the commands that make what is missing; files of killed tasks are removed from the folder.
      """)

  /// The spellings of the treatment of duplicates.
  package enum DuplicateChoice: String, CaseIterable, ExpressibleByArgument, Sendable {
    case keep
    case first
    case union
    case refuse
  }

  @Argument(
    help: ArgumentHelp(
      """
      The datasets, parts or views, at least two; or one folder with the parts of a run. With --to: the files \
      or folders (path[:format]), and last the folder to write.
      """, valueName: "view"))
  package var views: [String]

  @Option(help: "The name of the merged dataset, or of the run.")
  package var name: String?

  @OptionGroup package var classes: ClassChangeOptions

  @Option(
    help: ArgumentHelp(
      """
      Images that are in several of the datasets, byte by byte: keep all, take each from the first dataset that \
      has it (first), with the annotations of the others (union; identical ones once), or refuse to merge.
      """))
  package var duplicates = DuplicateChoice.keep

  @Flag(help: "Put the dataset's name before each key: needed if two datasets have the same keys.")
  package var prefixKeys = false

  @Flag(help: "Replace a dataset of this name; samples are matched by key and keep their runs.")
  package var replace = false

  @OptionGroup package var truth: TruthOptions

  @Option(
    help: ArgumentHelp(
      "Write files in this format instead: \(ConvertOptions.formats).", valueName: "format"))
  package var to: String?

  @OptionGroup package var conversion: ConvertOptions

  @Flag(help: "With --to: read the result back and compare everything.")
  package var verify = false

  @Flag(help: "With --to: write into a folder that assay did not create.")
  package var force = false

  @OptionGroup package var options: GlobalOptions

  package init() {}

  package func validate() throws {
    guard to != nil else {
      guard name != nil else {
        throw ValidationError("merge needs --name NEW (a dataset or a run), or --to FORMAT (files)")
      }
      guard views.count > 1 || isOfParts else {
        if let path = views.first, !FileManager.default.fileExists(atPath: path) {
          throw ValidationError(
            "merge needs at least two datasets, or one folder with the parts of a run; there is no folder \(path)"
          )
        }
        throw ValidationError(
          "merge needs at least two datasets, or one folder with the parts of a run")
      }
      guard !isOfParts || !isChanged else {
        throw ValidationError("only --name applies to the parts of a run")
      }
      guard !verify, !force, !conversion.isGiven else {
        throw ValidationError("--verify, --force, --images and --variant are for --to")
      }
      return
    }
    guard name == nil, !prefixKeys, !replace, !truth.corrected else {
      throw ValidationError(
        "--name, --prefix-keys, --replace and --corrected are for datasets of the catalog, --to is for files"
      )
    }
    guard views.count > 2 else {
      throw ValidationError("merge --to needs at least two sources, and last the folder to write")
    }
    _ = try conversionRequest()
  }

  /// True for the parts of a run: one folder in place of datasets.
  private var isOfParts: Bool { to == nil && views.count == 1 && PartFolder.isFolder(views[0]) }

  /// True if an option is given that datasets alone have.
  private var isChanged: Bool {
    !classes.map.isEmpty || !classes.rename.isEmpty || !classes.drop.isEmpty || duplicates != .keep
      || prefixKeys || replace || truth.corrected
  }

  private func mergeParts(as name: String) throws {
    try options.perform { progress in
      let parts = try RunParts(views[0])
      let path = parts.catalogPath(options)
      let catalog = try CorrectedCatalog.open(path, .readWrite, reportingTo: progress).catalog
      let run = try parts.merge(into: catalog, named: name, progress: progress)
      return RunMergeResult(
        run: run, folder: views[0], parts: parts.files.count,
        catalog: path == options.catalogPath ? nil : path,
        hasGroundTruth: try catalog.hasGroundTruth(for: run.task, in: run.dataset))
    }
  }

  private func conversionRequest() throws -> ConversionRequest {
    var export = try conversion.request(to: to ?? "")
    export.changes = try classes.changes()
    if verify, export.images == .none {
      throw ValidationError("--verify reads the images, too: use --images link or copy.")
    }
    var request = ConversionRequest(
      sources: views.dropLast().map { ImportRequest($0) }, export: export,
      folder: views.last ?? "")
    request.duplicates = MergeRequest.Duplicates(rawValue: duplicates.rawValue) ?? .keep
    request.verifies = verify
    request.force = force
    return request
  }

  package func run() throws {
    guard let name else {
      let request = try conversionRequest()
      return try options.perform { progress in
        for source in request.sources {
          if let unknown = UnknownFormat(source.path) { throw unknown }
        }
        return try ConvertCommand.convert(
          request, to: to ?? "", isJSON: options.json, progress)
      }
    }
    if isOfParts { return try mergeParts(as: name) }
    try options.perform { progress in
      let opened = try CorrectedCatalog.open(
        options.catalogPath, .readWrite, truth: truth.choice, reportingTo: progress)
      var request = MergeRequest(views, name: name)
      request.changes = try classes.changes()
      request.duplicates = MergeRequest.Duplicates(rawValue: duplicates.rawValue) ?? .keep
      request.prefixesKeys = prefixKeys
      request.replace = replace
      let summary = try DatasetMerge(
        request, in: opened.catalog, corrections: opened.corrections
      ).run(progress: progress)
      return CorrectedResult(
        MergeResult(summary: summary),
        opened.corrections.of(anyOf: summary.sources.map(\.dataset)))
    }
  }
}
