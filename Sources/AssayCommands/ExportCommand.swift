package import ArgumentParser
import AssayCore
import AssayStore
import AssayWorkflows

/// `assay export`: writes a view as files for other programs.
package struct ExportCommand: ParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "export",
    abstract:
      "Write a view as a training set: COCO, YOLO, Pascal VOC, masks, class folders and others.",
    discussion: """
      --to masks writes images/KEY.png and masks/KEY.png: with one --category the union of its regions as 0 \
      and 255, else index masks (0 background, 255 void, others as in classes.txt; with more than 254 classes \
      16 bits per value and 65535 for void). --size makes both square by center crop; images use the area \
      mean, masks the nearest pixel.

      --to coco writes annotations/instances_SPLIT.json; file names are relative to the dataset's folder.

      --to fer writes fer2013.csv, one row of gray pixels per sample. --to folder writes images/CLASS/NAME, or \
      images/SPLIT/CLASS/NAME if there are splits: image files unchanged, pixels of the catalog as PNG.

      --to multilabel-csv writes labels.csv, a column of 0 and 1 for each class, and images/NAME: the sets of \
      labels of a multi-label dataset.

      --to yolo, voc, createml, cvat, label-studio, csv, datumaro, hf-imagefolder, coco-panoptic and webdataset write the images (see \
      --images) and the annotations in that layout; what the format cannot hold is printed first, with counts. \
      `assay convert` does the same without a catalog. \
      With --run, --to label-studio also writes the run's predictions, from which people start.

      --to coco-results writes the detections or masks of a run (in place of VIEW) into the JSON file --out, as \
      `assay predictions export RUN --format coco` does.

      --to parquet writes tables for pandas, polars, DuckDB and others: samples.parquet, annotations.parquet, \
      classes.parquet and, with --run, predictions.parquet and run_classes.parquet. The images are not in them.

      --verify reads the export back and compares every annotation, label and pixel; exit status 1 if any \
      differs.

      With --corrected the ground truth includes corrections, without excluded samples; \
      manifest.json and manifest.csv list for each sample what was corrected, by whom, in how many seconds, how \
      much its regions overlap the imported ones (IoU), its weight, and the SHA-256 of its image.
      """)

  /// The export formats.
  package enum Target: String, CaseIterable, ExpressibleByArgument, Sendable {
    case masks
    case coco
    case fer
    case folder
    case multiLabelCSV = "multilabel-csv"
    case yolo
    case voc
    case createML = "createml"
    case cvat
    case labelStudio = "label-studio"
    case csv
    case datumaro
    case hfImageFolder = "hf-imagefolder"
    case cocoPanoptic = "coco-panoptic"
    case webDataset = "webdataset"
    case cocoResults = "coco-results"
    case parquet

    /// True if it is written by the same workflow as in `assay convert`.
    var isConversion: Bool {
      switch self {
      case .masks, .coco, .fer, .folder, .multiLabelCSV, .cocoResults, .parquet: false
      case .yolo, .voc, .createML, .cvat, .labelStudio, .csv, .datumaro, .hfImageFolder,
        .cocoPanoptic, .webDataset:
        true
      }
    }
  }

  /// The spellings of ``MaskExportRequest/CropRule``.
  package enum CropChoice: String, CaseIterable, ExpressibleByArgument, Sendable {
    case center
    case none
  }

  @Argument(help: "A dataset, a view, or a part of either; with coco-results a run.")
  package var view: String

  @Option(
    help: ArgumentHelp(
      "The format: \(Target.allCases.map(\.rawValue).joined(separator: ", "))."))
  package var to: Target

  @Option(
    help: ArgumentHelp("The folder to write; with coco-results the file.", valueName: "dir"),
    completion: .directory)
  package var out: String

  @Option(
    help: ArgumentHelp(
      "With masks: the class; several for index masks.", valueName: "name"))
  package var category: [String] = []

  @Option(
    help: ArgumentHelp("With masks: the side length of the square images.", valueName: "pixels"))
  package var size: Int?

  @Option(help: "With --size: center crops the longer side, none changes the aspect ratio.")
  package var crop: CropChoice = .center

  @Flag(help: "With coco: also copy the image files.")
  package var copyImages = false

  @Option(
    name: .customLong("run"),
    help: ArgumentHelp(
      "With parquet and label-studio: the run whose predictions are written.", valueName: "run"))
  package var runName: String?

  @Option(
    help: ArgumentHelp(
      "With --run and label-studio: the minimum score of a prediction. Default: all, and 0.5 for the labels of a multi-label run.",
      valueName: "score"))
  package var minScore: Double?

  @OptionGroup package var conversion: ConvertOptions

  @Flag(help: "Read the export back and compare everything; not with masks and parquet.")
  package var verify = false

  @Flag(help: "Write into a folder that assay did not create.")
  package var force = false

  @OptionGroup(title: "Ground truth") package var truth: TruthOptions
  @OptionGroup(title: "Corrected samples") package var corrections: CorrectedExportOptions
  @OptionGroup package var options: GlobalOptions

  package init() {}

  package func validate() throws {
    if verify, to == .masks {
      throw ValidationError(
        "--verify cannot read these masks back; assay convert --to masks --verify can.")
    }
    if verify, to == .parquet {
      throw ValidationError("--verify cannot read the tables of --to parquet back.")
    }
    if runName != nil, to != .parquet, to != .labelStudio {
      throw ValidationError(
        "--run is for --to parquet and label-studio; `assay predictions export` writes a run.")
    }
    if let minScore {
      guard runName != nil, to == .labelStudio else {
        throw ValidationError("--min-score is for --to label-studio with --run.")
      }
      guard minScore.isFinite else {
        throw ValidationError("--min-score must be a finite number.")
      }
    }
    if isConversion {
      let request = try conversion.request(to: to.rawValue)
      if verify, request.images == .none {
        throw ValidationError("--verify reads the images, too: use --images link or copy.")
      }
    } else if conversion.isGiven {
      throw ValidationError(
        "--images, --variant, --shard-samples, --stuff and changes of shapes are not for --to \(to.rawValue)."
      )
    }
    if to == .cocoResults {
      guard !verify else {
        throw ValidationError("--verify is for datasets; --to coco-results writes predictions.")
      }
      guard !truth.corrected else {
        throw ValidationError("--to coco-results writes predictions, which have no corrections.")
      }
    }
    if copyImages, to != .coco {
      throw ValidationError(
        "--copy-images is for --to coco"
          + ([.folder, .multiLabelCSV].contains(to) ? "; --to \(to.rawValue) has its images." : ".")
      )
    }
    if to != .masks, !category.isEmpty || size != nil || crop != .center {
      throw ValidationError("--category, --size and --crop are for --to masks.")
    }
    if to == .fer, out.lowercased().hasSuffix(".csv") {
      throw ValidationError("--to fer writes a folder with fer2013.csv in it; give --out a folder.")
    }
    try corrections.check(truth)
    if let size, !(1...MaskExportRequest.sideLimit).contains(size) {
      throw ValidationError("--size must be from 1 to \(MaskExportRequest.sideLimit).")
    }
    guard crop == .center || size != nil else {
      throw ValidationError("--crop needs --size.")
    }
    guard Set(category).count == category.count else {
      throw ValidationError("--category has a duplicate class.")
    }
  }

  package func run() throws {
    guard to != .cocoResults else {
      return try options.perform { progress in
        let catalog = try Catalog.open(options.catalogPath, .readOnly, reportingTo: progress)
        return COCOResultsExportResult(
          summary: try COCOResultsExport(catalog: catalog, progress: progress)
            .export(view, to: out, overwrite: force))
      }
    }
    try options.perform { progress in
      let opened = try CorrectedCatalog.open(
        options.catalogPath, .readOnly, truth: truth.choice, reportingTo: progress)
      let folder = try ExportFolder(out, force: force)
      let scope = try corrections.scope(
        of: view, opened, catalogPath: options.catalogPath, reportingTo: progress)
      let result = try write(scope, opened.catalog, folder, progress)
      try opened.checkUnmoved()
      let told = LinkedResult(
        CorrectedResult(result, opened.corrections.of(scope.dataset.name)), [out])
      if !result.isWhole { throw CheckFailed(told) }
      return told
    }
  }

  /// True if the format is written as `assay convert` writes it. COCO is with a change of shapes.
  private var isConversion: Bool {
    to.isConversion || to == .coco && conversion.changesShapes
  }

  private func write(
    _ scope: ExportScope, _ catalog: Catalog, _ folder: ExportFolder, _ progress: any ProgressSink
  ) throws -> ExportResult {
    if isConversion { return .dataset(try convert(scope, catalog, folder, progress)) }
    switch to {
    case .yolo, .voc, .createML, .cvat, .labelStudio, .csv, .datumaro, .hfImageFolder,
      .cocoPanoptic,
      .webDataset:
      return .dataset(try convert(scope, catalog, folder, progress))
    case .cocoResults:
      // Results come from a run; there is no view to be opened.
      throw ValidationError("--to coco-results takes a run.")
    case .parquet:
      return .parquet(
        try ParquetExport(scope, catalog: catalog, run: runName).run(
          into: folder, progress: progress))
    case .masks:
      var request = MaskExportRequest(view: view)
      request.categories = category
      request.side = size
      request.crop = crop == .center ? .center : .none
      return .masks(
        try MaskExport(request, scope: scope, catalog: catalog)
          .run(into: folder, progress: progress))
    case .coco:
      var summary = try COCOExport(scope, catalog: catalog, copiesImages: copyImages)
        .run(into: folder, progress: progress)
      if verify {
        var reading = COCOExportCheck(of: summary, catalog: catalog)
        summary.verification = try reading.run(progress: progress)
      }
      return .coco(summary)
    case .fer:
      return .table(
        try verified(FERExport(scope, catalog: catalog).run(into: folder, progress: progress)))
    case .folder:
      return .table(
        try verified(FolderExport(scope, catalog: catalog).run(into: folder, progress: progress)))
    case .multiLabelCSV:
      return .table(
        try verified(
          MultiLabelExport(scope, catalog: catalog).run(into: folder, progress: progress)))
    }

    func verified(_ summary: TableExportSummary) throws -> TableExportSummary {
      var summary = summary
      if try catalog.hasSampleFields(in: scope.dataset.id) {
        summary.notes.append(
          "further fields of images, such as votes, are left out; --to datumaro keeps them")
      }
      try summary.countObjects(in: catalog)
      guard verify else { return summary }
      var reading = TableExportCheck(of: summary, catalog: catalog)
      summary.verification = try reading.run(progress: progress)
      return summary
    }
  }

  private func convert(
    _ scope: ExportScope, _ catalog: Catalog, _ folder: ExportFolder, _ progress: any ProgressSink
  ) throws -> DatasetExportSummary {
    var request = try conversion.request(to: to.rawValue)
    if let runName { request.setRun(runName, minScore: minScore) }
    if verify { try ExportCheck.check(request) }
    var summary = try DatasetExport(scope, catalog: catalog, request).run(
      into: folder,
      announce: { survey in
        let text = ConvertResult.announcement(survey, format: to.rawValue)
        if !options.json, !text.isEmpty { try Output.write(text) }
      }, progress: progress)
    if verify {
      let databases = try TemporaryDatabases()
      summary.verification = try ExportCheck(of: summary, catalog: catalog).run(
        database: databases.database("result"), progress: progress)
    }
    return summary
  }
}
