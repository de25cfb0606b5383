package import ArgumentParser
package import AssayCore
import AssayWorkflows
import Foundation

/// `assay import`: reads a source into the catalog.
package struct ImportCommand: ParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Import a labeled image set into the catalog.",
    discussion: """
      The format is detected from the content (assay formats lists them); PATH:FORMAT overrides it. A \
      dataset is imported completely or not at all. Invalid records are left out and listed as \
      issues; --strict refuses the import instead. The same input again is "already imported". \
      A folder with annotations that would be dropped is refused, with a list of them; \
      --ignore-companions imports it without them. \
      If a source lists its images (COCO's JSON, tables), missing files are counted; their samples are kept.

      A video becomes a dataset of frames with number and time: a file is decoded by an installed ffmpeg; a \
      stream of JPEG images (MJPEG, also multipart), PNG images or Y4M is read from standard input, the path “-”. \
      The frames are written into a folder beside the catalog. A folder of images is one of frames if it is named \
      as such, PATH:frames; so is a text with one path in each line.

      assay import film.mov --every 5 --classes person,car --task detection

      Images without annotations are labeled in the editor (assay review). --classes names the classes, --task what is \
      labeled; the same command with more classes and --replace adds them, and keeps all corrections.

      ffmpeg -i film.mov -f mjpeg -q:v 2 - | assay import - --name film --fps 30

      A source can be at an address: s3://bucket/prefix, or https://host/folder/ that lists its files, or a file \
      there, such as an archive. Its files are fetched with curl when they are read, also by later commands, into a cache \
      (assay cache). Keys and server of S3 are those of the AWS tools: AWS_ACCESS_KEY_ID, AWS_PROFILE, ~/.aws, \
      AWS_ENDPOINT_URL.
      """)

  @Argument(
    help: ArgumentHelp(
      "The file, folder, zip, tar or tar.gz archive, or video; an address (s3://, https://); - for a stream on standard "
        + "input.",
      valueName: "path[:format]"),
    completion: .file())
  package var source: String

  @Option(help: "The dataset's name. Default: derived from the file or folder.")
  package var name: String?

  @Option(
    help: ArgumentHelp(
      "The folder of the images, for a COCO JSON or a CSV of labels or boxes outside of it.",
      valueName: "dir"),
    completion: .directory)
  package var images: String?

  @Option(
    help: ArgumentHelp(
      "The folder with the parts of assay scan: images that have not changed are not read.",
      valueName: "dir"),
    completion: .directory)
  package var scan: String?

  @Flag(
    name: .customLong("check-images"),
    help: "Decode every image of a COCO JSON; report unreadable images and wrong sizes."
  )
  package var checkImages = false

  @Option(
    help: ArgumentHelp(
      "Frames per second: of a stream or folder of frames without times, the rate at which they were taken; of a "
        + "video file, how many are taken (default: all).", valueName: "rate"))
  package var fps: Double?

  @Option(
    help: ArgumentHelp(
      "Take only every n-th frame of a video, stream or folder of frames.", valueName: "n"))
  package var every = 1

  @Option(
    name: .customLong("frames"),
    help: ArgumentHelp("Take at most this many frames of a video or stream.", valueName: "n"))
  package var frameLimit: Int?

  @Flag(help: "Import nothing if there is any issue; exit status 1.")
  package var strict = false

  @Flag(help: "Replace an existing dataset; samples with the same key keep their id.")
  package var replace = false

  @Option(
    help: ArgumentHelp(
      "For a video, frames or a folder of images: what is labeled in images that have no annotations, classification, "
        + "multilabel, segmentation or detection. assay review takes it. Folders are classes only with classification, if "
        + "some are in --classes.", valueName: "task"))
  package var task: ModelTask?

  @OptionGroup package var reading: SourceOptions
  @OptionGroup package var options: GlobalOptions

  package init() {}

  package func validate() throws { _ = try request() }

  /// The parsed request.
  func request() throws -> ImportRequest {
    var request = ImportRequest(source)
    request.name = name
    request.strict = strict
    request.replace = replace
    request.images = images
    request.scan = scan
    request.checksImages = checkImages
    request.task = task
    if let fps {
      guard fps.isFinite, fps > 0, fps <= 100_000 else {
        throw ValidationError("--fps must be a number above 0")
      }
      request.frameRate = fps
    }
    guard every >= 1, every <= 1_000_000_000 else {
      throw ValidationError("--every must be at least 1")
    }
    request.every = every
    if let frameLimit, frameLimit < 1 { throw ValidationError("--frames must be at least 1") }
    request.frameLimit = frameLimit
    try reading.fill(&request)
    return request
  }

  package func run() throws {
    let request = try request()
    try options.perform { progress in
      if let unknown = UnknownFormat(request.path) { throw unknown }
      do {
        var summary = try DatasetImport(request).run(
          catalogPath: options.catalogPath, progress: progress)
        summary.notes = summary.notes.map { TypedPathError.replaced($0, path: request.path) }
        // Compares the corrected images now, so that the next command does not have to.
        let opened = try CorrectedCatalog.open(
          options.catalogPath, .readOnly, reportingTo: progress)
        let use = opened.corrections.of(summary.dataset.name)
        let result = CorrectedResult(ImportResult(summary: summary), use.asExistence)
        // A dataset that was imported without --strict must not pass with it just because it
        // already exists.
        if strict, summary.isAlreadyThere, summary.dataset.issues > 0 { throw CheckFailed(result) }
        return result
      } catch let refused as ImportRefused {
        throw CheckFailed(ImportRefusedResult(refused: refused))
      } catch {
        throw TypedPathError(error, path: request.path) ?? error
      }
    }
  }
}

/// A path that does not exist, but would without the text after its last colon: a misspelled
/// format.
struct UnknownFormat: Error, CustomStringConvertible {
  private let path: String
  private let name: String

  /// - Parameter source: the typed path, which does not end in a known format.
  init?(_ source: String) {
    guard let colon = source.lastIndex(of: ":"),
      !FileManager.default.fileExists(atPath: source),
      FileManager.default.fileExists(atPath: String(source[..<colon]))
    else { return nil }
    path = String(source[..<colon])
    name = String(source[source.index(after: colon)...])
  }

  var description: String {
    let known = DatasetFormat.allCases.map(\.rawValue)
    let suggestion = NearMiss.suggestion(for: name, among: known)
    return "unknown format “\(name)” after \(path)"
      + (suggestion.map { "; did you mean “\($0)”?" } ?? ";")
      + " formats: \(known.joined(separator: ", ")) (see `assay formats`)"
  }
}
