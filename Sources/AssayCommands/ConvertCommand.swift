package import ArgumentParser
import AssayCore
import AssayStore
import AssayWorkflows
import Foundation

/// `assay convert`: writes a dataset in another format, and proves what was kept.
package struct ConvertCommand: ParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "convert",
    abstract: "Convert a dataset to another format, and verify that nothing was lost.",
    discussion: """
      assay convert SRC --to yolo DIR prints first what the format cannot hold, with counts, then writes the \
      files. --verify reads them back as assay import would, and compares every image, label and \
      annotation. Exit status 1 if anything was lost that was not announced.

      DIR/certificate.json contains the SHA-256 of the annotations as they were read, as the format holds \
      them, and as they were read back, with all counts. DIR/manifest.json lists the source of each image.

      The catalog is not used; temporary files are in $TMPDIR.
      """)

  @Argument(
    help: ArgumentHelp("The file or folder.", valueName: "path[:format]"), completion: .file())
  package var source: String

  @Option(help: "The format: \(ConvertOptions.formats).")
  package var to: String

  @Argument(help: ArgumentHelp("The folder to write.", valueName: "dir"), completion: .directory)
  package var out: String

  @OptionGroup package var conversion: ConvertOptions

  @OptionGroup package var classes: ClassChangeOptions

  @Flag(help: "Read the result back and compare everything.")
  package var verify = false

  @Flag(help: "Write into a folder that assay did not create.")
  package var force = false

  @Option(
    help: ArgumentHelp("The folder of the source's images, if it is elsewhere.", valueName: "dir"),
    completion: .directory)
  package var sourceImages: String?

  @OptionGroup package var reading: SourceOptions
  @OptionGroup package var options: GlobalOptions

  package init() {}

  package func validate() throws { _ = try request() }

  private func request() throws -> ConversionRequest {
    var export = try conversion.request(to: to)
    export.changes = try classes.changes()
    if verify, export.images == .none {
      throw ValidationError("--verify reads the images, too: use --images link or copy.")
    }
    var importing = ImportRequest(source)
    importing.images = sourceImages
    try reading.fill(&importing)
    var request = ConversionRequest(sources: [importing], export: export, folder: out)
    request.verifies = verify
    request.force = force
    return request
  }

  package func run() throws {
    let request = try request()
    try options.perform { progress in
      if let unknown = UnknownFormat(request.sources[0].path) { throw unknown }
      if let view = ConvertedView(request.sources[0].path, to: to, out: out, options) { throw view }
      do {
        return try Self.convert(request, to: to, isJSON: options.json, progress)
      } catch {
        throw TypedPathError(error, path: request.sources[0].path) ?? error
      }
    }
  }

  /// Converts, and prints what the format cannot hold before anything is written.
  ///
  /// - Throws: ``CheckFailed`` if anything was lost that was not announced.
  static func convert(
    _ request: ConversionRequest, to format: String, isJSON: Bool, _ progress: any ProgressSink
  ) throws -> LinkedResult {
    func convert(_ progress: some ProgressSink) throws -> ConversionSummary {
      try DatasetConversion(request, version: ProgramVersion.number).run(
        announce: { survey in
          guard !isJSON else { return }
          let text = ConvertResult.announcement(survey, format: format)
          if !text.isEmpty { try Output.write(text) }
        }, progress: progress)
    }
    let summary = try convert(progress)
    let result = LinkedResult(
      ConvertResult(summary: summary, format: format), [request.folder])
    if summary.lost > 0 || !summary.export.leftOut.isEmpty { throw CheckFailed(result) }
    return result
  }
}

/// A view or run of the catalog in place of a file or folder.
private struct ConvertedView: Error, CustomStringConvertible {
  let description: String

  /// `nil` if there is such a file, or neither such a view nor such a run.
  init?(_ source: String, to format: String, out: String, _ options: GlobalOptions) {
    guard !FileManager.default.fileExists(atPath: source), !source.contains("://"),
      let catalog = try? Catalog.open(options.catalogPath, .readOnly)
    else { return nil }
    guard (try? catalog.resolve(source)) != nil else {
      guard let run = try? catalog.findRun(named: source) else { return nil }
      description =
        "there is no file or folder \(source), but a run of the catalog; assay convert reads files, and assay export "
        + "--to coco-results, --to parquet and --to label-studio --run \(run.name) write predictions"
      return
    }
    let target = format == DatasetFormat.imageFolder.rawValue ? "folder" : format
    let command = ["assay", "export", source, "--to", target, "--out", out].map(ShellWord.quoted)
    description =
      "there is no file or folder \(source), but a view of the catalog; assay convert reads files, and assay export "
      + "the catalog: \(command.joined(separator: " "))"
  }
}

/// The options of formats that are written through one door.
package struct ConvertOptions: ParsableArguments {
  static let formats = DatasetExportRequest.formatNames.joined(separator: ", ")

  /// The spellings of ``ImageTransfer``.
  package enum ImageChoice: String, CaseIterable, ExpressibleByArgument, Sendable {
    case link
    case copy
    case none
  }

  @Option(
    help: ArgumentHelp(
      "How images are written: copy, link (hard links, no bytes are copied), or none."))
  package var images: ImageChoice?

  @Option(
    help: ArgumentHelp(
      "With yolo: detect, segment, pose, obb or classify. Default: the one that loses least.",
      valueName: "variant"))
  package var variant: String?

  @Option(
    help: ArgumentHelp(
      "With webdataset: the maximum number of samples of a tar file. Default: \(DatasetExportRequest.usualShardSamples), and 1 GiB of images.",
      valueName: "count"))
  package var shardSamples: Int?

  @Option(
    help: ArgumentHelp(
      "With coco-panoptic: the stuff classes. Can be repeated. Other classes are stuff or things as the source states; if it states nothing, things.",
      valueName: "name,name"))
  package var stuff: [String] = []

  @Flag(help: "Write boxes in place of masks and polygons: their extent.")
  package var boxesFromMasks = false

  @Flag(help: "Write masks in place of polygons, filled as pycocotools fills them.")
  package var masksFromPolygons = false

  @Option(
    help: ArgumentHelp(
      """
      Write polygons in place of masks: a corner of the outline is left out if it is at most this far from the \
      polygon (0: exact outlines). The output has the IoU that this costs.
      """, valueName: "pixels"))
  package var polygonsFromMasks: Double?

  package init() {}

  package func validate() throws { _ = try shapes() }

  var isGiven: Bool {
    images != nil || variant != nil || shardSamples != nil || !stuff.isEmpty || changesShapes
  }

  var changesShapes: Bool { boxesFromMasks || masksFromPolygons || polygonsFromMasks != nil }

  /// - Throws: `ValidationError`.
  private func shapes() throws -> ShapeChoice? {
    let given = [boxesFromMasks, masksFromPolygons, polygonsFromMasks != nil].count { $0 }
    guard given < 2 else {
      throw ValidationError(
        "use one of --boxes-from-masks, --masks-from-polygons and --polygons-from-masks")
    }
    if boxesFromMasks { return .boxes }
    if masksFromPolygons { return .masks }
    guard let tolerance = polygonsFromMasks else { return nil }
    guard tolerance >= 0, tolerance <= 1000 else {
      throw ValidationError("--polygons-from-masks must be from 0 to 1000 pixels")
    }
    return .polygons(tolerance: tolerance)
  }

  /// - Throws: `ValidationError`.
  func request(to name: String) throws -> DatasetExportRequest {
    guard var request = DatasetExportRequest(formatNamed: name) else {
      let names = DatasetExportRequest.formatNames
      let suggestion = NearMiss.suggestion(for: name, among: names)
      throw ValidationError(
        "unknown format “\(name)”" + (suggestion.map { "; did you mean “\($0)”?" } ?? "")
          + " Formats: \(Self.formats)")
    }
    if let variant, !request.setVariant(variant) {
      throw ValidationError(
        name == "yolo"
          ? "--variant must be detect, segment, pose, obb or classify"
          : "--variant is for --to yolo")
    }
    if request.isSharded, let images, images != .copy {
      throw ValidationError("--to \(name) copies the images into its tar files: use --images copy")
    }
    if let shardSamples {
      guard request.isSharded else {
        throw ValidationError("--shard-samples is for --to webdataset")
      }
      guard shardSamples > 0 else { throw ValidationError("--shard-samples must be at least 1") }
      request.shardSamples = shardSamples
    }
    let names = stuff.flatMap { $0.split(separator: ",", omittingEmptySubsequences: false) }
    guard names.allSatisfy({ !$0.allSatisfy(\.isWhitespace) }) else {
      throw ValidationError("--stuff takes classes separated by commas")
    }
    guard request.setStuff(stuff) else {
      throw ValidationError("--stuff is for --to coco-panoptic")
    }
    request.shapes = try shapes()
    request.images =
      switch images {
      case .link: .link
      case .copy, nil: .copy
      case .some(.none): .none
      }
    return request
  }
}
