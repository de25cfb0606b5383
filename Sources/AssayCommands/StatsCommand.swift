package import ArgumentParser
import AssayCore
import AssayStore
import AssayWorkflows

/// `assay stats`: counts and balance of a view's classes, and their mean and deviation images.
package struct StatsCommand: ParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "stats",
    abstract: "Count a view's classes and regions, and draw mean images.",
    discussion: """
      For regions: images, instances, crowds and sizes per class (small below 32² pixels, medium below 96²), \
      and coverage, the share of an image that the class's regions cover together.

      With --out the images are read, and for every class and all images the mean and the \
      standard deviation of each pixel are written as PNG (one gray scale for all classes) and as \
      float32 .npy, and classes.png with all of them. For regions a mean mask per class is written, \
      as a heat map and .npy, and masks.png with all of them.
      """)

  @Argument(
    help:
      "A dataset, a view, or a part of either: faces/train; or a folder with the parts of --shard.")
  package var view: String

  @Option(
    help: ArgumentHelp(
      "Write mean and standard deviation images and mean masks here. With --shard: the folder for the parts.",
      valueName: "dir"))
  package var out: String?

  @OptionGroup package var shards: ShardOption

  @Option(
    help: ArgumentHelp(
      "Resize all images (area mean, bilinear if larger) and masks.",
      valueName: "WxH"))
  package var resize: String?

  @Flag(help: "Overwrite files that assay did not write.")
  package var force = false

  @OptionGroup(title: "Ground truth") package var truth: TruthOptions

  @OptionGroup package var options: GlobalOptions

  package init() {}

  package func validate() throws {
    try shards.check(folder: out, unused: [("--force", force)])
    if let resize {
      guard out != nil else { throw ValidationError("--resize needs --out DIR.") }
      guard ImageSize(text: resize) != nil else {
        throw ValidationError("--resize must be two integers, such as 64x64, not “\(resize)”.")
      }
    }
  }

  package func run() throws {
    guard shards.shard == nil else { return try runShard() }
    try options.perform { progress in
      let parts = try RecordParts.given(view, of: .statistics, options)
      guard parts == nil || resize == nil else {
        throw ValidationError("--resize is for --shard; the parts have their size")
      }
      let opened = try CorrectedCatalog.open(
        parts?.catalogPath(options) ?? options.catalogPath, .readOnly, truth: truth.choice,
        reportingTo: progress)
      var folder = try out.map { path throws(OutputError) in
        let folder = try OutputFolder(path, force: force)
        try folder.check([StatisticsFiles.sheetName, MeanMaskFiles.sheetName])
        return folder
      }
      let workflow = StatisticsWorkflow(catalog: opened.catalog, progress: progress)
      let statistics =
        try parts.map { try workflow.run($0, truth: opened.truthText) }
        ?? workflow.run(
          view, withPixels: folder != nil, resize: resize.flatMap(ImageSize.init(text:)))
      var files: [(name: String, bytes: [UInt8])] = []
      if let pixels = statistics.pixels, folder != nil {
        files += try StatisticsFiles(view: statistics.view, pixels: pixels).all()
      }
      if let means = statistics.masks?.means, folder != nil {
        files += try MeanMaskFiles(view: statistics.view, means: means).all()
      }
      try opened.checkUnmoved()
      try folder?.write(files)
      let result = CorrectedResult(
        StatsResult(statistics: statistics, folder: out, files: files.map(\.name)),
        opened.corrections.of(statistics.dataset))
      return LinkedResult(result, [out])
    }
  }

  private func runShard() throws {
    let size = resize.flatMap(ImageSize.init(text:))
    try shards.perform(
      options, truth, folder: out,
      ["assay", "stats", view] + truth.words + (resize.map { ["--resize", $0] } ?? [])
    ) { request, opened, progress in
      try StatisticsWorkflow(catalog: opened.catalog, progress: progress).makePart(
        view, resize: size, request, truth: opened.truthText,
        programVersion: ProgramVersion.number)
    }
  }
}
