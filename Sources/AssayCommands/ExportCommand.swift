package import ArgumentParser
import AssayCore
import AssayStore
import AssayWorkflows

/// `assay export`: a view as files that others read.
package struct ExportCommand: ParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Write a view as training masks or as a COCO file.",
    discussion: """
      --to masks writes images/KEY.png and masks/KEY.png: with one --category the union of its regions in 0 \
      and 255, else index masks (0 background, 255 void, the rest as classes.txt says). --size brings \
      both to a square by centre crop, images by area mean, masks by the nearest pixel.

      --to coco writes annotations/instances_SPLIT.json; file names are relative to the dataset's folder. \
      --verify reads it back and compares every annotation; exit status 1 where one is not the same.
      """)

  /// What can be written.
  package enum Target: String, CaseIterable, ExpressibleByArgument, Sendable {
    case masks
    case coco
  }

  /// The spellings of ``MaskExportRequest/CropRule``.
  package enum CropChoice: String, CaseIterable, ExpressibleByArgument, Sendable {
    case center
    case none
  }

  @Argument(help: "A dataset, a view, or a part of either.")
  package var view: String

  @Option(help: "What to write: masks or coco.")
  package var to: Target

  @Option(help: ArgumentHelp("The folder to write.", valueName: "dir"), completion: .directory)
  package var out: String

  @Option(
    help: ArgumentHelp(
      "With masks: the class; more than one for index masks of these.", valueName: "name"))
  package var category: [String] = []

  @Option(help: ArgumentHelp("With masks: the side of the squares.", valueName: "pixels"))
  package var size: Int?

  @Option(help: "With --size: center cuts the longer side off, none changes proportions.")
  package var crop: CropChoice = .center

  @Flag(help: "With coco: copy the image files, too.")
  package var copyImages = false

  @Flag(help: "With coco: read it back and compare every annotation.")
  package var verify = false

  @Flag(help: "Write into a folder that assay did not make.")
  package var force = false

  @OptionGroup package var options: GlobalOptions

  package init() {}

  package func validate() throws {
    switch to {
    case .masks:
      guard !copyImages, !verify else {
        throw ValidationError("--copy-images and --verify are for --to coco.")
      }
    case .coco:
      guard category.isEmpty, size == nil, crop == .center else {
        throw ValidationError("--category, --size and --crop are for --to masks.")
      }
    }
    if let size, !(1...MaskExportRequest.sideLimit).contains(size) {
      throw ValidationError("--size takes pixels from 1 to \(MaskExportRequest.sideLimit).")
    }
    guard crop == .center || size != nil else {
      throw ValidationError("--crop needs --size.")
    }
    guard Set(category).count == category.count else {
      throw ValidationError("--category names a class twice.")
    }
  }

  package func run() throws {
    try options.perform { progress in
      let catalog = try Catalog.open(options.catalogPath, .readOnly, reportingTo: progress)
      let folder = try ExportFolder(out, force: force)
      switch to {
      case .masks:
        var request = MaskExportRequest(view: view)
        request.categories = category
        request.side = size
        request.crop = crop == .center ? .center : .none
        let summary = try MaskExport(request, catalog: catalog).run(
          into: folder, progress: progress)
        let result = ExportResult.masks(summary)
        if !summary.leftOut.isEmpty { throw CheckFailed(result) }
        return result
      case .coco:
        var summary = try COCOExport(catalog: catalog, view: view, copiesImages: copyImages).run(
          into: folder, progress: progress)
        if verify {
          var reading = COCOReading(of: summary, catalog: catalog)
          summary.verification = try reading.run(progress: progress)
        }
        let result = ExportResult.coco(summary)
        let isIdentical = summary.verification?.isIdentical ?? true
        if !isIdentical || !summary.leftOut.isEmpty { throw CheckFailed(result) }
        return result
      }
    }
  }
}
