package import ArgumentParser
import AssayCore
import AssayStore
import AssayWorkflows

/// `assay stats`: counts and balance of a view's classes, and their mean and deviation images.
package struct StatsCommand: ParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "stats",
    abstract: "Count a view's classes, and draw their mean and deviation images.",
    discussion: """
      With --out the images are read, and for every class and for all together the mean and the \
      standard deviation of each pixel are written as PNG (one gray scale for all classes) and as \
      float32 .npy, and classes.png with all of them.
      """)

  @Argument(help: "A dataset, a view, or a part of either: faces/train.")
  package var view: String

  @Option(help: ArgumentHelp("Write mean and deviation images here.", valueName: "dir"))
  package var out: String?

  @Option(
    help: ArgumentHelp(
      "Bring all images to one size (area mean, bilinear where larger).", valueName: "WxH"))
  package var resize: String?

  @Flag(help: "Overwrite files that assay did not write.")
  package var force = false

  @OptionGroup package var options: GlobalOptions

  package init() {}

  package func validate() throws {
    if let resize {
      guard out != nil else { throw ValidationError("--resize needs --out DIR.") }
      guard Self.size(resize) != nil else {
        throw ValidationError("--resize wants two whole numbers: --resize 64x64, not “\(resize)”.")
      }
    }
  }

  package func run() throws {
    try options.perform { progress in
      let catalog = try Catalog.open(options.catalogPath, .readOnly)
      var folder = try out.map { path throws(OutputError) in
        let folder = try OutputFolder(path, force: force)
        try folder.check([StatisticsFiles.sheetName])
        return folder
      }
      let workflow = StatisticsWorkflow(catalog: catalog, progress: progress)
      let statistics = try workflow.run(
        view, withPixels: folder != nil, resize: resize.flatMap(Self.size))
      var written: [String] = []
      if let pixels = statistics.pixels {
        let files = try StatisticsFiles(view: statistics.view, pixels: pixels).all()
        try folder?.write(files)
        written = files.map(\.name)
      }
      return StatsResult(statistics: statistics, folder: out, files: written)
    }
  }

  /// `64x48` as a size; `nil` where it is none, or over the limit of an image.
  static func size(_ text: String) -> ImageSize? {
    let sides = text.lowercased().split(separator: "x", omittingEmptySubsequences: false)
    guard sides.count == 2, let width = Int(sides[0]), let height = Int(sides[1]) else {
      return nil
    }
    return ImageSize.checked(width: width, height: height)
  }
}
